"""The hand-written questions over real PDFs, as far as the search goes: does the page that answers come first."""

from pathlib import Path
from typing import Any

from bench.answers import SESSION, upload
from bench.harness import Outcome, fresh_services, read_jsonl
from rag.knowledge.base import SHARED_COLLECTION
from rag.language.place import named_place
from rag.types import Hit

_DEPTHS = (1, 3, 5)
_CHUNKS = 20


def measure(data: Path) -> Outcome:
    """Share of answerable questions whose page is among the first 1, 3 and 5 passages; relevance of both kinds."""
    questions: list[dict[str, Any]] = [dict(row) for row in read_jsonl(data / "pdf" / "qa.jsonl")]
    with fresh_services(may_keep=True) as (services, _):
        services.ingest.start()
        upload(services, data, {question["file"] for question in questions})
        rows: list[dict[str, Any]] = []
        for question in questions:
            asked, collections = question["question"], [SESSION, SHARED_COLLECTION]
            result = services.retrieval.find([asked], collections, limit=_CHUNKS, place=named_place(asked))
            hits = result.hits or result.nearest
            gold = [(question["file"], page) for page in question["evidence_pages"]]
            stand = [_pages(hit) for hit in hits]
            place = next((place for place, pages in enumerate(stand, start=1) if pages.intersection(gold)), 0)
            row = {"id": question["id"], "answerable": question["answerable"], "place": place}
            rows.append(
                {**row, "refused": not result.hits, "relevance": max((hit.relevance or 0 for hit in hits), default=0)}
            )
    asked = [row for row in rows if row["answerable"]]
    silent = [row for row in rows if not row["answerable"]]
    figures = {
        f"page_in_top_{depth}": sum(0 < row["place"] <= depth for row in asked) / len(asked) for depth in _DEPTHS
    }
    figures["refused_though_answerable"] = sum(row["refused"] for row in asked) / len(asked)
    figures["refused_when_silent"] = sum(row["refused"] for row in silent) / len(silent)
    return Outcome(figures, rows)


def _pages(hit: Hit) -> set[tuple[str, int]]:
    """The pages that a passage stands on."""
    passage = hit.chunk.passage
    return {(hit.chunk.document_name, page) for page in range(passage.page, passage.last_page + 1)}
