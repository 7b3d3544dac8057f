"""Turns and their vectors as rows of a database."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import RowMapping

from rag.embeddings.check import STORED, Vector
from rag.message_json import message_from_json, message_to_json, to_message
from rag.types import (
    Budget,
    Candidate,
    Decision,
    Evidence,
    Rating,
    Span,
    Timing,
    Turn,
    TurnStatus,
    TurnTrace,
    Usage,
    Use,
)


@dataclass(frozen=True, slots=True)
class TurnVector:
    """A vector of length 1 of a turn or of a question, and the model that made it: only those of one model compare."""

    model_id: str
    values: Vector


def to_row(turn: Turn) -> dict[str, object]:
    """The columns of a turn."""
    row = asdict(turn)
    usage, timing = row.pop("usage"), row.pop("timing")
    return row | {
        "sources": json.dumps(row["sources"], ensure_ascii=False),
        "context_docs": json.dumps(row["context_docs"], ensure_ascii=False),
        "recalled": json.dumps(row["recalled"]),
        "place_read": json.dumps({"prompt": turn.place_read}) if turn.place_read else None,
        "budget": json.dumps(row["budget"]) if turn.budget else None,
        "trace": json.dumps(row["trace"], ensure_ascii=False, default=str),
        "message": message_to_json(turn.message),
        "reason": message_to_json(turn.reason),
        "prompt_tokens": usage["prompt"],
        "cached_tokens": usage["cached"],
        "completion_tokens": usage["completion"],
        "first_token_seconds": timing["first_token"],
        "total_seconds": timing["total"],
        "feedback": int(turn.feedback),
    }


def to_turn(row: RowMapping) -> Turn:
    """The turn that a row holds."""
    values = {field.name: row[field.name] for field in fields(Turn) if field.name in row}
    return Turn(
        **values
        | {
            "decision": Decision(row["decision"]),
            "sources": tuple(map(_to_evidence, json.loads(row["sources"]))),
            "status": TurnStatus(row["status"]),
            "recalled": tuple(json.loads(row["recalled"])),
            "budget": Budget(**json.loads(row["budget"])) if row["budget"] else None,
            "trace": _to_trace(json.loads(row["trace"])) if row["trace"] else TurnTrace(),
            "place_read": json.loads(row["place_read"])["prompt"] if row["place_read"] else "",
            "message": message_from_json(row["message"]),
            "reason": message_from_json(row["reason"]),
            "usage": Usage(row["prompt_tokens"], row["cached_tokens"], row["completion_tokens"]),
            "timing": Timing(row["first_token_seconds"], row["total_seconds"]),
            "feedback": Rating(row["feedback"]),
            "context_docs": tuple(json.loads(row["context_docs"])),
        }
    )


def _to_evidence(stored: Mapping[str, Any]) -> Evidence:
    # Old turns lack `chunk_ids`: they hold only the chunk that the passage was found by.
    chunk_ids = tuple(stored.get("chunk_ids", (stored["chunk_id"],)))
    use = Use(**stored["use"]) if stored.get("use") else None
    own = {"heading_path": tuple(stored["heading_path"]), "chunk_ids": chunk_ids, "use": use}
    return Evidence(**{**stored, **own})


def _to_trace(stored: Mapping[str, Any]) -> TurnTrace:
    return TurnTrace(
        tuple(Span(**span) for span in stored["spans"]),
        stored["found"],
        tuple(Candidate(**candidate) for candidate in stored["candidates"]),
        tuple(map(to_message, stored["notes"])),
    )


def to_bytes(vector: TurnVector) -> bytes:
    """A vector's values, as float32."""
    return vector.values.astype(STORED).tobytes()


def similarities(stored: Sequence[bytes], vector: bytes) -> NDArray[np.float32]:
    """The cosine similarity of each stored vector to one of the same length in bytes; shape (stored,)."""
    matrix = np.frombuffer(b"".join(stored), STORED).reshape(len(stored), len(vector) // STORED.itemsize)
    return np.asarray(matrix @ np.frombuffer(vector, STORED), np.float32)
