"""What of a document can be searched, and whether it is found, in words and as a small bar. Pure functions."""

from datetime import tzinfo

from rag.i18n import Language
from rag.page_names import page_count
from rag.types import READABLE, Document, DocumentStatus, PageHealth, RetrievalCheck
from rag.web.markup import as_html, bar, said

# A question that keeps two thirds of a sentence's words finds it nearly always: below this, something is broken.
_BROKEN = 0.5
# With less than this, a reader should know what it means.
_LOW = 0.8


def health(document: Document, language: Language, waiting: int = 0) -> str:
    """The pages by what their text is worth: a bar, and the same in words.

    `waiting` of them are still to be recognised; what the others without text are is told when that is done.
    """
    counts = {str(kind): getattr(document, f"{kind}_pages") for kind in PageHealth}
    total = sum(counts.values())
    if not total:
        return ""
    if waiting:
        counts = {kind: counts[kind] for kind in READABLE} | {"waiting": waiting}
    told = {
        kind: said(language, f"health.{kind}", count=count, pages=page_count(document.name, count))
        for kind, count in counts.items()
        if count
    }
    words = " ".join(
        f"<span>{word}</span>" if kind in (*READABLE, "waiting") else f'<em class="doubt">{word}</em>'
        for kind, word in told.items()
    )
    kinds = "".join(
        f'<i class="{kind}" style="width:{count / total:.2%}"></i>' for kind, count in counts.items() if count
    )
    return f'<span class="pages-bar" aria-hidden="true">{kinds}</span><span class="tally">{words}</span>'


def is_filling(document: Document) -> bool:
    """Whether vectors are still to come: what a check says of their route and of both together means nothing yet."""
    return document.status is DocumentStatus.EMBEDDING and document.message is None


def broken_routes(check: RetrievalCheck, filling: bool = False) -> tuple[str, ...]:
    """The routes that find less than half of what they should: `dense`, `sparse`."""
    if not check.questions:
        return ()
    found = {"dense": None if filling else check.dense, "sparse": check.sparse}
    return tuple(name for name, hits in found.items() if hits is not None and hits / check.questions < _BROKEN)


def is_low(check: RetrievalCheck) -> bool:
    """Whether more sentences than usual were not found again, though no route is broken."""
    return bool(check.questions) and not broken_routes(check) and check.fused / check.questions < _LOW


def verdict(check: RetrievalCheck, language: Language, filling: bool = False) -> str:
    """A check in a few words."""
    broken = broken_routes(check, filling)
    if broken:
        return said(language, f"check.broken_{broken[0] if len(broken) == 1 else 'both'}")
    if not check.questions:
        return said(language, "check.no_sentence")
    key = "check.low" if is_low(check) and not filling else "check.good"
    return said(language, key, found=check.fused, count=check.questions)


def check_in_full(
    check: RetrievalCheck, language: Language, zone: tzinfo | None = None, *, filling: bool = False
) -> str:
    """A check with each route's share, what it means, and what to do about a route that is broken."""
    if not check.questions:
        return f'<p class="quiet">{said(language, "check.no_sentence")}</p>'
    rows = "".join(
        _route(name, hits, check.questions, language)
        for name, hits in (("dense", check.dense), ("sparse", check.sparse), ("fused", check.fused))
    )
    advice = [f"do_{name}" for name in broken_routes(check, filling)]
    if filling or is_low(check):
        advice.append("is_filling" if filling else "is_low")
    notices = "".join(f'<p class="notice"><span>{said(language, f"check.{key}")}</span></p>' for key in advice)
    reason = f'<p class="quiet">{as_html(language, check.note)}</p>' if check.note else ""
    moment = f"{check.checked_at.astimezone(zone):%Y-%m-%d %H:%M}"
    how = said(language, "check.how", count=check.questions, among=check.among, moment=moment)
    return f'<dl class="routes">{rows}</dl>{notices}{reason}<p class="quiet">{how}</p>'


def _route(name: str, hits: int | None, questions: int, language: Language) -> str:
    label = said(language, f"check.{name}")
    if hits is None:
        return f"<dt>{label}</dt><dd>{said(language, 'check.off')}</dd>"
    share = hits / questions
    doubt = ' class="doubt"' if share < _BROKEN else ""
    return f"<dt>{label}</dt><dd{doubt}>{bar(share)}<b>{share:.0%}</b> <small>{hits} / {questions}</small></dd>"
