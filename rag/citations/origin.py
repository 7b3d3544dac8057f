"""Which passage a sentence was taken from that cites none, or one that does not bear it out; and a whole answer."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from rag.citations.checks import CLEAR, contradiction
from rag.citations.claim import Claim
from rag.citations.plain import HAN_PAIR, Plain, plain
from rag.citations.sentences import Sentence, cited_numbers, sentences
from rag.citations.source import Source, coverage, documents_of
from rag.citations.statements import addresses, announces, has_its_own, says_nothing_is_known
from rag.citations.tables import SUM, Table, are_alike
from rag.citations.wrong_names import names_beside
from rag.types import Evidence

# The most passages that are cited together behind an answer: with more, nobody can tell which sentence is from where.
_MOST_NAMED = 3
# The longest answer that is looked through: that takes some tenths of a second, for which the answer's end waits.
_LONGEST = 1000
# With fewer terms a sentence is too short to tell which passage it is from.
_FEWEST_TO_BE_FOUND = 5
# The share of a sentence that its passage has in one place: somewhere a passage has some words of any sentence.
_LEAST_TOGETHER = 0.5
# A passage may have one term of a sentence that its question has not by chance.
_FEWEST_OWN_TERMS = 2
# The digits of a number that stands in one passage alone, as that of a case, an account or an invoice does.
_TELLING_DIGITS = 6
_TELLING_ABROAD = 3
# From here on a number without a unit is that of an extension or a room, and no count.
_TELLING_NUMBER = 100
_BEFORE_A_NAME = re.compile("^[由是为找叫问归请](?=.{2})")


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
    claims = [Claim.of(sentence.text, asked, answer[: sentence.start], documents) for sentence in found]
    telling = [place for place, claim in enumerate(claims) if _tells(found[place], claim)]
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
        whole = whole if whole and _may_be_meant(claim, sources[whole]) else None
    if whole is not None:
        return (whole,)
    clauses = claim.text.clauses
    parts = [source_of(replace(claim, text=clause), sources) for clause in clauses] if len(clauses) > 1 else []
    return tuple(part for part in parts if part is not None) if None not in parts else ()


def _tells(sentence: Sentence, claim: Claim) -> bool:
    """Whether a sentence says something that a passage must bear out; "不能。" only answers."""
    if sentence.is_heading or announces(sentence.text):
        return False
    if addresses(claim.text.text):
        return has_its_own(claim)
    return has_its_own(claim) or len(claim.text.terms) >= _FEWEST_TO_BE_FOUND or any(map(str.isascii, claim.own_terms))


def _ends_with(answer: str, found: Sequence[Sentence], place: int) -> bool:
    """Whether an answer ends with the sentence at a place, and in prose: behind a table or formula none shows."""
    row_or_formula = answer.splitlines()[-1].lstrip().startswith("|") or answer.endswith("\\]")
    return place == len(found) - 1 and found[place].end == len(answer) and not row_or_formula


def clearly_from(claim: Claim, sources: Mapping[int, Source]) -> int | None:
    """The passage that has nearly all of a sentence; None for one that is too short."""
    if len(claim.text.terms) < _FEWEST_TO_BE_FOUND:
        return None
    return next(_bearing_out(claim, sources, CLEAR, claim.text), None)


def source_of(claim: Claim, sources: Mapping[int, Source]) -> int | None:
    """The passage that has most of a sentence, of equal ones the first; what is too short is found by its question."""
    is_long = len(claim.text.terms) >= _FEWEST_TO_BE_FOUND or len(claim.own_terms) >= _FEWEST_OWN_TERMS
    wanted = claim.text if is_long or claim.only_answers else plain(f"{claim.asked.text}\n{claim.text.text}")
    found = _bearing_out(claim, sources, _LEAST_TOGETHER, wanted)
    proven = (number for number in found if _proves(sources[number], claim))
    return next(proven, None) or _only_with_its_name(claim, sources)


def _only_with_its_name(claim: Claim, sources: Mapping[int, Source]) -> int | None:
    """The one passage that has a name which a sentence tells beside its question: 分机8321是罗敏."""
    names = [_BEFORE_A_NAME.sub("", name) for name in names_beside(claim.text, [claim.asked], claim.asked.folded)]
    held = [number for number, source in sources.items() if names and all(name in source.text.folded for name in names)]
    if len(held) != 1 or not _is_asked_of(claim, sources[held[0]], lambda told: names[0] in told.folded):
        return None
    return held[0] if contradiction(claim, [sources[held[0]]]) is None else None


def _bearing_out(claim: Claim, sources: Mapping[int, Source], least: float, wanted: Plain) -> Iterator[int]:
    """The passages that have at least such a share of a text together and nothing against the claim, the most first."""
    shares = {number: coverage(wanted.clauses, [source]) for number, source in sources.items()}
    for number in sorted(shares, key=lambda number: -shares[number]):
        if shares[number] < least:
            return
        if contradiction(claim, [sources[number]]) is None:
            yield number


def only_with_its_numbers(claim: Claim, sources: Mapping[int, Source]) -> int | None:
    """The one passage with all numbers of a sentence that says little else, as 两年 does; None if there are several.

    The numbers are measures, or have so many digits that no other passage has them by chance. Of a passage in another
    language only the numbers can be compared, so there a sentence may say more.
    """
    own = claim.own_numbers
    found = [number for number, source in sources.items() if own and all(map(source.text.has, own))]
    if len(found) != 1:
        return None
    source = sources[found[0]]
    is_foreign = claim.text.is_foreign_to(source.text)
    digits = _TELLING_ABROAD if is_foreign else _TELLING_DIGITS
    if not all(number.unit or sum(map(str.isdigit, number.written)) >= digits for number in own):
        return None
    # It may call the document by its name.
    named = source.called.vocabulary | source.titles.vocabulary
    says_little = len(claim.own_terms - named) <= _FEWEST_OWN_TERMS
    if not is_foreign and not (says_little and _is_asked_of(claim, source, lambda told: any(map(told.has, own)))):
        return None
    return found[0] if contradiction(claim, [source]) is None else None


def _may_be_meant(claim: Claim, source: Source) -> bool:
    """Whether the numbers of a claim that stand in tables are of a row and column that it or its question speaks of."""
    places = [
        _is_row_meant(table.rows[row], claim) and _is_column_meant(table, at, claim)
        for table in source.tables
        for own in claim.own_numbers
        for row, at in table.places(own)
    ]
    return not places or any(places)


def _is_row_meant(label: str, claim: Claim) -> bool:
    """Whether a row is spoken of; a sum is by many words: 总价."""
    return SUM.match(label) is not None or any(pair in claim.said for pair in HAN_PAIR.findall(label))


def _is_column_meant(table: Table, at: int, claim: Claim) -> bool:
    column = table.head_of(at)
    return column in claim.said or not any(are_alike(column, other) for other in table.columns)


def _is_asked_of(claim: Claim, source: Source, has: Callable[[Plain], bool]) -> bool:
    """Whether the sentence of a passage that has what is told speaks of what the question names, if anything.

    What is asked of a loan is not answered by somebody's revenue.
    """
    asked = claim.asked_about
    numbered = [number for number in claim.asked.numbers if number.value >= _TELLING_NUMBER]
    return any(
        len(asked & set(told.folded)) >= min(_FEWEST_OWN_TERMS, len(asked)) or any(map(told.has, numbered))
        for told in filter(has, source.text.sentences)
    )


def _proves(source: Source, claim: Claim) -> bool:
    """Whether a passage has of a sentence what the question does not say: a number, a Latin word, or several terms."""
    if any(map(source.text.has, claim.own_numbers)):
        return True
    together = (source.best_window(clause).text.vocabulary for clause in claim.text.clauses)
    held = frozenset[str]().union(*together) & claim.own_terms
    # A yes alone says no more than was asked: 有 to 有购物吗.
    if claim.only_answers:
        return bool(held)
    return len(held) >= _FEWEST_OWN_TERMS or any(term.isascii() for term in held)
