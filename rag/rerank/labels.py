"""Lines and rows that begin with what they tell of: 服务期：自合同签订之日起一年, or 服务期 | 一年."""

import re
from collections.abc import Callable, Iterable

# What a line, a row, a cell or a sentence begins with, behind its number, and before what it tells of that; what it
# tells is no label of the next, so that of 联系人 | 张三 | 电话 | 8663 two are.
_LABEL = re.compile(
    r"(?:^|\n|\| |[。；;])\s*(?:[（(]?[\d一二三四五六七八九十]{1,3}[）)、.．\s|]+)?"
    r"([^\s|：:。；;，,]{2,14})(?: \||[：:])\s*(?=[^\s|])"
)
_ASIDE = re.compile(r"[（(].*?[）)]")
_SHORTEST = 2


def labelled(question: str, words: Iterable[str], share_of: Callable[[str], float], body: str) -> float:
    """How much of a question's words the label is that says most of them, by how much of it they are.

    `share_of` tells the share of the question that a text has. 管理费 of 管理费率 are three quarters.
    """
    labels = {_ASIDE.sub("", found) for found in _LABEL.findall(body)}
    return max((share_of(label) * _covered(label, question, words) for label in labels), default=0.0)


def _covered(label: str, question: str, words: Iterable[str]) -> float:
    """The share of a label that is said in a question."""
    if len(label) < _SHORTEST:
        return 0.0
    if label in question:
        return 1.0
    said = {place for word in words for start in _starts(label, word) for place in range(start, start + len(word))}
    return len(said) / len(label)


def _starts(label: str, word: str) -> list[int]:
    return [place for place in range(len(label)) if label.startswith(word, place)]
