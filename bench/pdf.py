"""The hand-written questions over real PDFs, as far as the search goes: does the page that answers come first.

Each is asked as it is, once in each way in which a reader names its document, those of `titles.toml` or by its file's
name, and misspelt.
"""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.answers import SESSION, upload
from bench.harness import Outcome, figure, fresh_services, read_jsonl
from bench.misspelling import misspelt
from bench.pdfs import gold_pages
from rag.knowledge.base import SHARED_COLLECTION
from rag.language.place import named_place
from rag.retrieval import Retrieval
from rag.types import Hit

_DEPTHS = (1, 3, 5)
_CHUNKS = 20
_MISSPELT = 3
_TITLES = Path(__file__).with_name("titles.toml")
_BY_FILE = ("《{name}》中，{{}}", "{name}里{{}}")
Row = dict[str, Any]


def measure(data: Path) -> Outcome:
    """Share of answerable questions whose page is among the first 1, 3 and 5 passages; relevance of both kinds."""
    questions = read_jsonl(data / "pdf" / "qa.jsonl")
    titles: Mapping[str, Sequence[str]] = tomllib.loads(_TITLES.read_text("utf-8"))
    with fresh_services(may_keep=True) as (services, _):
        services.ingest.start()
        upload(services, data, {question["file"] for question in questions})
        rows = [_row(services.retrieval, question, "{}") for question in questions]
        named = [
            _row(services.retrieval, question, form)
            for question in questions
            for form in titles.get(question["file"]) or _by_file(question["file"])
            if question["answerable"]
        ]
        wrong = [
            _row(services.retrieval, {**question, "question": asked}, "{}") | {"form": "misspelt"}
            for question in questions
            for asked in misspelt(question["question"], _MISSPELT)
            if question["answerable"]
        ]
    asked = [row for row in rows if row["answerable"]]
    silent = [row for row in rows if not row["answerable"]]
    figures = _places("", asked) | _places("_named", named) | _places("_misspelt", wrong)
    figures |= figure("refused_when_silent", [row["refused"] for row in silent])
    return Outcome(figures, [*rows, *named, *wrong])


def _row(retrieval: Retrieval, question: Row, form: str) -> Row:
    """The place of the page that answers a question, in some form, and whether it was refused."""
    asked, collections = form.format(question["question"]), [SESSION, SHARED_COLLECTION]
    result = retrieval.find([asked], collections, limit=_CHUNKS, place=named_place(asked))
    hits = result.hits or result.nearest
    gold = [(question["file"], page) for page in gold_pages(question)]
    stand = [_pages(hit) for hit in hits]
    place = next((place for place, pages in enumerate(stand, start=1) if pages.intersection(gold)), 0)
    row = {"id": question["id"], "form": form, "answerable": question["answerable"], "place": place}
    relevance = max((hit.relevance or 0 for hit in hits), default=0)
    return {**row, "refused": not result.hits, "relevance": relevance}


def _by_file(file: str) -> list[str]:
    name = Path(file).stem.replace("{", "{{").replace("}", "}}")
    return [form.format(name=name) for form in _BY_FILE]


def _places(suffix: str, rows: Sequence[Row]) -> dict[str, float]:
    figures: dict[str, float] = {}
    for depth in _DEPTHS:
        figures |= figure(f"page_in_top_{depth}{suffix}", [0 < row["place"] <= depth for row in rows])
    return figures | figure(f"refused_though_answerable{suffix}", [row["refused"] for row in rows])


def _pages(hit: Hit) -> set[tuple[str, int]]:
    """The pages that a passage stands on."""
    passage = hit.chunk.passage
    return {(hit.chunk.document_name, page) for page in range(passage.page, passage.last_page + 1)}
