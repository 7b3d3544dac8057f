"""The threads of a model in a container that is given fewer cores than the machine has."""

import os
from pathlib import Path

import pytest

from rag.llm.llama_worker import usable_cores


@pytest.fixture(autouse=True)
def eight_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)


@pytest.mark.parametrize(
    ("told", "cores"),
    [
        ("200000 100000\n", 2),
        ("150000 100000\n", 2),
        ("50000 100000\n", 1),
        ("1600000 100000\n", 8),
        ("max 100000\n", 8),
        ("?", 8),
        ("", 8),
    ],
)
def test_a_quota_bounds_the_cores(tmp_path: Path, told: str, cores: int) -> None:
    (tmp_path / "cpu.max").write_text(told)
    assert usable_cores(tmp_path) == cores


@pytest.mark.parametrize(("quota", "cores"), [("250000\n", 3), ("-1\n", 8)])
def test_an_older_systems_quota_bounds_them_too(tmp_path: Path, quota: str, cores: int) -> None:
    (tmp_path / "cpu").mkdir()
    (tmp_path / "cpu" / "cpu.cfs_quota_us").write_text(quota)
    (tmp_path / "cpu" / "cpu.cfs_period_us").write_text("100000\n")
    assert usable_cores(tmp_path) == cores


def test_without_cgroups_there_are_those_of_the_machine(tmp_path: Path) -> None:
    assert usable_cores(tmp_path) == 8
