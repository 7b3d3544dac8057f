"""Which passages an answer without markers was taken from."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rag.citations.checks import contradiction
from rag.citations.claim import Claim
from rag.citations.markers import cited_numbers
from rag.citations.origin import FEWEST_TO_BE_FOUND, may_be_meant, only_with_its_numbers, source_of
from rag.citations.sentences import Sentence, sentences
from rag.citations.source import Source, documents_of
from rag.citations.statements import addresses, announces, has_its_own, says_nothing_is_known
from rag.types import Evidence

# A marker at the end of an answer that was put together from more tells nobody where a sentence is from.
_MOST_NAMED = 3
# So many characters are looked through in some tenths of a second, for which the end of the answer waits.
_LONGEST = 1000


def sources_of(answer: str, evidence: Sequence[Evidence], questions: Sequence[str] = ()) -> tuple[int, ...]:
    """The numbers of the evidence that an answer without markers was taken from, in the order in which it uses them.

    None at all where a sentence that says something is from no passage, or a marker behind the answer would not be
    read as its last sentence's.
    """
    if len(answer) > _LONGEST or cited_numbers(answer) or says_nothing_is_known(answer):
        return ()
    sources = {item.number: Source.of(item) for item in evidence if item.relevant}
    asked, documents = "\n".join(questions), documents_of(sources.values())
    found = sentences(answer)
    claims = {
        place: Claim.of(sentence.text, asked, answer[: sentence.start], documents)
        for place, sentence in enumerate(found)
    }
    telling = [place for place, claim in claims.items() if _tells(found[place], claim)]
    if not telling or not _ends_with(answer, found, telling[-1]):
        return ()
    named: dict[int, None] = {}
    for place in telling:
        origins = _origins(claims[place], sources)
        if not origins:
            return ()
        named.update(dict.fromkeys(origins))
    if len(named) > _MOST_NAMED:
        return ()
    together = [sources[number] for number in named]
    return () if any(contradiction(claims[place], together) for place in telling) else tuple(named)


def _origins(claim: Claim, sources: Mapping[int, Source]) -> tuple[int, ...]:
    """The passage that a sentence was taken from, or that of each of its clauses; none where one of them is from none.

    What is compared stands in two passages: 甲的收入是…，乙的收入是….
    """
    whole = source_of(claim, sources)
    if whole is None:
        whole = only_with_its_numbers(claim, sources)
        whole = whole if whole and may_be_meant(claim, sources[whole]) else None
    if whole is not None:
        return (whole,)
    parts = [source_of(replace(claim, text=clause), sources) for clause in claim.clauses if len(claim.clauses) > 1]
    return tuple(part for part in parts if part is not None) if None not in parts else ()


def _tells(sentence: Sentence, claim: Claim) -> bool:
    """Whether a sentence says something that a passage must bear out; "不能。" only answers."""
    if sentence.is_heading or announces(sentence.text):
        return False
    if addresses(claim.text.text):
        return has_its_own(claim)
    return has_its_own(claim) or len(claim.text.terms) >= FEWEST_TO_BE_FOUND or any(map(str.isascii, claim.own_terms))


def _ends_with(answer: str, found: Sequence[Sentence], place: int) -> bool:
    """Whether an answer ends with the sentence at a place, and in prose: behind a table or formula none shows."""
    row_or_formula = answer.splitlines()[-1].lstrip().startswith("|") or answer.endswith("\\]")
    return place == len(found) - 1 and found[place].end == len(answer) and not row_or_formula
