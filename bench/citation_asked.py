"""Bare answers to questions made of sentences of real passages: the wrong one of two, and what has no price for one."""

import random
import re
from collections.abc import Iterator

from bench.citation_case import Case
from bench.citation_cases import candidates
from bench.citation_kinds import swaps

RIGHT_ASKED = ("choice_told",)
_CLAUSE = re.compile(r"[^，；。！？：、（）]+")
_CHOSEN = ("comparison", "party", "bound", "rule")
_SHORTEST = 5
_DENIES = re.compile("[不没未无非禁]")
_MEASURED = re.compile(
    r"(?P<of>[\u4e00-\u9fff]{2,10}?)(?:全?长|面积|高度?|重量?|约|为|达|有|宽){1,3}(?P<told>\d[\d,.]*(?:平方公里|公里|平方米|米|小时|分钟|公斤|吨|公顷))"
)
_MONEY = re.compile("[费价钱款元]")


def asked(passage: str, chance: random.Random) -> Iterator[Case]:
    """Cases of every kind that the sentences of a passage make."""
    for text in candidates(passage):
        for clause in (one for one in _CLAUSE.findall(text) if not _DENIES.search(one)):
            for found, other in [one for kind in _CHOSEN for one in swaps(kind, clause)][:1]:
                pair = [found[0], other]
                chance.shuffle(pair)
                question = f"{clause[: found.start()]}{'还是'.join(pair)}？"
                if found.start() < _SHORTEST:
                    continue
                yield Case(f"{found[0]}。", passage, "choice_told", question)
                yield Case(f"{other}。", passage, "choice", question)
            measured = _MEASURED.fullmatch(clause)
            if measured and not _MONEY.search(clause):
                yield Case(f"{measured['told']}。", passage, "no_price", f"{measured['of']}多少钱？")
