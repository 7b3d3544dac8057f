"""Both READMEs tell the same figures."""

import re
from collections import Counter

from tests.http_rig import ROOT

_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?|\.\d+")


def measured(name: str, heading: str) -> Counter[str]:
    """The numbers that were measured, in the last column of the table below a heading."""
    section = (ROOT / name).read_text(encoding="utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = [line.rstrip("|").split("|")[-1] for line in section.splitlines() if line.startswith("|")]
    assert len(rows) > 10
    return Counter(number for row in rows for number in _NUMBER.findall(row))


def test_both_readmes_tell_the_same_figures() -> None:
    english, chinese = measured("README.md", "Figures"), measured("README.zh.md", "数字")
    assert english - chinese == chinese - english == Counter()
