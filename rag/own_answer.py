"""What the program answers itself: which files there are, and what can be done here. A model knows neither."""

from collections.abc import Sequence
from functools import partial

from rag import i18n
from rag.decision.base import Verdict
from rag.decision.rules import plain_case
from rag.draft import Draft
from rag.knowledge.reading_order import PlacedDocument
from rag.language.own import about_abilities, about_files
from rag.turn_context import TurnContext
from rag.types import Decision, DocumentStatus, Message, Scope

# More than these fill the conversation; the files' tab shows them all.
_MOST_LISTED = 30
_NOT_READ = (DocumentStatus.QUEUED, DocumentStatus.READING, DocumentStatus.RECOGNISING, DocumentStatus.FAILED)


def clear_case(question: str, has_history: bool, in_hand: bool) -> Verdict | None:
    """The verdict where nothing needs weighing, also because the program answers the question itself."""
    if about_files(question):
        return Verdict(Decision.NO_RETRIEVE, Message("decision.about_files"), 0.95)
    if about_abilities(question):
        return Verdict(Decision.NO_RETRIEVE, Message("decision.about_me"), 0.95)
    return plain_case(question, has_history, in_hand)


def own_answer(draft: Draft, context: TurnContext) -> str:
    """The program's own answer to a turn; empty where a model is to give one. Raises StoreError."""
    if draft.decision is not Decision.NO_RETRIEVE:
        return ""
    language = i18n.Language.EN if draft.question.isascii() else i18n.Language.ZH
    if about_abilities(draft.question):
        return i18n.text(language, "own_answer.abilities").strip()
    if about_files(draft.question):
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
    if document.status in _NOT_READ:
        facts.append(Message(f"own_answer.{document.status}"))
    elif scope and scope.document_ids is not None and document.document_id not in scope.document_ids:
        facts.append(Message("own_answer.unused"))
    return facts


def _name(document: PlacedDocument) -> str:
    """A name as code: what stands in it is neither emphasis nor a marker."""
    return "`{}`".format(document.name.replace("`", "'"))
