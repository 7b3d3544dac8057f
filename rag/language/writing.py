"""Requests to have something written from the documents: three interview questions, a letter of refusal.

No passage says of itself what such a request asks for; what it is about, if it says so, is told in its other words.
"""

import re

from rag.language.han_numerals import COUNT
from rag.language.rows import any_of, read_rows

_ROWS = read_rows(__file__)["writing"]
_VERBS, _PIECES, _AROUND = (any_of(_ROWS[name]) for name in ("verbs", "pieces", "around"))
_PURPOSE = any_of(_ROWS["purposes"])
_LONGEST = 120
# 出五道关于遍历的选择题: between the verb and what is written stands how many there are to be. Behind that may stand
# what it is for: 写一封邮件通知大家待办事项.
_REQUEST = re.compile(
    rf"^(?:[^，,。；;]{{0,40}}[，,]\s*)?(?:(?>{_AROUND})*+|.{{0,20}}?)(?P<verb>{_VERBS})出?"
    rf"(?:{COUNT}\s*[个篇封份道段条句首张套些]|[个篇封份段条])(?P<about>[^，,。；;]{{0,30}}?)"
    rf"{_PIECES}(?:(?>{_AROUND})++|(?:来|去|，|,)?(?:{_PURPOSE})(?P<for>[^，,。；;]{{2,30}}))?\W*$",
    re.IGNORECASE,
)
_ASKS = re.compile(r"什么|怎么|如何|为什么|谁|哪|是否|[?？].")
_ASKED_BY = re.compile(rf"{_AROUND}|关于", re.IGNORECASE)


def asks_to_write(question: str) -> bool:
    """Whether a question is a request to write something, and asks nothing that a passage answers."""
    return _request(question) is not None


def written_about(question: str) -> str:
    """What such a request says besides the words by which people ask for it; all of any other question."""
    request = _request(question)
    if request is None:
        return question
    return _ASKED_BY.sub(" ", f"{question[: request.start('verb')]} {request['about']} {request['for'] or ''}").strip()


def _request(question: str) -> re.Match[str] | None:
    return _REQUEST.match(question) if len(question) <= _LONGEST and not _ASKS.search(question) else None
