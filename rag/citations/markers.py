"""[n] markers in answers."""

import re

# Models also write 【2】, ［2］ and [1,2] or [1、2]; [0, 1] and 取值范围是[1,5] are intervals.
_NUMBER = r"[1-9]\d{0,2}"
_OF_AN_INTERVAL = (
    *("∈", r"∈\s", "区间", "区间[是为在:：]"),
    *(f"{named}{told}" for named in ("取值", "值范围", "值域") for told in ("", "[是为在:：]")),
)
_NO_INTERVAL = "".join(rf"(?<!{before}[\[【［])" for before in _OF_AN_INTERVAL)
MARKER = re.compile(rf"[\[【［]({_NUMBER}|{_NO_INTERVAL}{_NUMBER}(?:\s*[,，、]\s*{_NUMBER})+)[\]】］]")


def without_markers(quoted: str) -> str:
    """Markdown of a text that is quoted, in which what looks like a marker is none: arr[1], or the reference [12]."""
    return MARKER.sub(r"[\1\]", quoted)


def cited_numbers(answer: str) -> tuple[int, ...]:
    """The numbers that an answer cites, each once, in the order of their first marker."""
    numbers = (int(number) for match in MARKER.finditer(answer) for number in re.findall(r"\d+", match[1]))
    return tuple(dict.fromkeys(numbers))
