import time
from pathlib import Path

import pytest

from loaders import load

BLANKS = " " * 50_000


@pytest.mark.parametrize("rows", [f"a|b\n{BLANKS}x", f"a|b\n-|-\nc{BLANKS}x|"])
def test_many_blanks_in_or_below_a_row_take_no_time(tmp_path: Path, rows: str) -> None:
    path = tmp_path / "a.md"
    path.write_text(rows, encoding="utf-8")
    start = time.thread_time()
    assert load(path).text.startswith("a")
    assert time.thread_time() - start < 1
