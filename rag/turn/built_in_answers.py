"""Answers of the program itself: that there is none, and what no model knows: which files there are, which page."""

from collections.abc import Sequence
from functools import partial

from rag import i18n
from rag.citations import cited_by
from rag.decision.rules import ABILITIES
from rag.knowledge.reading_order import PlacedDocument
from rag.page_names import page_count, page_name
from rag.quoting import by_each, nearest_quote
from rag.transcript import Transcript
from rag.turn.context import TurnContext
from rag.turn.draft import Draft
from rag.turn.references import is_used
from rag.types import DocumentStatus, Evidence, Message, Scope

# Reasons of such turns, beside those that ask for the abilities.
ABOUT_FILES, TOO_EARLY, ITS_PAGE = "decision.about_files", "decision.too_early", "decision.its_page"
# More than these fill the conversation; the files' tab shows them all.
_MOST_LISTED = 30


def too_early(document: PlacedDocument) -> Message:
    """Why a question about a document that is not read yet is not searched for."""
    return Message(TOO_EARLY, {"name": _name(document), "status": str(document.status)})


def still_coming(documents: Sequence[PlacedDocument], language: i18n.Language) -> str:
    """The answer where nothing was found, but some documents are not read yet."""
    names = i18n.text(language, "own_answer.between").join(map(_name, documents[:_MOST_LISTED]))
    state = i18n.text(language, f"own_answer.{documents[0].status}")
    return i18n.text(language, "own_answer.still_coming", names=names, state=state)


def is_told_by_the_program(reason: Message) -> bool:
    """Whether the program answers a turn itself that was decided for this reason."""
    return reason.key in (ABILITIES, ABOUT_FILES, TOO_EARLY, ITS_PAGE)


def built_in_answer(draft: Draft, context: TurnContext) -> str:
    """The program's own answer to a turn; empty where a model is to give one. Raises StoreError."""
    if draft.reason is None:
        return ""
    language, key, values = context.language, draft.reason.key, draft.reason.values
    if key == ABILITIES:
        return i18n.text(language, "own_answer.abilities").strip()
    if key == TOO_EARLY:
        state = i18n.text(language, f"own_answer.{values['status']}")
        return i18n.text(language, "own_answer.too_early", name=values["name"], state=state)
    if key == ABOUT_FILES:
        return _listed(context.retrieval.documents(context.collections), draft.usual_scope, language)
    return _pages(cited_last(context.transcript), language) if key == ITS_PAGE else ""


def refusal(draft: Draft, context: TurnContext) -> str:
    """The answer where the search found nothing relevant. Raises StoreError."""
    near, prompts = nearest(draft, context), context.transcript.prompts
    told = prompts.said("refusal", context.language)
    return f"{told}\n\n{near}" if near and prompts.is_own("refusal") else near or told


def nearest(draft: Draft, context: TurnContext) -> str:
    """That there is no direct answer, with a quotation of what comes nearest; "" where nothing is nearly relevant.

    Raises StoreError.
    """
    # What is in hand was found by another of its chunks.
    near = [item for item in draft.evidence if item.relevant or not draft.nearly_relevant.isdisjoint(item.chunks)]
    if draft.place_read or not near:
        return ""
    similarities = partial(context.retrieval.knowledge.similarities, collections=context.collections)
    quote = nearest_quote(draft.whole_question, near, by_each(draft.phrasings, similarities))
    return i18n.text(context.language, "own_answer.nearest", quote=quote)


def cited_last(transcript: Transcript) -> tuple[Evidence, ...]:
    """The passages that the last answer cites, or that the program found it to be from."""
    last = transcript.turns[-1] if transcript.turns else None
    sources = {item.number: item for item in last.sources} if last else {}
    return tuple(sources[number] for number in cited_by(last) if number in sources) if last else ()


def _pages(cited: Sequence[Evidence], language: i18n.Language) -> str:
    places = (
        (item.document_name, page_name(item.document_name, item.page, "", language, item.last_page)) for item in cited
    )
    return "\n".join(f"- {_as_code(name)} {page}" for name, page in dict.fromkeys(places))


def _listed(known: Sequence[PlacedDocument], scope: Scope, language: i18n.Language) -> str:
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


def _facts(document: PlacedDocument, scope: Scope) -> list[Message]:
    facts = [page_count(document.name, document.pages)] if document.pages else []
    if document.is_coming or document.status is DocumentStatus.FAILED:
        facts.append(Message(f"own_answer.{document.status}"))
    elif not is_used(document, scope):
        facts.append(Message("own_answer.unused"))
    return facts


def _name(document: PlacedDocument) -> str:
    return _as_code(document.name)


def _as_code(name: str) -> str:
    """A name as code: what stands in it is neither emphasis nor a marker."""
    return "`{}`".format(name.replace("`", "'"))
