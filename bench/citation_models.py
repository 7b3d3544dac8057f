"""Mistakes that language models make, and right sentences as they word them, each kind with a figure of its own.

A mistake is planted in a sentence that is copied, shortened, turned round or worded otherwise, as an answer has it.
"""

import random
from collections.abc import Iterator, Sequence

from bench.citation_asked import RIGHT_ASKED, asked
from bench.citation_case import Case, limited
from bench.citation_cases import RIGHT, candidates
from bench.citation_documents import RIGHT_DOCUMENTS, Document, of_another, of_another_year
from bench.citation_grids import RIGHT_GRIDS, grids
from bench.citation_kinds import KINDS
from bench.citation_wordings import WORDINGS

RIGHT_MODELS = frozenset((*WORDINGS, *RIGHT_ASKED, *RIGHT_GRIDS, *RIGHT_DOCUMENTS))
# Some kinds are rare: so many sentences and passages are looked through for them.
_SENTENCES, _PASSAGES = 8000, 600


def models(
    passages: Sequence[str], documents: Sequence[Document], per_kind: int, chance: random.Random
) -> Iterator[Case]:
    """Up to `per_kind` cases of every kind."""
    shuffled = chance.sample(passages, len(passages))
    yield from _of_sentences(shuffled, per_kind, chance)
    yield from limited((case for passage in shuffled[:_PASSAGES] for case in asked(passage, chance)), per_kind)
    yield from limited(grids(passages, chance), per_kind)
    yield from limited(of_another(documents, chance), per_kind)
    yield from limited(of_another_year(documents, chance), per_kind)


def _of_sentences(passages: Sequence[str], per_kind: int, chance: random.Random) -> Iterator[Case]:
    """One case of each sentence, of the kind of which the fewest are there."""
    sentences = [(text, passage) for passage in passages for text in candidates(passage)]
    chance.shuffle(sentences)
    left = dict.fromkeys([*WORDINGS, *KINDS], per_kind)
    for text, passage in sentences[:_SENTENCES]:
        for kind in sorted(left, key=lambda kind: -left[kind]):
            made = _made(kind, text, passage, chance)
            if made:
                yield Case(made, passage, kind)
                left[kind] -= 1
                if not left[kind]:
                    del left[kind]
                break


def _made(kind: str, text: str, passage: str, chance: random.Random) -> str | None:
    if kind in WORDINGS:
        made = WORDINGS[kind](text, passage, chance)
        return made if made != text else None
    wording = chance.choice([RIGHT[name] for name in ("copied", "shortened", "turned", "reworded")])
    worded = wording(text, chance) or text
    made = KINDS[kind](worded, passage, chance)
    # What the passage says as well is no mistake.
    return made if made and made != worded and made[:-1] not in passage else None
