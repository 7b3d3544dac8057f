"""The log of questions and answers."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from rag.conversation.payload import payload
from rag.conversation.qa_log import QALog
from rag.errors import StoreUnavailable
from rag.types import Decision, Timing
from tests.samples import evidence, turn


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "qa.jsonl"


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_turn_is_one_line_with_its_payload_and_how_it_came_about(path: Path) -> None:
    stored = turn("第一行\n第二行？", "十天[1]。", (evidence(1, page=3),), timing=Timing(0.1, 1.23456))
    log = QALog(path)
    log.write(stored)
    (line,) = lines(path)
    assert payload(stored).items() <= line.items()
    assert (line["decision"], line["seconds"]) == (Decision.RETRIEVE, 1.235)
    assert line["sources"] == [{"file": "员工手册.pdf", "page": 3}]


def test_a_full_file_is_set_aside_and_the_oldest_is_given_up(path: Path) -> None:
    log = QALog(path, max_bytes=2000)
    for number in range(60):
        log.write(turn(f"第{number}问", "答" * 100))
    kept = sorted(path.parent.iterdir())
    assert len(kept) == 10
    assert all(file.stat().st_size < 2500 for file in kept)
    assert lines(path)[-1]["user_query"] == "第59问"


def test_a_forgotten_session_is_in_no_file_and_the_log_goes_on(path: Path) -> None:
    log = QALog(path, max_bytes=2000)
    for number in range(12):
        log.write(turn(f"第{number}问", "答", session_id="mine" if number % 2 else "theirs"))
    with path.open("a", encoding="utf-8") as file:
        file.write('{"session_id": "mi')
    log.forget("mine")
    log.write(turn("以后", "答", session_id="theirs"))
    kept = [line for file in path.parent.iterdir() for line in lines(file)]
    assert {line["session_id"] for line in kept} == {"theirs"}
    assert len(kept) == 7


def test_a_log_that_cannot_be_rewritten_is_left_whole(path: Path) -> None:
    log = QALog(path)
    log.write(turn("问", "答", session_id="mine"))
    (path.parent / f".{path.name}").mkdir()
    with pytest.raises(StoreUnavailable):
        log.forget("mine")
    assert [line["user_query"] for line in lines(path)] == ["问"]


def test_lines_expire_by_the_time_of_their_turn(path: Path) -> None:
    log, now = QALog(path), datetime.now(UTC)
    for days in (40, 20):
        log.write(turn(f"{days}天前", "答", created_at=now - timedelta(days=days)))
    log.expire(now - timedelta(days=30))
    assert [line["user_query"] for line in lines(path)] == ["20天前"]


def test_text_that_no_encoding_has_is_logged_all_the_same(path: Path) -> None:
    QALog(path).write(turn("坏\ud800字", "答"))
    assert lines(path)[0]["assistant_response"] == "答"
