"""How a question stands in the prompt, in which the model reads the conversation before it."""

import re

from rag.language import lead, words
from rag.language.follow_up import has_own_topic, without_link
from rag.language.parted import parted
from rag.rewriting.condense import own_words
from rag.types import Decision

# Behind 的 what follows goes on; behind a stop it is a sentence of its own.
_NAMED = re.compile(r"[^的\W]$")


def prompt_form(question: str, rewrite: str) -> str:
    """What the prompt asks for a question that was rewritten to stand alone for the search.

    Where the rewrite is the question before with "那加班呢？" behind it, only the latter is asked: a small model would
    answer both. A name that the rules have put before a question with a topic of its own gets a comma behind it, or a
    small model answers in the words of what is no sentence (错误码日志文件至少保存 15 天). How the reader wants it
    answered stands behind it.
    """
    parts = parted(question)
    if rewrite in (question, parts.asked):
        return question
    put = _prompt_form(parts.asked, rewrite)
    return f"{put}\n{parts.around}" if parts.around else put


def prompt_question(question: str, rewrite: str, decision: Decision) -> str:
    """What the prompt asks in a turn: on evidence in hand the reader's own words, else the `prompt_form`.

    What the reader's words lack, the model has just read there; a rewrite by rules may miss it.
    """
    return question if decision is Decision.REUSE else prompt_form(question, rewrite)


def _prompt_form(question: str, rewrite: str) -> str:
    point = lead.to_the_point(words.plainly(question))
    if point and rewrite.endswith(f" {point}"):
        return point
    own = own_words(question)
    name = rewrite.removesuffix(own)
    is_led = rewrite not in (question, name) and _NAMED.search(name) and has_own_topic(own)
    return f"{without_link(name)}，{own}" if is_led else rewrite
