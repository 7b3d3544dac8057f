"""Words of a small model's answer that say nothing: its question, and what only announces a marker."""

import re
from collections.abc import Iterable
from enum import Enum, auto

from rag.language.topic import before_asking
from rag.language.words import ASKS
from rag.turn.output_filters import OutputFilter

# A marker, or what may become one.
_MARKER = re.compile(r"\s*\[\d*\]?")
_NOT_WORDS = re.compile(r"\[\d*\]?|\W")
# "…，资料编号为[2]": the marker says it itself. The prompt speaks of numbers, and a 1.5B repeats it. Not 须注明出处[1],
# nor 须写明姓名、编号[1]. Of a row of blanks only the beginning is tried: small models may write them without end.
_ANNOUNCED = re.compile(
    r"(?:[，,；;]|(?<![\w、\s])|(?<=[\w、]\s))\s*+(?:资料的?)?(?:编号|来源|出处)(?:为|是)?[:：]?\s*+(?=\[\d)"
)
_PERHAPS_ANNOUNCED = re.compile(
    r"(?:[，,；;]|(?<![，,；;\s]))\s*+(?:资|(?:资料的?)?(?:编|来|出|(?:编号|来源|出处)(?:为|是)?[:：]?\s*\[?)?)?$"
)
_SHORTEST_ECHO = 4
# How what stands before the asking may end: 天数是|多少.
_LEADS = "是有在要能会"
# Where an answer may take the question up: 手册里|核心模块, 它的|注册地址.
_BEGINS = "(?:^|[的里中])"
# Both of 员工和经理谁的年假多 may be the answer.
_SEVERAL = re.compile(r"[和与或跟、]")
_ASKS = re.compile(r"[?？]")
# What asks without a question mark: 解绑呢, 不对吧，我记得是2元.
_ASKS_PLAINLY = re.compile(r"呢\W*$|^不对|记得|以为")
# How a question ends that is repeated without asking.
_TELLS = re.compile(r"[。！!：:\n]")
# What an answer begins with that names a section or a text, which may be called as the question is put.
_NAMES = re.compile(r"[\s*#>-]*[“‘「『《〈\"']")
_POLITE = re.compile(r"^(?:请问|那么?)")
_PLAIN = re.compile(r"\w[\w ]*")


class _Phase(Enum):
    """Where an answer has got to: it may still be the question, that is over, or it says something itself."""

    ASKING = auto()
    BETWEEN = auto()
    ANSWERING = auto()


class AnswerTrimmer(OutputFilter):
    """Drops the question from the beginning of its answer, and the words that only announce a marker.

    What a question says before it asks is given at once: mostly its answer begins so, too. Where the question was
    repeated after all, the answer goes on from what was given.
    """

    def __init__(self, questions: Iterable[str], given: str = "", *, may_echo: bool = True) -> None:
        """`questions` are the ways in which this one was put, `given` what a first try has given of it already.

        `may_echo`: what asks nothing may be answered in the same words, as a greeting is.
        """
        super().__init__()
        put = dict.fromkeys(variant for one in questions for variant in (one, _POLITE.sub("", one)))
        self._openings = {bare(question): _opening(question) for question in put}
        asks = (ASKS.search, _ASKS_PLAINLY.search, before_asking)
        self._asked = {bare(question) for question in put if any(one(question) for one in asks)}
        self._repeated = self._asked if may_echo else self._openings.keys()
        self._begin(given)

    def _begin(self, given: str = "") -> None:
        self._given, self._is_retry = given, bool(given)
        self._said = self.held = ""
        self._looked = 0
        self._phase = _Phase.ASKING

    def feed(self, text: str) -> str:
        """What of the answer so far is certain and was not given yet; `text` is its next piece."""
        self._said += text
        self.held += text
        if self._phase is _Phase.ASKING:
            self._leave_question()
        if self._phase is _Phase.BETWEEN and not self._go_on():
            return ""
        return self._open() if self._phase is _Phase.ASKING else self._certain()

    def restart(self) -> str:
        """Nothing; the answer begins anew."""
        self._begin()
        return ""

    def release(self) -> str:
        """What was held back of an answer that has ended, without blanks: a marker may be put behind it."""
        if self.only_repeated:
            return ""
        if self._phase is _Phase.BETWEEN or (self._is_retry and self._phase is _Phase.ASKING):
            self._go_on(has_ended=True)
        return self.held.rstrip()

    @property
    def only_repeated(self) -> str:
        """All that was said so far, where that is the question and no more; else ""."""
        said = bare(self._said)
        if self._phase is _Phase.ASKING:
            # "年假的天数是[1]" says no more than "年假的天数是多少？".
            repeats = said in self._repeated or self._takes_up(said.rstrip(_LEADS), "$")
        else:
            repeats = self._phase is _Phase.BETWEEN and not bare(self.held)
        return self._said if said and repeats else ""

    def _leave_question(self) -> None:
        """Go on where it is certain what the answer begins with; a question before it is dropped."""
        if echo := self._echo():
            self.held, self._phase = self._said[echo:], _Phase.BETWEEN
        elif not any(bare(self._said) in question for question in self._openings):
            self._phase = _Phase.BETWEEN if self._is_retry else _Phase.ANSWERING

    def _go_on(self, *, has_ended: bool = False) -> bool:
        """Begin the answer behind what was given, without what it says of that again; False where more may come."""
        marker = _MARKER.match(self.held)
        rest = self.held[marker.end() if marker else 0 :].lstrip()
        said, given = bare(rest), bare(self._given)
        if not has_ended and (not said or given.startswith(said)):
            return False
        if given and said.startswith(given):
            rest = rest[_behind(rest, len(given)) :].lstrip("* ")
        elif given and said:
            rest = f"：{rest}"
        self.held, self._phase = rest, _Phase.ANSWERING
        return True

    def _open(self) -> str:
        """What may be given though it is not certain that an answer comes: no more than stands before the asking."""
        said = bare(self._said)
        if self._is_retry or not _PLAIN.fullmatch(self._said) or not self._takes_up(said):
            return ""
        given, self.held = self.held, ""
        self._given += given
        return given

    def _takes_up(self, said: str, end: str = "") -> bool:
        """Whether an answer takes up what the question says before it asks, or a part of that, as far as its `end`."""
        part = re.compile(f"{_BEGINS}{re.escape(said)}{end}")
        return bool(said) and any(part.search(opening) for opening in self._openings.values())

    def _certain(self) -> str:
        """What is not the beginning of an announced marker."""
        before = re.sub(r"[^\w、]", "", self._said[: len(self._said) - len(self.held)][-1:])
        self.held = _ANNOUNCED.sub("", before + self.held)[len(before) :]
        perhaps = _PERHAPS_ANNOUNCED.search(self.held)
        certain = perhaps.start() if perhaps else len(self.held)
        given, self.held = self.held[:certain], self.held[certain:]
        return given

    def _echo(self) -> int:
        """Where the answer's first sentence ends, if that only repeats the question; else 0."""
        if _NAMES.match(self._said):
            return 0
        asks = _ASKS.search(self._said)
        if asks and len(first := bare(self._said[: asks.end()])) >= _SHORTEST_ECHO:
            return asks.end() if any(first in question for question in self._openings) else 0
        # Each end once: a long text that is to be repeated has hundreds, and comes in hundreds of pieces.
        ends, self._looked = (end.end() for end in _TELLS.finditer(self._said, self._looked)), len(self._said)
        return next((end for end in ends if bare(self._said[:end]) in self._asked), 0)


def _opening(question: str) -> str:
    """What may be given of a question before it asks, as `bare` text; "" where that may be all of an answer."""
    before = before_asking(question)
    return "" if _SEVERAL.search(before) else bare(before).rstrip(_LEADS)


def _behind(text: str, count: int) -> int:
    """Where a text goes on behind so many characters of its `bare` form."""
    return next((place for place in range(len(text) + 1) if len(bare(text[:place])) == count), len(text))


def bare(text: str) -> str:
    """A text's letters and digits alone, without markers."""
    return _NOT_WORDS.sub("", text).lower()
