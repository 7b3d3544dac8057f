"""Sentences for the reader as JSON, as databases keep them."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from rag.types import Message


def message_to_json(message: Message | None) -> str | None:
    """A message with those among its values; values that JSON has no form for become text."""
    return json.dumps(asdict(message), ensure_ascii=False, default=str) if message else None


def message_from_json(stored: str | None) -> Message | None:
    """The message that `message_to_json` wrote."""
    return to_message(json.loads(stored)) if stored else None


def to_message(stored: Mapping[str, Any]) -> Message:
    """A message from the object that stands for it, with those that stand among its values."""
    values = {name: to_message(value) if isinstance(value, dict) else value for name, value in stored["values"].items()}
    return Message(stored["key"], values)
