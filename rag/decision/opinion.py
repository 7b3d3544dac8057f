"""What a model thinks a turn needs: one reply holds the decision and, where it searches, the stand-alone question."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rag.language.folding import encodable
from rag.llm.constraint import by_schema
from rag.types import Decision, Provider

# llama.cpp's grammar notation; the question is one line.
_GRAMMAR = r'root ::= "[REUSE]" | "[NO_RETRIEVE]" | "[RETRIEVE] " [^\n]+'
_DECISIONS = ["REUSE", "NO_RETRIEVE", "RETRIEVE"]
_SCHEMA = {
    "type": "object",
    "properties": {"decision": {"type": "string", "enum": _DECISIONS}, "question": {"type": "string"}},
    "required": ["decision"],
}
# A server that knows no schema leaves a model free to talk of labels, "[REUSE] 或 [RETRIEVE]": one that stands alone
# decides, and only a search has more on its line.
_LABEL = re.compile(rf"\[(?:{'|'.join(_DECISIONS)})\]")
_LABELLED = re.compile(r"\s*\[(?:(REUSE|NO_RETRIEVE)\][^\S\n]*(?:\n|\Z)|(RETRIEVE)\][ \t：:]*([^\n]*))")


@dataclass(frozen=True, slots=True)
class Opinion:
    """A model's decision, and the question as it would search for it (empty where it would not)."""

    decision: Decision
    question: str


def constraint(provider: Provider) -> dict[str, Any]:
    """Call arguments that hold a provider's model to the form of an opinion."""
    # llama.cpp's notation: labels are fewer tokens than JSON.
    return {"grammar": _GRAMMAR} if provider is Provider.EMBEDDED else by_schema(provider, "opinion", _SCHEMA)


def read_opinion(reply: str) -> Opinion | None:
    """The opinion in a reply, as labels or as JSON; None for a reply of another form."""
    if len(_LABEL.findall(reply)) == 1 and (labelled := _LABELLED.match(reply)):
        return Opinion(Decision((labelled[1] or labelled[2]).lower()), (labelled[3] or "").strip())
    try:
        values = json.loads(reply)
    except (ValueError, RecursionError):  # no JSON, or a number or a nesting without an end
        return None
    if not isinstance(values, Mapping) or values.get("decision") not in _DECISIONS:
        return None
    return Opinion(Decision(values["decision"].lower()), encodable(str(values.get("question") or "")).strip())
