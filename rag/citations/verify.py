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

# A sentence of more clauses is not looked up clause by clause: nobody puts one together from so many passages.
_MOST_CLAUSES = 20
# So much of an answer before a sentence may tell what that is of: all of it, read for each sentence, takes minutes.
_CONTEXT = 2000
# What the cited passages lack may stand in another: models often write the wrong number.
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
    """Check each sentence of an answer to some `questions`.

    A sentence may repeat its questions without any passage saying so. One that sums up earlier answers (NO_RETRIEVE)
    may repeat the questions of those, too: they are what the passages that it cites were found for.
    """
    sources, found_for = Source.of_each(evidence), dict[int, str]()
    if decision is Decision.NO_RETRIEVE:
        found_for = {item.number: item.found_for for item in evidence}
    questions, documents = tuple(questions), documents_of(sources.values())
    found = sentences(answer)
    # What is cited for a sentence without markers of its own.
    inherited = _of_the_whole(found)
    checked: list[CheckedSentence] = []
    for sentence in found:
        if sentence.numbers:
            # The marker of the sentence that announces a list covers its items.
            inherited = sentence.numbers if announces(sentence.text) else ()
        earlier = dict.fromkeys(found_for.get(number, "") for number in sentence.numbers)
        before = answer[max(0, sentence.start - _CONTEXT) : sentence.start]
        claim = Claim.of(_told(sentence.text), "\n".join((*questions, *earlier)), before, documents)
        checked.append(_check(sentence, claim, sources, inherited))
    return tuple(checked)


def _of_the_whole(found: Sequence[Sentence]) -> tuple[int, ...]:
    """The markers behind the last sentence of an answer: where no other sentence has any, they cover all of it."""
    marked = [sentence for sentence in found if sentence.numbers]
    return marked[0].numbers if marked and marked == [found[-1]] else ()


def _told(sentence: str) -> str:
    """A sentence without clauses that say something is not known: 双方各承担50% of 责任无法确定的，双方各承担50%."""
    if not says_nothing_is_known(sentence):
        return sentence
    return "".join(clause for clause in CLAUSE.findall(sentence) if not says_nothing_is_known(clause))


def _check(sentence: Sentence, claim: Claim, sources: dict[int, Source], inherited: Sequence[int]) -> CheckedSentence:
    numbers = tuple(number for number in sentence.numbers if number in sources)
    unknown = tuple(number for number in sentence.numbers if number not in sources)
    unmarked = CheckedSentence(sentence.start, sentence.end, Support.UNMARKED, numbers, doubtful=unknown)
    only_announces = announces(sentence.text)
    if _states_nothing(sentence, claim) or (only_announces and not sentence.numbers):
        return unmarked
    cited = [sources[number] for number in numbers]
    reason = _contradiction(sentence, claim, cited)
    # What a sentence announces is yet to come: the words in common with its passage may be few.
    if only_announces and (reason is None or reason.key == "citation.overlap"):
        return unmarked
    if cited and reason is None:
        return unmarked if is_foreign(claim, cited) else replace(unmarked, support=Support.SUPPORTED)
    others = {number: source for number, source in sources.items() if number not in numbers}
    is_lacking = reason is None or reason.key in _LACKING
    other = _another_source(claim, others, is_thorough=is_lacking and bool(sentence.numbers))
    if other is not None:
        return replace(unmarked, support=Support.SUPPORTED, added=(other,), doubtful=(*numbers, *unknown))
    if cited and is_lacking and (added := _sources_beside(claim, cited, others)):
        return replace(unmarked, support=Support.SUPPORTED, added=added)
    if not sentence.numbers:
        return replace(unmarked, is_bare=_is_bare(claim, [sources[one] for one in inherited if one in sources]))
    reason = reason or Message("citation.unknown", {"number": unknown[0]})
    return replace(unmarked, support=Support.UNVERIFIED, reason=reason)


def _states_nothing(sentence: Sentence, claim: Claim) -> bool:
    """Whether there is nothing to check: a heading, or that something is not known and no fact of its own."""
    if not sentence.numbers:
        return sentence.is_heading or says_nothing_is_known(sentence.text)
    return says_nothing_is_known(sentence.text) and not has_its_own(claim)


def _contradiction(sentence: Sentence, claim: Claim, cited: Sequence[Source]) -> Message | None:
    """What the cited passages say against a sentence; None where they bear it out, or none is cited.

    The passages that came nearest are quoted behind a refusal: a quotation need not answer what was asked.
    """
    if not cited or (sentence.is_quoted and not Cited(claim, tuple(cited)).changed):
        return None
    return contradiction(claim, cited)


def _another_source(claim: Claim, others: Mapping[int, Source], *, is_thorough: bool) -> int | None:
    """The passage that clearly bears out a claim; with `is_thorough` also one that bears it out less clearly."""
    clear = clearly_from(claim, others)
    if clear is not None or not is_thorough:
        return clear
    return source_of(claim, others) or only_with_its_numbers(claim, others)


def _sources_beside(claim: Claim, cited: Sequence[Source], others: Mapping[int, Source]) -> tuple[int, ...]:
    """The further passages that a claim was put together from, where those it cites bear out some of its clauses.

    () where another clause is from no passage. 甲的年度限额是200万元，乙的年度限额是400万元 may cite only that of 甲.
    """
    if len(claim.text.clauses) > _MOST_CLAUSES:
        return ()
    clauses = [replace(claim, text=clause) for clause in claim.text.clauses]
    lacking = [clause for clause in clauses if contradiction(clause, cited)]
    found = [source_of(clause, others) for clause in lacking] if len(lacking) < len(clauses) else []
    added = tuple(dict.fromkeys(number for number in found if number is not None))
    is_whole = None not in found and contradiction(claim, [*cited, *(others[number] for number in added)]) is None
    return added if is_whole else ()


def _is_bare(claim: Claim, inherited: Sequence[Source]) -> bool:
    """Whether a claim without markers states something that no passage cited elsewhere in the answer covers."""
    if not (states(claim) or claim.only_answers):
        return False
    return not inherited or contradiction(claim, inherited) is not None
