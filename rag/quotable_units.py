"""What of a passage may answer a question: sentences, rows of tables, and what stands behind a line that asks."""

import re
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import pairwise

from loaders.cleaning import ends_sentence
from loaders.glue import glued
from loaders.headings import (
    ARTICLE_LEVEL,
    DECIMAL_LEVEL,
    LISTED_LEVEL,
    SENTENCE_MARKS,
    is_article_title,
    is_numbered_heading,
    is_title,
    level_of,
)
from loaders.numerals import QUESTION
from loaders.rows import CELL_BORDER, Row, cells_of, find_rows, is_row, is_rule
from loaders.sentences import ASKS, sentence_spans
from rag.language.answer_forms import asks_for_several
from rag.language.blank_forms import without_blank_lines, without_blanks
from rag.language.place import named_place
from rag.language.words import without_filler

# Characters of what is quoted behind a line that asks or leads on, unless its first sentence has more.
_ENOUGH = 40
# And behind one that leads to several things that are asked for, or of the rows of a table.
_ENOUGH_OF_SEVERAL = 300
_SHORTEST_SENTENCE = 4
_COLONS = ("：", ":")
_QUESTION = re.compile(QUESTION)
_CHARACTER = re.compile(r"\w")
_WORD = re.compile(r"[a-z\d]+|\w")
_ENDS = tuple("。.!！;；")
# A picture, as Markdown has it.
_PICTURE = re.compile(r"!\[[^\]]*\]\([^)\s]*\)")
# The number of a chapter, before its title.
_COUNTED = re.compile(r"(?:第?[\d一二三四五六七八九十.]+[章节条]?[、.)）\s]+)+")
# `图 3-2 数据库关系图`: what stands near is told of it, and by itself it answers nothing.
_CAPTION = re.compile(r"图\s*\d+(?:\s*[-–—.．]\s*\d+)*\s*[-–—:：、]?\s*[^\d\s。；，！？：:、.-][^。；，！？：:]{1,39}")
# `2 等待期`: that it is no step or amount is told by what stands below.
_CLAUSE = re.compile(r"[1-9]\d?\s+([^\W\d]\D*)")
# `别人能看到我的文件吗` as a heading: what answers stands behind it.
_ASKS = (*ASKS, "吗")


@dataclass(slots=True)
class Unit:
    """A sentence, a row, or the first sentences behind what leads to them: lines that ask, or a table's header.

    `about` is the title right above, which is compared with a question and not quoted. Where a question asks for
    `several` things, a list is one unit behind what leads to it, and the rows of a table are.
    """

    number: int
    texts: list[str] = field(default_factory=list)
    lead: str = ""
    about: str = ""
    is_row: bool = False
    several: bool = False

    @property
    def text(self) -> str:
        """Its sentences as one text, its rows one a line."""
        return "\n".join(self.texts) if self.is_row else reduce(_followed_by, self.texts, "")

    @property
    def compared(self) -> list[str]:
        """The texts of which the nearest to a question tells how near it is."""
        above = [*self.lead.splitlines(), *filter(None, [self.about])]
        texts = [" ".join((*above, row)) for row in self.texts] if self.is_row else [*above, *self.texts]
        # What a row does not fill in is no answer: 联系电话： /
        return [*map(without_blanks, texts)]

    @property
    def above_next(self) -> str:
        """What a row that follows is about."""
        return self.about if self.is_row else "" if self.texts else self.about or self.lead

    @property
    def is_full(self) -> bool:
        """Whether nothing more is quoted with it."""
        enough = _ENOUGH_OF_SEVERAL if self.several else _ENOUGH
        return bool(self.texts) and (not self.lead or self.is_row or len(self.text) >= enough)

    def goes_on(self, header: str) -> bool:
        """Whether a row below a header is quoted with it."""
        return self.several and self.is_row and self.lead == header and len(self.text) < _ENOUGH_OF_SEVERAL


def units_of(passages: Iterable[tuple[int, str]], question: str) -> list[Unit]:
    """The units of numbered passages, each once: a question, a header or a title is none but where it stands alone."""
    first: dict[str, Unit] = {}
    for number, passage in passages:
        told = {text for unit in first.values() if unit.is_row for text in unit.texts}
        units = list(_units(number, passage, question))
        for unit in filter(lambda unit: unit.is_row, units):
            unit.texts = [text for text in unit.texts if text not in told]
        alone = [Unit(number, [unit.about]) for unit in units if unit.about and not unit.about.endswith(_ASKS)]
        for unit in [unit for unit in units if unit.texts] or alone:
            first.setdefault(unit.text, unit)
    return list(first.values())


def _followed_by(text: str, following: str) -> str:
    """A text with the next. A line that ends without a mark, as in a chat, is parted from it by a blank."""
    return glued(text, following) if not text or ends_sentence(text) else f"{text} {following}"


def _says_something(text: str) -> bool:
    """Whether a sentence is more than a number or a mark."""
    return len(_CHARACTER.findall(text)) >= _SHORTEST_SENTENCE


def _sentences_in(passage: str) -> Iterator[str]:
    """The sentences of a passage, each in one line."""
    spans = sentence_spans(passage, 0, len(passage), len(passage))
    return (" ".join(passage[start:end].split()) for start, end in spans)


def _units(number: int, passage: str, question: str) -> Iterator[Unit]:
    """The units of a passage in order, some of them with what leads to nothing."""
    passage = without_blank_lines(passage)
    unit, several, titles = Unit(number), asks_for_several(question), _article_titles(passage) | _clause_titles(passage)
    # 论文题目是什么 asks for the title itself.
    place = named_place(question)
    title = "" if place and place.of_itself else _title(passage, titles)
    for text, header in _pieces(passage):
        if header is not None and unit.goes_on(header):
            unit.texts.append(text)
        elif header is not None:
            yield unit
            unit = Unit(number, [text], header, unit.above_next, is_row=True, several=several)
        elif _is_title(text, titles) or (_says_something(text) and _only_asks(text, question)):
            yield unit
            unit = Unit(number, about=text)
        elif text == title and not unit.texts:
            continue
        elif text.endswith(_COLONS) and unit.lead and not unit.texts:
            unit.lead = f"{unit.lead}\n{text}"
        elif text.endswith((*_ASKS, *_COLONS)) or _QUESTION.match(text):
            yield unit
            unit = Unit(number, lead=text, several=several)
        else:
            if unit.is_full:
                yield unit
                unit = Unit(number)
            # However short an answer is, it is one.
            if _says_something(_PICTURE.sub("", text)) or (unit.lead and _CHARACTER.search(text)):
                unit.texts.append(text)
    yield unit


def _is_title(text: str, titles: Set[str]) -> bool:
    return is_numbered_heading(text) or text in titles or _CAPTION.fullmatch(text) is not None


def _title(passage: str, titles: Set[str]) -> str:
    """The line that a passage begins with where it is a title above text or one of its `titles`.

    "" where it may be one of several entries.
    """
    first, _, rest = passage.strip().partition("\n")
    following = rest.lstrip().partition("\n")[0]
    tells = SENTENCE_MARKS.search(following) or is_numbered_heading(following) or " ".join(following.split()) in titles
    return " ".join(first.split()) if tells and is_title(first) and level_of(first) != ARTICLE_LEVEL else ""


def _article_titles(passage: str) -> set[str]:
    """The lines that are titles of articles: below such a one stands text or a clause, no other article or chapter."""
    return {
        line
        for line, below in pairwise(_lines(passage))
        if is_article_title(line) and LISTED_LEVEL < (level_of(below) or DECIMAL_LEVEL) < ARTICLE_LEVEL
    }


def _clause_titles(passage: str) -> set[str]:
    """The lines that are a number and a title with no point between them: below such a one stands text or a table."""
    return {
        line
        for line, below in pairwise(_lines(passage))
        if (clause := _CLAUSE.fullmatch(line)) and is_title(clause[1]) and not _CLAUSE.fullmatch(below)
        if is_row(below) or (SENTENCE_MARKS.search(below) and not below[0].isdigit())
    }


def _lines(passage: str) -> list[str]:
    """The lines that say anything, with single blanks."""
    return [" ".join(line.split()) for line in passage.split("\n") if line.strip()]


def _pieces(passage: str) -> Iterator[tuple[str, str | None]]:
    """The sentences of a passage, and the rows of its tables but headers, each with its own, which may be empty."""
    rows, start = _rows(passage), 0
    headers = {line for row in rows for line in row.header.split("\n")}
    for row in rows:
        yield from ((text, None) for text in _sentences_in(passage[start : row.start]))
        line, start = passage[row.start : row.end], row.end
        if note := _note(line, row.header):
            yield from ((text, None) for text in _sentences_in(note))
        elif line not in headers and not is_rule(line):
            yield line, row.header
    yield from ((text, None) for text in _sentences_in(passage[start:]))


def _note(line: str, header: str) -> str:
    """What stands across all columns of a table that has several, 备注：… |; "" for what its header tells more of."""
    first, *others = (line[start:end] for start, end in cells_of(line))
    return first if CELL_BORDER in header and not any(others) and SENTENCE_MARKS.search(first) else ""


def _rows(passage: str) -> list[Row]:
    """The rows of a passage's tables; of two rows alone, the second is below the first where only it has figures."""
    rows = find_rows(passage)
    for place, (row, below) in enumerate(pairwise(rows)):
        is_pair = below.start == row.end + 1 and not row.header and not below.header
        neighbours = rows[place - 1].end + 1 == row.start if place else False
        if is_pair and not neighbours and not any(map(str.isdigit, passage[row.start : row.end])):
            ends = place + 2 == len(rows) or rows[place + 2].start != below.end + 1
            if ends and any(map(str.isdigit, passage[below.start : below.end])):
                rows[place + 1] = replace(below, header=passage[row.start : row.end])
    return rows


def _only_asks(sentence: str, question: str) -> bool:
    """Whether a sentence says nothing beside what the question says, as a title does."""
    if sentence.endswith(_ENDS):
        return False
    said, asked = _COUNTED.sub("", sentence, count=1), set(_WORD.findall(question.lower()))
    return set(_WORD.findall(without_filler(said).lower())) <= asked
