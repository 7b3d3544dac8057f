"""What measurements share: they wait for what can come, and say what was measured."""

import json
import subprocess
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from bench import harness
from bench.harness import NotMeasured, Outcome, commit, wait_for_documents, wait_for_model, write
from rag.types import DocumentStatus, ModelState, Provider
from tests.fakes_web import FakeModels
from tests.samples_web import document

READY, EMBEDDING, FAILED = DocumentStatus.READY, DocumentStatus.EMBEDDING, DocumentStatus.FAILED


def services(*states: ModelState, provider: Provider = Provider.EMBEDDED) -> SimpleNamespace:
    told = iter([replace(FakeModels().current, state=state, provider=provider) for state in states])
    return SimpleNamespace(models=SimpleNamespace(status=lambda: next(told)))


def ingest(*statuses: Iterable[DocumentStatus]) -> SimpleNamespace:
    told = iter([[document(status=status) for status in each] for each in statuses])
    return SimpleNamespace(documents=lambda _: next(told))


def test_the_model_that_answers_is_waited_for_and_named() -> None:
    waited = services(ModelState.LOADING, ModelState.READY)
    assert wait_for_model(waited) == "embedded qwen2.5-1.5b-instruct"  # type: ignore[arg-type]


def test_a_measurement_of_a_model_does_not_begin_on_quotations() -> None:
    with pytest.raises(NotMeasured, match="no model answers"):
        wait_for_model(services(ModelState.READY, provider=Provider.EXTRACTIVE))  # type: ignore[arg-type]


def test_documents_are_waited_for_until_all_are_ready() -> None:
    told = ingest([READY, EMBEDDING], [READY, READY])
    wait_for_documents(told, "bench")  # type: ignore[arg-type]
    with pytest.raises(StopIteration):
        told.documents("bench")


def test_a_document_that_failed_ends_the_wait() -> None:
    with pytest.raises(NotMeasured, match="指南"):
        wait_for_documents(ingest([READY, FAILED]), "bench")  # type: ignore[arg-type]


def test_a_result_says_which_model_answered_and_which_settings_were_changed_and_keeps_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("LLM_MODEL", "m"), ("LLM_API_KEY", "secret"), ("BENCH_TURNS", "4"), ("STORE", "/home/me")):
        monkeypatch.setenv(f"WENQU_{name}", value)
    write(Outcome({}, model="ollama m"), "answers", tmp_path / "answers.json")
    written = (tmp_path / "answers.json").read_text(encoding="utf-8")
    assert "secret" not in written
    assert "/home/me" not in written
    result = json.loads(written)
    assert result["model"] == "ollama m"
    changed = {"WENQU_LLM_MODEL": "m", "WENQU_LLM_API_KEY": "(set)", "WENQU_BENCH_TURNS": "4", "WENQU_STORE": "(set)"}
    assert changed.items() <= result["asked_for"].items()


def test_a_result_tells_that_a_file_but_no_other_result_was_changed_since_the_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(harness, "ROOT", tmp_path)
    code, result = tmp_path / "rag.py", tmp_path / "bench" / "results" / "answers.json"
    result.parent.mkdir(parents=True)
    for file in (code, result):
        file.write_text("1", encoding="utf-8")
    who = ("-c", "user.name=w", "-c", "user.email=w@example.org")
    for arguments in (("init", "-q"), ("add", "."), (*who, "commit", "-qm", "first")):
        subprocess.run(["git", *arguments], cwd=tmp_path, check=True)
    clean = commit()
    result.write_text("2", encoding="utf-8")
    assert commit() == clean != ""
    code.write_text("2", encoding="utf-8")
    assert commit() == f"{clean}-dirty"
