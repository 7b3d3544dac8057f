"""The ingest that the tests of this folder give files to."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from loaders.reader import read_in_worker
from rag.types import LoadedDocument
from tests.ingesting import TEXT, Build, Rig


@pytest.fixture
def build(tmp_path: Path) -> Iterator[Build]:
    rigs: list[Rig] = []

    def rig(read: Callable[..., LoadedDocument] = read_in_worker, **loaders: Any) -> Rig:
        rigs.append(Rig(tmp_path / "store", read, **loaders))
        return rigs[-1]

    yield rig
    for one in rigs:
        one.close()


@pytest.fixture
def manual(tmp_path: Path) -> Path:
    path = tmp_path / "员工手册.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path
