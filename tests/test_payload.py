"""Turns as other programs record them."""

from datetime import UTC, datetime

import pytest
from pydantic import ValidationError

from rag.conversation.payload import Payload, payload, to_turn
from rag.tokens import average_estimate
from rag.types import Decision
from tests.samples import evidence, turn

RECORD = {
    "session_id": "43dbf258",
    "user_query": "签证有哪些类型？",
    "assistant_response": "有四种。",
    "timestamp": "2025-10-20T16:28:31.386637",
    "context_docs": ["条例A.pdf", "指南B.md"],
    "token_count": 56,
    "turn_id": "cc98c594",
    "parent_turn_id": None,
}


def test_a_payload_has_the_records_fields_and_names_each_document_once() -> None:
    stored = turn("年假？", "十天[1]。", (evidence(1), evidence(2)), parent_turn_id="before")
    record = payload(stored)
    assert record.keys() == RECORD.keys()
    assert record["context_docs"] == ["员工手册.pdf"]
    assert record["token_count"] == average_estimate("年假？") + average_estimate("十天[1]。")
    assert record["parent_turn_id"] == "before"


def test_a_payloads_time_is_this_machines_and_has_no_zone() -> None:
    moment = datetime(2025, 10, 20, 8, 28, 31, tzinfo=UTC)
    written = str(payload(turn("问", "答", created_at=moment))["timestamp"])
    assert written.endswith(":31.000000")
    assert datetime.fromisoformat(written).tzinfo is None
    assert datetime.fromisoformat(written).astimezone(UTC) == moment


def test_a_record_becomes_a_turn_and_the_same_record_again() -> None:
    imported = to_turn(Payload.model_validate(RECORD), "conversation")
    assert imported.decision is Decision.RETRIEVE
    assert payload(imported) == RECORD | {"token_count": payload(imported)["token_count"]}


def test_a_record_without_documents_or_ids_is_taken_too() -> None:
    record = {key: RECORD[key] for key in list(RECORD)[:4]} | {"model": "unknown field"}
    imported, again = (to_turn(Payload.model_validate(record), "conversation") for _ in range(2))
    assert imported.decision is Decision.NO_RETRIEVE
    assert len(imported.turn_id) == 32
    assert imported == again


def test_a_record_without_its_question_is_refused() -> None:
    with pytest.raises(ValidationError, match="user_query"):
        Payload.model_validate({key: value for key, value in RECORD.items() if key != "user_query"})
