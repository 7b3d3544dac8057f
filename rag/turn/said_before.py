"""An answer that begins like the one to another question, or says nothing: it is refused, and the model asked anew.

A small model goes on as it began: of nine questions how something is done, eight were answered word for word with the
answer to the first. Once it has named a chapter, it answers how things are done with headings. A short question behind
long talk it takes for a remark: 好的，我知道了。
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from langchain_core.messages import BaseMessage

from rag.citations import sources_of
from rag.evidence import is_unanswered
from rag.language import words
from rag.language.folding import simplified
from rag.llm.stream import Done
from rag.turn.condensing import understood
from rag.turn.context import TurnContext
from rag.turn.draft import Draft
from rag.turn.output_filters import OutputFilter
from rag.turn.trimming import bare
from rag.types import Decision, Evidence

# Shorter ones may well be said twice: 可以, 10天.
_SHORTEST = 16
# 好的，我知道了; 我会的; 明白, 没问题. But 会。 and 没收到 answer what asks whether.
_ONLY_NODS = re.compile(r"(?!\W*(?:会|没收))[好的明白收到没问题知道了解当然我已经会啦吧\W_]*")
# What no heading tells, and what one may be asked for.
_ASKS_HOW = re.compile(r"怎[么样]|如何|咋|为什么|为何|多[久长少]|几|呢")
_ASKS_FOR_A_NAME = re.compile(r"标题|题目|名[称字]|叫|[章节条篇]|目录")
_NUMBERING = re.compile(r"^\W*(?:第\s?[一二三四五六七八九十百\d]+\s?[章节条]|[\d.]+)\s*")
# What only leads to a list goes on to its first item, and the header of a table to its first row.
_SENTENCE = re.compile(r".*?(?:[。！？!?\[]|(?<![:：|\n])\n|(?<!\d)\.(?=\s))", re.DOTALL)


class SaidBefore(OutputFilter):
    """Holds back the beginning of an answer, and refuses one that only says an earlier one again, or nothing."""

    def __init__(
        self, earlier: Iterable[tuple[str, str]], may_be_said: Callable[[str, str], bool], headings: Iterable[str] = ()
    ) -> None:
        """`earlier` are questions and answers. `may_be_said`: whether a first sentence of one is said again rightly.

        `headings` say nothing by themselves.
        """
        super().__init__()
        self._headings = {_title(heading) for heading in headings} - {""}
        sentences = {bare(_first_sentence(answer)): question for question, answer in earlier}
        self._asked = {sentence: asked for sentence, asked in sentences.items() if len(sentence) >= _SHORTEST}
        self._may_be_said = may_be_said

    def holds(self, said: str) -> bool:
        """Whether it says nothing so far, or may become the first sentence of an earlier answer."""
        # A small model may begin with nothing but new lines, to its limit.
        said = said.lstrip()
        title, told = _title(said), bare(said)
        if _ONLY_NODS.fullmatch(said) or any(heading.startswith(title) for heading in self._headings):
            return True
        return not _SENTENCE.match(said) and any(sentence.startswith(told) for sentence in self._asked)

    def feed(self, text: str) -> str:
        """What was held back, too, once it says something else; an answer that only repeats is refused."""
        was_open, given = self.is_open, super().feed(text)
        self.is_refused = self.is_open and not was_open and self._repeats(given)
        return "" if self.is_refused else given

    def end(self, _: Done) -> str:
        """What was held back, unless it only repeats. The tokens of an answer not given count."""
        self.is_refused = bool(self.held) and self._repeats(self.held)
        return "" if self.is_refused else self.release()

    def _repeats(self, said: str) -> bool:
        if _ONLY_NODS.fullmatch(said) or _title(said) in self._headings:
            return True
        sentence = _first_sentence(said)
        asked = self._asked.get(bare(sentence))
        return asked is not None and not self._may_be_said(sentence, asked)


def said_before(draft: Draft, context: TurnContext) -> SaidBefore:
    """What watches the answer of a turn that has evidence and a conversation before it."""
    answered = [turn for turn in context.transcript.turns if not is_unanswered(turn)]
    asks_how = _ASKS_HOW.search(draft.asked) and not _ASKS_FOR_A_NAME.search(draft.asked)
    return SaidBefore(
        ((turn.question, turn.answer) for turn in answered),
        # What the answer cites besides will be added to the evidence.
        partial(_may_be_said, question=draft.asked, evidence=draft.evidence),
        (heading for item in draft.evidence for heading in item.heading_path if asks_how),
    )


def without_talk(draft: Draft, context: TurnContext) -> list[BaseMessage]:
    """The prompt of a turn as if nothing had been said before it: its question standing alone, on all its evidence."""
    question = understood(draft, context) if draft.decision is Decision.REUSE else draft.whole_question
    alone = context.transcript.alone(0)
    return [*alone.prefix(), alone.ask(question, draft.decision, draft.evidence, True, reader=draft.options.language)]


def _may_be_said(sentence: str, asked: str, *, question: str, evidence: Sequence[Evidence]) -> bool:
    """Whether a sentence that answered what was `asked` answers a question, too.

    The two have all the terms of it, and what was found for it bears the sentence out. A model that is asked in vain
    costs seconds, a wrong answer the answer.
    """
    told = simplified(f"{asked}\n{sentence}").lower()
    is_of_it = all(words.stands_in(term, told) for term in words.terms(words.plainly(question)))
    return is_of_it and bool(sources_of(sentence, evidence, (question,)))


def _title(text: str) -> str:
    """What a heading says, without its number."""
    return bare(_NUMBERING.sub("", text, count=1))


def _first_sentence(answer: str) -> str:
    found = _SENTENCE.match(answer.lstrip())
    return found[0] if found else answer
