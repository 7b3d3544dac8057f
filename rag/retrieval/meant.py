"""Which documents a question means that names a place in them: by a name, a kind, or what the talk is about."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import PurePath
from types import MappingProxyType

from rag.knowledge.reading_order import PlacedDocument
from rag.language.folding import fold, fold_name
from rag.language.titles import reports_in_full
from rag.language.words import stands_in, terms
from rag.types import Place


def called(
    known: Sequence[PlacedDocument], place: Place, openings: Mapping[str, str] = MappingProxyType({})
) -> list[PlacedDocument]:
    """The documents that a question calls by a title or their name, or else those that one before it called so.

    Beside pages or a section it may ask for more than that. They may be called as they open.
    """
    names = names_of(known, openings)
    titled = [terms(fold(title)) for title in place.titles]
    return (
        [document for document, name in names.items() if any(has_all(name, title) for title in titled)]
        or [document for document, name in names.items() if has_all(name, place.about)]
        or (_nearest(names, place.about) if place.is_numbered else [])
        or _nearest(names_of(known, {}), place.formerly)
    )


def pointed_to(
    known: Sequence[PlacedDocument], place: Place, openings: Mapping[str, str]
) -> tuple[list[PlacedDocument], list[PlacedDocument]]:
    """The document that the talk is about, if a question may point to it, and all of the kind that it points to.

    这份文件 may be any; 这份合同 is that of the talk unless only others are called so, 这份租赁合同 if it is called so.
    """
    kind = place.kind
    names = {document: reports_in_full(name) for document, name in names_of(known, openings).items()}
    needed = (kind.said or kind.terms) if kind else ()
    called_so = {document: name for document, name in names.items() if any(stands_in(term, name) for term in needed)}
    of_kind = _nearest(called_so, kind.terms if kind else ())
    may_be = of_kind or ([] if kind and kind.said and not place.is_numbered else known)
    spoken_of = [document for document in may_be if document.document_id == place.spoken_of]
    return spoken_of if place.is_numbered or place.of_itself or kind else [], of_kind


def names_of(known: Collection[PlacedDocument], openings: Mapping[str, str]) -> dict[PlacedDocument, str]:
    """What each document is called: by its file, and as it opens."""
    stems = {document: PurePath(document.name).stem.lower() for document in known}
    return {
        document: f"{stem}\n{fold_name(openings.get(document.document_id, ''))}" for document, stem in stems.items()
    }


def has_all(name: str, asked: Sequence[str]) -> bool:
    """Whether a name has all terms that are asked for, one at least."""
    return bool(asked) and all(stands_in(term, name) for term in asked)


def _nearest(names: Mapping[PlacedDocument, str], asked: Sequence[str]) -> list[PlacedDocument]:
    """The documents with any of the terms that are asked for, less those of which another has these and more.

    A 劳动合同法 gives way to 李四的合同; to a 工资标准 it does not.
    """
    having = {document: {term for term in asked if stands_in(term, name)} for document, name in names.items()}
    return [document for document, own in having.items() if own and not any(own < other for other in having.values())]


def own_or_shared(known: Sequence[PlacedDocument]) -> Sequence[PlacedDocument]:
    """The documents but for shared ones, which are meant only where there are no others."""
    return [document for document in known if not document.is_shared] or known
