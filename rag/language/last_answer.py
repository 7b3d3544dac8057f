"""Messages that are about the last answer and nothing else: for it again, shorter, or for more of it."""

import re

from rag.language.rows import any_of, read_rows
from rag.language.segmentation import blanked
from rag.language.talk import ABOUT_THE_TALK
from rag.language.words import SUMMING_UP, PlainQuestion, terms

_ROWS = read_rows(__file__)["about_the_answer"]
_RETELLING = any_of(_ROWS["retelling"], [SUMMING_UP])
_REWORKING, _DOUBTING, _BETWEEN = (any_of(_ROWS[name]) for name in ("reworking", "doubting", "between"))
# The whole message asks for the last answer again, in another language or shorter.
RETELL = re.compile(rf"^(?=.*?{_RETELLING})(?>{_RETELLING}|{_REWORKING}|{_BETWEEN})++$", re.IGNORECASE)
# The whole message asks for more of what the last answer is about, or for it in another form, or doubts it.
REWORK = re.compile(rf"^(?=.*?(?:{_REWORKING}|{_DOUBTING}))(?>{_REWORKING}|{_DOUBTING}|{_BETWEEN})++$", re.IGNORECASE)
# The whole message asks whether the last answer is right: 你确定吗？
DOUBT = re.compile(rf"^(?=.*?{_DOUBTING})(?>{_DOUBTING}|{_BETWEEN})++$", re.IGNORECASE)
# What such messages are made of, and what points to an answer further above.
_OF_AN_ANSWER = re.compile(rf"{_RETELLING}|{_REWORKING}|{ABOUT_THE_TALK.pattern}", re.IGNORECASE)
_POINTS_ABOVE = re.compile(r"上面|前面|刚才|\babove\b", re.IGNORECASE)


def wants_it_retold(question: PlainQuestion) -> bool:
    """Whether a message wants what was said in other words; 总结对乙方不利的条款 names what only documents tell."""
    if not ABOUT_THE_TALK.search(question):
        return False
    return _POINTS_ABOVE.search(question) is not None or not terms(blanked(_OF_AN_ANSWER, question))
