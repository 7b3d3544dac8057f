"""How a provider's model is held to the form of a reply, and to think before it or not."""

from collections.abc import Collection, Mapping
from typing import Any, assert_never

from rag.types import Provider

# llama.cpp's notation: any text, but in brackets only known numbers, unless the bracket follows a name, as in a[0].
# And not from the first character on: a model that begins with a marker may end there too, and has said nothing.
# Nor has a small one that ends behind a number: that of a passage, or the bare cell of a table, and the answers after
# it are like it. Where an answer begins with a number, its unit or another word follows; a code such as 00000 has none.
_MARKERS = r"""root ::= begun plain{least,} (plain | index | open (marked | [^1-9\[【［]))*
begun ::= [^0-9\[【［ \n] | "0" [0-9]{2,12} | [0-9] [0-9.,:]* (" "? word | "%" | [、)）])
word ::= [^0-9 \n.,:：、，%。;；!！?？()（）\[【［\]】］]
plain ::= [^\[【［]
index ::= [A-Za-z0-9_)] "[" [^\]]* "]"
open ::= [\[【［]
marked ::= number ([,，、] " "? number)* [\]】］]
"""


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


def thinking(provider: Provider, wanted: bool | None) -> dict[str, Any]:
    """Call arguments that have a model think first or not; none where that is not to be said, or cannot be."""
    return {"reasoning": wanted} if wanted is not None and provider is Provider.OLLAMA else {}


def by_markers(provider: Provider, numbers: Collection[int], least: int = 0) -> dict[str, Any]:
    """Call arguments by which an answer's markers name passages that there are; none for a provider without grammars.

    Small models take the numbers of a document's own list for those of passages: "4. ..." becomes [4]. Behind `least`
    characters the answer may have a marker, or end.
    """
    if provider is not Provider.EMBEDDED or not numbers:
        return {}
    named = " | ".join(f'"{number}"' for number in sorted(numbers))
    return {"grammar": f"{_MARKERS.replace('least', str(least))}number ::= {named}\n"}
