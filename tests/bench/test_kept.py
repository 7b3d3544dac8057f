"""What WENQU_BENCH_STORE keeps between measurements is made anew where it would be made otherwise."""

from pathlib import Path

import pytest

from bench import rewrite_model
from bench.rewrite_model import _Kept
from bench.vectors import KeptEmbeddings
from tests.fakes import FakeEmbeddings

ROW = {"id": "q"}


def test_a_vector_is_kept_for_its_model_alone(tmp_path: Path) -> None:
    made = []
    for model, dimension in (("one", 8), ("one", 8), ("another", 16)):
        kept = KeptEmbeddings(FakeEmbeddings(dimension), model, tmp_path)
        assert kept.matrix(["年假为十天。"] * 2).shape == (2, dimension)
        made.append(kept.made)
    assert made == [1, 0, 1]


def test_a_rewrite_is_kept_for_its_model_and_the_commit_that_asked_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WENQU_BENCH_STORE", str(tmp_path))
    made = iter(["first", "second", "third", "fourth", "fifth"])
    texts = []
    for model, commit in (("m", "1"), ("m", "1"), ("m", "2"), ("n", "2"), ("n", "2-dirty"), ("n", "2-dirty")):
        monkeypatch.setattr(rewrite_model, "commit", lambda commit=commit: commit)
        texts.append(_Kept(model).get("ours", ROW, lambda _: next(made)))
    assert texts == ["first", "first", "second", "third", "fourth", "fifth"]
