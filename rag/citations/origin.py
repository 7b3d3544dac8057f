"""Which passages an answer that names none was clearly taken from."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

from rag.citations.checks import FEWEST_TO_BE_FOUND, bearing_out, contradiction
from rag.citations.claim import Claim
from rag.citations.markers import cited_numbers
from rag.citations.plain import plain
from rag.citations.sentences import Sentence, sentences
from rag.citations.source import Source, documents_of
from rag.citations.statements import addresses, announces, has_its_own, says_nothing_is_known
from rag.citations.tables import labelled
from rag.language.words import terms
from rag.types import Evidence

# A marker at the end of an answer that was put together from more tells nobody where a sentence is from.
_MOST_NAMED = 3
# So many characters are looked through in some tenths of a second, for which the end of the answer waits.
_LONGEST = 1000
# A sentence was taken from a passage that has half of it in one place: the whole passage has words of every sentence.
_LEAST_TOGETHER = 0.5
# Of 多少钱一个人 these tell nothing.
_COUNTS = frozenset("一二两三四五六七八九十几个位名人只条件项次家份钱")
# One term that a passage shares with a sentence, but not with the question, may be chance.
_FEWEST_OWN_TERMS = 2
# A number of a case, an account or an invoice is longer than most that are counted.
_TELLING_DIGITS = 6
_TELLING_ABROAD = 3


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
        abroad = {number: source for number, source in sources.items() if claim.text.is_foreign_to(source.text)}
        whole = only_with_its_numbers(claim, abroad)
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


def source_of(claim: Claim, sources: Mapping[int, Source]) -> int | None:
    """The passage that has most of a sentence, of equal ones the first; what is too short is told by its question."""
    alone = len(claim.text.terms) >= FEWEST_TO_BE_FOUND or len(claim.own_terms) >= _FEWEST_OWN_TERMS
    located = (
        None if alone or claim.only_answers else replace(claim, text=plain(f"{claim.asked.text}\n{claim.text.text}"))
    )
    found = bearing_out(claim, sources, _LEAST_TOGETHER, located)
    proven = (number for number in found if _proves(sources[number], claim))
    # A row of a table has little of a sentence beside the label and the figure.
    rows = (number for number, source in sources.items() if _has_rows(source, claim))
    return next(chain(proven, (number for number in rows if contradiction(claim, [sources[number]]) is None)), None)


def only_with_its_numbers(claim: Claim, sources: Mapping[int, Source]) -> int | None:
    """The one passage that has all numbers of a sentence that tells hardly more than these, if only one does: 两年.

    Or that tells more in another language.
    They are measures, or of so many digits that no other passage has them by chance.
    """
    own = claim.own_numbers
    found = [number for number, source in sources.items() if own and all(map(source.text.has, own))]
    if len(found) != 1:
        return None
    # Of a passage in another language nothing but the numbers can be compared.
    is_foreign = claim.text.is_foreign_to(sources[found[0]].text)
    digits = _TELLING_ABROAD if is_foreign else _TELLING_DIGITS
    tell = all(number.unit or sum(map(str.isdigit, number.written)) >= digits for number in own)
    tells_more = len(claim.own_terms) > _FEWEST_OWN_TERMS or not _is_asked_of(claim, sources[found[0]])
    if not tell or (tells_more and not is_foreign):
        return None
    return found[0] if contradiction(claim, [sources[found[0]]]) is None else None


def _is_asked_of(claim: Claim, source: Source) -> bool:
    """Whether the sentence of a passage with a number of the claim speaks of what the question names, if anything.

    What is asked of a loan is not answered by somebody's revenue.
    """
    asked = set("".join(terms(claim.asked.text))) - _COUNTS
    told = (told for told in source.text.sentences() if any(map(told.has, claim.own_numbers)))
    return any(len(asked & set(sentence.folded)) >= min(_FEWEST_OWN_TERMS, len(asked)) for sentence in told)


def _proves(source: Source, claim: Claim) -> bool:
    """Whether a passage has of a sentence what the question does not say: a number, a Latin word, or several terms."""
    if any(map(source.text.has, claim.own_numbers)):
        return True
    held = {term for clause in claim.clauses for term in source.best_window(clause).text.vocabulary} & claim.own_terms
    # A yes alone says no more than was asked: 有 to 有购物吗.
    if claim.only_answers:
        return bool(held)
    return len(held) >= _FEWEST_OWN_TERMS or any(term.isascii() for term in held)


def _has_rows(source: Source, claim: Claim) -> bool:
    """Whether a passage's tables have each number of a sentence in a row whose label it or its question says."""
    told = [number for label, number in labelled(source.tables) if label in claim.said]
    return bool(claim.own_numbers) and all(any(own.agrees(number) for number in told) for own in claim.own_numbers)
