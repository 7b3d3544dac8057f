"""[n] markers in whole answers and in those that arrive in pieces."""

import re
from collections.abc import Sequence

from rag.types import Evidence

# Models also write 【2】, ［2］ and [1,2] or [1、2]; [0, 1] and 取值范围是[1,5] are intervals.
_NUMBER = r"[1-9]\d{0,2}"
_OF_AN_INTERVAL = (
    *("∈", r"∈\s", "区间", "区间[是为在:：]"),
    *(f"{named}{told}" for named in ("取值", "值范围", "值域") for told in ("", "[是为在:：]")),
)
_NO_INTERVAL = "".join(rf"(?<!{before}[\[【［])" for before in _OF_AN_INTERVAL)
# As much before a bracket as these signs are long.
_LONGEST_SIGN, _LONGEST_MARKER = 4, 32
MARKER = re.compile(rf"[\[【［]({_NUMBER}|{_NO_INTERVAL}{_NUMBER}(?:\s*[,，、]\s*{_NUMBER})+)[\]】］]")


def cited_numbers(answer: str) -> tuple[int, ...]:
    """The numbers that an answer cites, each once, in the order of their first marker."""
    numbers = (int(number) for match in MARKER.finditer(answer) for number in re.findall(r"\d+", match[1]))
    return tuple(dict.fromkeys(numbers))


class CitationTracker:
    """Finds markers in an answer that arrives in pieces, and tells each cited evidence once."""

    def __init__(self, evidence: Sequence[Evidence]) -> None:
        self._unseen = {item.number: item for item in evidence}
        self._tail = ""

    def feed(self, text: str) -> tuple[Evidence, ...]:
        """The evidence first cited in the answer up to and including `text`."""
        seen = self._tail + text
        # An opening bracket without its closing one may be completed by the next piece.
        opening = max(seen.rfind(bracket) for bracket in "[【［")
        is_open = opening >= 0 and not MARKER.match(seen, opening)
        self._tail = (
            seen[max(0, opening - _LONGEST_SIGN) : opening + _LONGEST_MARKER] if is_open else seen[-_LONGEST_SIGN:]
        )
        return tuple(self._unseen.pop(number) for number in cited_numbers(seen) if number in self._unseen)
