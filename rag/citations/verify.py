"""Checks every sentence of an answer against the passages that it cites.

Pure: a turn holds all that is needed, so nothing is stored and a reloaded page shows the same.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from rag.citations.checks import contradiction, is_foreign
from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.origin import clearly_from, only_with_its_numbers, source_of
from rag.citations.sentences import CLAUSE, Sentence, cited_numbers, sentences
from rag.citations.source import Source, documents_of
from rag.citations.statements import announces, has_its_own, says_nothing_is_known, states
from rag.types import CheckedSentence, Decision, Evidence, Message, Support, Turn, Verification

# Nobody puts a sentence together from more.
_MOST_CLAUSES = 20
# The passages cited lack what the sentence says. It may stand in another: models miscount passages.
_LACKING = ("citation.number", "citation.other_matter", "citation.name", "citation.overlap", "citation.document")


def verify(turn: Turn) -> Verification:
    """The sentences of a turn's answer and whether its evidence bears them out."""
    return _verified(turn.answer, turn.sources, (turn.question, turn.generated_question), turn.decision)


# Asked by the thread, the sources beside it and every export: some 40 ms each for a long answer.
@lru_cache(maxsize=256)
def _verified(
    answer: str, evidence: tuple[Evidence, ...], questions: tuple[str, ...], decision: Decision
) -> Verification:
    checked = check(answer, evidence, questions, decision)
    if not any(item.relevant for item in evidence):
        return Verification(tuple(replace(sentence, is_bare=False) for sentence in checked))
    unsourced = bool(checked) and not any(
        sentence.numbers or sentence.support is not Support.UNMARKED for sentence in checked
    )
    return Verification(checked, unsourced and not says_nothing_is_known(answer))


def cited_by(turn: Turn) -> tuple[int, ...]:
    """The numbers that an answer cites, in its order, then those that the program has added."""
    added = (number for sentence in verify(turn).sentences for number in sentence.added)
    return tuple(dict.fromkeys((*cited_numbers(turn.answer), *added)))


def check(
    answer: str,
    evidence: Sequence[Evidence],
    questions: Iterable[str] = (),
    decision: Decision = Decision.RETRIEVE,
) -> tuple[CheckedSentence, ...]:
    """Each sentence of an answer.

    An answer did not make up what the `questions` say, nor one that sums up earlier answers what was asked then: the
    questions that the passages it cites were found for.
    """
    sources, sums_up = Source.of_each(evidence), decision is Decision.NO_RETRIEVE
    found_for = {item.number: item.found_for for item in evidence if sums_up}
    questions, documents = tuple(questions), documents_of(sources.values())
    checked: list[CheckedSentence] = []
    found = sentences(answer)
    led = _closing(found)
    for sentence in found:
        if sentence.numbers:
            # The marker of the sentence that announces a list covers its items.
            led = sentence.numbers if announces(sentence.text) else ()
        before = dict.fromkeys(found_for.get(number, "") for number in sentence.numbers)
        asked = "\n".join((*questions, *before))
        doubts = says_nothing_is_known(sentence.text)
        told = _told(sentence.text) if doubts else sentence.text
        claim = Claim.of(told, asked, answer[: sentence.start], documents)
        silent = doubts and not (sentence.numbers and has_its_own(claim))
        checked.append(_check(sentence, claim, sources, led, silent))
    return tuple(checked)


def _told(sentence: str) -> str:
    """What a sentence tells: 责任无法确定的，双方各承担50% knows of half, though not of the fault."""
    clauses = CLAUSE.findall(sentence)
    return "".join(clause for clause in clauses if not says_nothing_is_known(clause))


def _closing(found: Sequence[Sentence]) -> tuple[int, ...]:
    """The numbers behind the last sentence of an answer: where no other has any, they cover the whole of it."""
    marked = [sentence for sentence in found if sentence.numbers]
    return marked[0].numbers if marked and marked == [found[-1]] else ()


def _check(
    sentence: Sentence, claim: Claim, sources: dict[int, Source], led: Sequence[int], silent: bool
) -> CheckedSentence:
    numbers = tuple(number for number in sentence.numbers if number in sources)
    unknown = tuple(number for number in sentence.numbers if number not in sources)
    unmarked = CheckedSentence(sentence.start, sentence.end, Support.UNMARKED, numbers, doubtful=unknown)
    leads = announces(sentence.text)
    if silent or ((sentence.is_heading or leads) and not sentence.numbers):
        return unmarked
    cited = [sources[number] for number in numbers]
    # What comes nearest is quoted, and need not be what was asked for.
    is_quotation = sentence.is_quoted and cited and not Cited(claim, tuple(cited)).changed
    reason = contradiction(claim, cited) if cited and not is_quotation else None
    # A sentence that only announces has nothing to verify yet.
    if leads and (reason is None or reason.key == "citation.overlap"):
        return unmarked
    if cited and reason is None:
        return unmarked if is_foreign(claim, cited) else replace(unmarked, support=Support.SUPPORTED)
    others = {number: source for number, source in sources.items() if number not in numbers}
    clear = clearly_from(claim, others)
    if clear is None and sentence.numbers and (reason is None or reason.key in _LACKING):
        clear = source_of(claim, others) or only_with_its_numbers(claim, others)
    if clear is not None:
        return replace(unmarked, support=Support.SUPPORTED, added=(clear,), doubtful=(*numbers, *unknown))
    if cited and reason and reason.key in _LACKING and (added := _beside(claim, cited, others)):
        return replace(unmarked, support=Support.SUPPORTED, added=added)
    if not sentence.numbers:
        said = [sources[number] for number in led if number in sources]
        bare = (states(claim) or claim.only_answers) and not (said and contradiction(claim, said) is None)
        return replace(unmarked, is_bare=bare)
    reason = reason or Message("citation.unknown", {"number": unknown[0]})
    return replace(unmarked, support=Support.UNVERIFIED, reason=reason)


def _beside(claim: Claim, cited: Sequence[Source], others: Mapping[int, Source]) -> tuple[int, ...]:
    """The passages that a sentence's clauses were taken from where those it cites bear out some of these; () for none.

    甲的年度限额是200万元，乙的年度限额是400万元, behind which the passage of one alone is named.
    """
    if len(claim.clauses) > _MOST_CLAUSES:
        return ()
    clauses = [replace(claim, text=clause) for clause in claim.clauses]
    lacking = [clause for clause in clauses if contradiction(clause, cited)]
    found = [source_of(clause, others) for clause in lacking] if len(lacking) < len(clauses) else []
    added = tuple(dict.fromkeys(number for number in found if number is not None))
    is_whole = None not in found and contradiction(claim, [*cited, *(others[number] for number in added)]) is None
    return added if is_whole else ()
