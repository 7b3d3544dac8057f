"""What the program answers itself: which files there are, which cannot be asked yet, and what can be done here.

A model knows none of it.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from rag import i18n
from rag.decision.base import Verdict
from rag.decision.rules import ABILITIES, plain_case
from rag.knowledge.reading_order import PlacedDocument
from rag.language.own import about_files
from rag.language.place import named_place
from rag.language.whole import points_to_document
from rag.retrieval.meant import called
from rag.turn.context import TurnContext
from rag.turn.draft import Draft
from rag.types import Decision, DocumentStatus, Message, Scope

# More than these fill the conversation; the files' tab shows them all.
_MOST_LISTED = 30
_ABOUT_FILES, _TOO_EARLY = "decision.about_files", "decision.too_early"
TOLD_BY_THE_PROGRAM = frozenset({ABILITIES, _ABOUT_FILES, _TOO_EARLY})


def clear_case(draft: Draft, context: TurnContext, told: Sequence[str], in_hand: bool) -> Verdict | None:
    """The verdict where nothing needs weighing, also because the program answers itself. Raises StoreError.

    `told` is what the reader said before. Where the question means one document, the turn may use no other.
    """
    if about_files(draft.question):
        return Verdict(Decision.NO_RETRIEVE, Message(_ABOUT_FILES), 0.95)
    meant = _meant(draft, context, bool(told))
    if meant and meant.is_coming:
        coming = {"name": _name(meant), "status": str(meant.status)}
        return Verdict(Decision.NO_RETRIEVE, Message(_TOO_EARLY, coming), 0.95)
    if meant:
        draft.scope = replace(draft.scope or Scope(), document_ids=frozenset({meant.document_id}))
        return Verdict(Decision.RETRIEVE, Message("decision.names_place"), 0.95)
    return plain_case(draft.question, bool(told), in_hand, told)


def _meant(draft: Draft, context: TurnContext, has_history: bool) -> PlacedDocument | None:
    """The reader's document that a question means, if it came after the last answer from any or cannot be asked yet.

    No other should answer then. 这份文件 means the newest; where it may as well be another, those that are read answer.
    """
    place, points = named_place(draft.question, alone=not has_history), points_to_document(draft.question)
    if draft.options.documents is not None or not (place or points):
        return None
    own = [document for document in context.retrieval.documents(context.collections) if not document.is_shared]
    coming = [document for document in own if document.is_coming]
    if place and place.says_of_which and (by_name := called(own, place)):
        return by_name[0] if by_name[0].is_coming else None
    answered = max((turn.asked_at for turn in draft.path if turn.sources), default=None)
    fresh = [document for document in own if answered is None or document.created_at > answered]
    if points and fresh and (fresh[0].is_coming or (answered and len(fresh) == 1 and _is_used(fresh[0], draft.scope))):
        return fresh[0]
    return coming[0] if coming and place and not place.says_of_which and len(coming) == len(own) else None


def own_answer(draft: Draft, context: TurnContext) -> str:
    """The program's own answer to a turn; empty where a model is to give one. Raises StoreError."""
    if draft.reason is None:
        return ""
    language, key, values = context.language, draft.reason.key, draft.reason.values
    if key == ABILITIES:
        return i18n.text(language, "own_answer.abilities").strip()
    if key == _TOO_EARLY:
        state = i18n.text(language, f"own_answer.{values['status']}")
        return i18n.text(language, "own_answer.too_early", name=values["name"], state=state)
    if key == _ABOUT_FILES:
        return _listed(context.retrieval.documents(context.collections), draft.usual_scope, language)
    return ""


def _listed(known: Sequence[PlacedDocument], scope: Scope | None, language: i18n.Language) -> str:
    """The reader's own files, each with its pages and what keeps it from being used, and the sample."""
    told = partial(i18n.text, language)
    own = [document for document in known if not document.is_shared]
    samples = told("own_answer.between").join(_name(document) for document in known if document.is_shared)
    if not own:
        return "".join((told("own_answer.none"), told("own_answer.only_sample", names=samples) if samples else ""))
    lines = []
    for number, document in enumerate(own[:_MOST_LISTED], 1):
        facts = told("own_answer.between").join(i18n.sentence(language, fact) for fact in _facts(document, scope))
        key = "own_answer.file_told" if facts else "own_answer.file"
        lines.append(told(key, number=number, name=_name(document), facts=facts))
    rest, failed = len(own) - len(lines), sum(document.status is DocumentStatus.FAILED for document in own)
    heading = told("own_answer.failed_files" if failed else "own_answer.files", count=len(own) - failed, failed=failed)
    behind = [
        *([told("own_answer.more", count=rest)] if rest else []),
        *([told("own_answer.sample", names=samples)] if samples else []),
    ]
    return "\n\n".join([heading, "\n".join(lines), *behind])


def _facts(document: PlacedDocument, scope: Scope | None) -> list[Message]:
    facts = [Message("own_answer.pages", {"count": document.pages})] if document.pages else []
    if document.is_coming or document.status is DocumentStatus.FAILED:
        facts.append(Message(f"own_answer.{document.status}"))
    elif not _is_used(document, scope):
        facts.append(Message("own_answer.unused"))
    return facts


def _is_used(document: PlacedDocument, scope: Scope | None) -> bool:
    return scope is None or scope.document_ids is None or document.document_id in scope.document_ids


def _name(document: PlacedDocument) -> str:
    """A name as code: what stands in it is neither emphasis nor a marker."""
    return "`{}`".format(document.name.replace("`", "'"))
