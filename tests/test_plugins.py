"""Modules of a developer's own, imported at start."""

from pathlib import Path

import pytest

from rag.errors import ConfigError
from rag.llm.current import Answering
from rag.plugins import load_plugins
from rag.tokens import build_estimator


def no_model() -> Answering:
    raise AssertionError("no model is asked")


def test_what_a_module_registers_can_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_estimator.py").write_text(
        "from rag.tokens import register_estimator\n\n"
        "@register_estimator('my_method')\ndef quarter(text):\n    return len(text) // 4\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    load_plugins(("my_estimator",))
    assert build_estimator("my_method", no_model)("12345678") == 2


@pytest.mark.parametrize("content", [None, "1 / 0", "from rag.prompts import register_prompt\nregister_prompt('a', 1)"])
def test_a_module_that_cannot_be_imported_is_named(
    content: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if content:
        (tmp_path / "my_broken_module.py").write_text(content)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ConfigError, match=r"plugins: my_broken_module \("):
        load_plugins(("my_broken_module",))
