"""How a provider's model is held to the form of a reply."""

import re
from collections.abc import Collection, Mapping
from typing import Any, assert_never

from rag.types import Provider

# Behind one of these an answer may ask: its first sentence has ended, or something is quoted.
_PAUSES = r'。.!！\n:：;；“"《「'
# llama.cpp's notation: any text, but in brackets only known numbers, unless the bracket follows a name, as in a[0].
# And not from the first character on: a model that begins with a marker may end there too, and has said nothing.
# Nor has a small one that ends behind the bare number of a passage: where an answer begins with one, a word follows; a
# share, a longer number or one with decimals may be all of an answer. Nor one whose first sentence asks: it gives the
# question back. But a Latin question mark may be part of a code or an address.
_MARKERS = rf"""root ::= begun said* (pause (said | pause | "？")*)?
begun ::= [^0-9\[【［ \n？] | [0-9]{{3,12}} | [0-9]{{1,2}} ("%" | [.,:] [0-9] | [.、)）]? " "? word)
word ::= [^0-9 \n.,:：、，%。;；!！?？()（）\[【［\]】］]
said ::= [^\[【［？{_PAUSES}] | index | open (marked | [^1-9\[【［])
pause ::= [{_PAUSES}]
index ::= [A-Za-z0-9_)] "[" [^\]]* "]"
open ::= [\[【［]
marked ::= number ([,，、] " "? number)* [\]】］]
"""
_LETS_AN_ECHO_PASS = re.compile(rf"[?{_PAUSES}]")


def may_be_echoed(question: str) -> bool:
    """Whether an answer may give a question back even where `by_markers` binds it."""
    return _LETS_AN_ECHO_PASS.search(question) is not None


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


def by_markers(provider: Provider, numbers: Collection[int]) -> dict[str, Any]:
    """Call arguments by which an answer's markers name passages that there are; none for a provider without grammars.

    Small models take the numbers of a document's own list for those of passages: "4. ..." becomes [4].
    """
    if provider is not Provider.EMBEDDED or not numbers:
        return {}
    named = " | ".join(f'"{number}"' for number in sorted(numbers))
    return {"grammar": f"{_MARKERS}number ::= {named}\n"}
