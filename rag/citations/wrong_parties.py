"""A party to a contract or a case in the other's place, 甲方 for 乙方."""

import re
from collections.abc import Iterator

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.plain import WHOLE_END, Plain

# Who is a party to a contract or a case, each beside those that it is called so with.
_PARTIES = re.compile(
    "([甲乙丙丁]方)|([买卖]方)|([供需]方)|([出承]租[方人])|([发承分]包[方人])|([委受]托[方人])|([转受]让[方人])|"
    "((?:出借|借款)[方人])|(原告|被告(?!知))|(用人单位|劳动者)"
)
_PAUSE = re.compile("[,:;]")
# Of so much of a sentence a clause of the passage has to speak.
_LEAST, _LEAST_SHARE = 2, 0.5


def exchanged_roles(claim: Claim, cited: Cited) -> Iterator[str]:
    """The one party that a sentence names, where the clause that says most of it, in any order, tells it of the other.

    Clauses that say as much of it, one of either party, tell nothing.
    """
    if len(_parties(claim.text.folded)) != 1:
        return
    for clause in (alignment.clause for alignment in cited.changed):
        for party, role in _parties(clause.folded).items():
            wanted = frozenset(term for term in clause.vocabulary if not set(term) & set(party))
            told = [one for passage in cited.passages for one in _clauses_of_parties(passage, role, wanted)]
            most = max((held for _, held in told), default=0)
            best = [parties for parties, held in told if held == most >= max(_LEAST, _LEAST_SHARE * len(wanted))]
            if best and all(parties and party not in parties for parties in best):
                yield next(match[0] for match in _PARTIES.finditer(clause.folded))


def _clauses_of_parties(passage: Plain, role: int, wanted: frozenset[str]) -> Iterator[tuple[frozenset[str], int]]:
    """The parties of such a role that each clause tells of, and how much it has of what is wanted.

    One that names none goes on with whom its sentence began.
    """
    for sentence in WHOLE_END.split(passage.folded):
        subject = frozenset[str]()
        for clause in _PAUSE.split(sentence):
            parties = frozenset(name for name, its in _parties(clause).items() if its == role)
            subject = subject or parties
            yield parties or subject, sum(term in clause for term in wanted)


def _parties(text: str) -> dict[str, int]:
    """The parties that a text names, 承租人 and 承租方 as one, with what they are parties to."""
    return {match[0][:-1]: match.lastindex or 0 for match in _PARTIES.finditer(text)}
