"""How a provider's model is held to the form of a reply."""

from collections.abc import Mapping
from typing import Any, assert_never

from rag.types import Provider


def by_schema(provider: Provider, name: str, schema: Mapping[str, object]) -> dict[str, Any]:
    """Call arguments that hold a provider's model to a JSON schema, an object's under a name."""
    match provider:
        case Provider.EMBEDDED:
            return {"json_schema": schema}
        case Provider.OLLAMA:
            return {"format": schema}
        case Provider.OPENAI:
            return {"response_format": {"type": "json_schema", "json_schema": {"name": name, "schema": schema}}}
        case Provider.EXTRACTIVE:
            return {}
        case _:
            assert_never(provider)
