"""What one document says told of another: its sentences with the other's name, or as the answer to a question about it.

Both are among the evidence, under their names.
"""

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from bench.citation_case import Case, pieces
from bench.citation_cases import RIGHT, candidates
from bench.citation_tables import RIGHT_TABLES, tables
from bench.corpora import read_texts
from bench.pdfs import pdfs_asked_about
from loaders import load

RIGHT_DOCUMENTS = ("document_told", "asked_document_told", "year_told")
_NAME = re.compile(r"[\u4e00-\u9fff]{3,10}")
_REPORT = re.compile(r"(?P<year>20\d\d)\s*年\s*(?:第[一三]季度|半?年度)\s*报\s*告")
_ABOUT = "请介绍一下{}的情况。"
_BACK, _BEGIN, _MOST = 4, 300, 60


@dataclass(frozen=True)
class Document:
    """What a document is called, how it begins, and its passages."""

    name: str
    opening: str
    passages: tuple[str, ...]


def read_reports(data: Path) -> list[Document]:
    """The PDFs that are asked about."""
    read = ((path, [page.text for page in load(path).pages]) for path in pdfs_asked_about(data))
    return [
        Document(path.stem, "".join(pages)[:_BEGIN], tuple(piece for page in pages for piece in pieces(page)))
        for path, pages in read
    ]


def read_articles(data: Path, corpus: str) -> list[Document]:
    """The passages of a corpus by the titles that they share."""
    found: dict[str, list[str]] = defaultdict(list)
    for text in read_texts(data, corpus):
        found[text.title] += pieces(text.text)
    return [Document(title, title, tuple(passages)) for title, passages in found.items() if title]


def of_another(found: Sequence[Document], chance: random.Random) -> Iterator[Case]:
    """What one document says told of the next that is called alike, passage by passage."""
    named = sorted((one for one in found if _NAME.fullmatch(one.name)), key=lambda one: one.name[::-1])
    pairs = [(own, other, passage) for own, other in pairwise(named) for passage in own.passages]
    chance.shuffle(pairs)
    for own, other, passage in pairs:
        beside = chance.choice(other.passages)
        stated = [text for text in candidates(passage) if other.name not in text]
        if not stated or own.name in other.name or any(own.name in text for text in other.passages):
            continue
        named_so = [text for text in stated if own.name in text]
        text = chance.choice(named_so or stated)
        text = RIGHT[chance.choice(("turned", "reworded"))](text, chance) or text
        is_named, about = own.name in text, text.replace(own.name, other.name)
        made = Case(text, passage, "", "", own.opening, beside, other.opening)
        if is_named:
            yield replace(made, kind="document_told")
            yield replace(made, kind="document", sentence=about)
        else:
            yield replace(made, kind="asked_document_told", question=_ABOUT.format(own.name))
            yield replace(made, kind="asked_document", question=_ABOUT.format(other.name))


def of_another_year(found: Sequence[Document], chance: random.Random) -> Iterator[Case]:
    """Figures of a report's tables as those of its year, and of one that it does not tell of."""
    for report in found:
        told = _REPORT.search(re.sub(r"\s", "", report.opening))
        for case in tables(report.passages, _MOST, chance) if told else ():
            if case.kind in RIGHT_TABLES and case.question:
                year = int(told["year"]) if told else 0
                for kind, of in {"year_told": year, "year": year - _BACK}.items():
                    yield replace(case, kind=kind, question=f"{of}年{case.question}", opening=report.opening)
