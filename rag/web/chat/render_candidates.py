"""The passages that a search weighed, as a table: each route's rank, the fused one, the reranker's, and the end."""

from collections.abc import Sequence
from html import escape

from rag import i18n
from rag.i18n import Language
from rag.page_names import page_name
from rag.types import Candidate, Evidence, Turn, TurnTrace
from rag.web.chat.render_marks import cite_button
from rag.web.markup import as_html, bar, named, said

# From this rank on a cell is as pale as it gets.
_PALE_RANK = 10
# Less is shown as 0.0.
_LEAST_SHOWN = 0.05


def candidates(turn: Turn, language: Language) -> str:
    """What a turn's search came to, in its last order; empty where it did not search.

    What is read where the question points to is told in a note alone.
    """
    trace = turn.trace
    if not trace.found:
        return "".join(f"<p>{as_html(language, note)}</p>" for note in trace.notes)
    found = "".join(f"<span>{known_as(field, language)} <b>{count}</b></span>" for field, count in trace.found.items())
    notes = "".join(f'<p class="doubt">{as_html(language, note)}</p>' for note in trace.notes)
    return f'{notes}<p class="routes">{found}</p>{_table(turn, trace, language)}'


def known_as(name: str, language: Language, kind: str = "route") -> str:
    """A step, a column or a route as the reader knows it; of a field that has no name here, the field."""
    for key in (f"{kind}.{name}", f"route.{name}"):
        if f"web.{key}" in i18n.catalogue(language):
            return said(language, key)
    return escape(name)


def _table(turn: Turn, trace: TurnTrace, language: Language) -> str:
    if not trace.candidates:
        return f'<p class="quiet">{said(language, "trace.nothing")}</p>'
    ordered = sorted(trace.candidates, key=lambda item: item.reranked or item.fused)
    is_reranked = any(item.reranked for item in ordered)
    columns = [*trace.found, "fused", *(["reranked", "relevance"] if is_reranked else []), "outcome"]
    head = "".join(f'<th scope="col">{known_as(name, language, "column")}</th>' for name in ("passage", *columns))
    sources: dict[int | None, Evidence] = {item.chunk_id: item for item in turn.sources}
    rows = "".join(_row(item, sources.get(item.passage), columns, language) for item in ordered)
    title = said(language, "trace.table")
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{title}"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _row(item: Candidate, held: Evidence | None, columns: Sequence[str], language: Language) -> str:
    """A passage; `held` is the evidence that it is part of."""
    name = escape(item.document_name)
    heading = f" · {escape(held.heading_path[-1])}" if held and held.heading_path else ""
    where = f"{escape(page_name(item.document_name, item.page, item.page_label, language))}{heading}"
    head = f"<span>{name}</span><small>{where}</small>{_terms(item, language)}"
    cells = "".join(_cell(item, held, column, language) for column in columns)
    kind = "" if held and held.relevant else ' class="out"'
    return f'<tr{kind}><th scope="row" title="{name}">{head}</th>{cells}</tr>'


def _terms(item: Candidate, language: Language) -> str:
    """The words of the question that gave most to its score by words, and how much."""
    if not item.terms:
        return ""
    told = [f"{escape(term)} {gain:.1f}" for term, gain in item.terms.items()]
    if item.other_terms >= _LEAST_SHOWN:
        told.append(said(language, "trace.other_terms", gain=f"{item.other_terms:.1f}"))
    line = f"{said(language, 'trace.terms')} {' · '.join(told)}"
    return f'<small class="terms" title="{line}">{line}</small>'


def _cell(item: Candidate, held: Evidence | None, column: str, language: Language) -> str:
    match column:
        case "fused":
            return _rank(item.fused)
        case "reranked":
            return _rank(item.reranked, _moved(item, language))
        case "relevance":
            share = item.relevance
            return f"<td>{'–' if share is None else f'{bar(share)}<small>{share:.0%}</small>'}</td>"
        case "outcome":
            return f"<td>{_outcome(item, held, language)}</td>"
        case route:
            return _rank(item.ranks.get(route))


def _rank(rank: int | None, after: str = "") -> str:
    """A rank, the better the stronger its ground."""
    if rank is None:
        return '<td class="none">–</td>'
    share = max(0.0, (_PALE_RANK + 1 - rank) / _PALE_RANK)
    return f'<td class="rank" style="--share:{share:.0%}">{rank}{after}</td>'


def _moved(item: Candidate, language: Language) -> str:
    """How many places the reranker moved a passage up or down."""
    places = item.fused - (item.reranked or item.fused)
    if not places:
        return ""
    name, arrow = ("up", "↑") if places > 0 else ("down", "↓")
    label = said(language, f"trace.moved_{name}", places=abs(places))
    return f'<small class="{name}" {named(label)}>{arrow}{abs(places)}</small>'


def _outcome(item: Candidate, held: Evidence | None, language: Language) -> str:
    """Where a passage went: into the prompt under its number, or why it did not."""
    if held and held.relevant:
        is_copy = held.document_name != item.document_name
        label = said(language, "trace.copy" if is_copy else "trace.in_prompt", number=held.number)
        return cite_button(held.number, "cite", label)
    reason = "irrelevant" if not item.relevant else "beyond" if item.passage is None else "no_room"
    return f'<small class="reason">{said(language, f"outcome.{reason}")}</small>'
