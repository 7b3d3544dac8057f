"""How a follow-up that was made to stand alone is put to the model, which knows the conversation before it."""

import re

from rag.language import lead, words
from rag.language.follow_up import has_own_topic, without_link
from rag.language.parted import parted
from rag.rewriting.condense import own_words
from rag.types import Decision

# Behind 的 what follows goes on; behind a stop it is a sentence of its own.
_NAMED = re.compile(r"[^的\W]$")


def as_put(question: str, rewrite: str) -> str:
    """A rewrite as a model is asked it behind the conversation, which a search does not know.

    Where it is the question before with "那加班呢？" or "And sick leave?" behind it, a small model answers both. And a
    name that the rules put before a question with a topic of its own has a comma behind it: without it that is no
    sentence, and such a model answers in its words: "错误码日志文件至少保存 15 天". How to answer stands behind it.
    """
    parts = parted(question)
    if rewrite in (question, parts.asked):
        return question
    put = _as_put(parts.asked, rewrite)
    return f"{put}\n{parts.around}" if parts.around else put


def put_behind(question: str, rewrite: str, decision: Decision) -> str:
    """A question as a model is asked it behind the conversation that it follows.

    On evidence in hand in the reader's own words: what these lack the model has just read, and rules may miss it.
    """
    return question if decision is Decision.REUSE else as_put(question, rewrite)


def _as_put(question: str, rewrite: str) -> str:
    point = lead.to_the_point(words.plainly(question))
    if point and rewrite.endswith(f" {point}"):
        return point
    own = own_words(question)
    name = rewrite.removesuffix(own)
    is_led = rewrite not in (question, name) and _NAMED.search(name) and has_own_topic(own)
    return f"{without_link(name)}，{own}" if is_led else rewrite
