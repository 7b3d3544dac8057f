"""A log of questions and answers, one JSON object a line, for those who evaluate what was answered."""

import json
import logging
from collections.abc import Callable
from datetime import datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

from rag.conversation.payload import local_time, payload
from rag.database import store_errors
from rag.types import Turn

_MAX_BYTES = 10_000_000
_OLDER_FILES = 9
Line = dict[str, Any]


class QALog:
    """At most ten files of 10 MB; the oldest makes way for a new one."""

    def __init__(self, path: Path, max_bytes: int = _MAX_BYTES) -> None:
        self._path = path
        self._handler = RotatingFileHandler(
            path, maxBytes=max_bytes, backupCount=_OLDER_FILES, encoding="utf-8", errors="backslashreplace", delay=True
        )

    def write(self, turn: Turn) -> None:
        """Append a turn: its payload, how it came about and where its sources stand."""
        line: Line = payload(turn) | {
            "conversation_id": turn.conversation_id,
            "generated_question": turn.generated_question,
            "decision": turn.decision,
            "status": turn.status,
            "model": turn.model,
            "seconds": round(turn.timing.total, 3),
            "first_token_seconds": turn.timing.first_token,
            "sources": [{"file": item.document_name, "page": item.page} for item in turn.sources],
        }
        self._handler.handle(logging.makeLogRecord({"msg": json.dumps(line, ensure_ascii=False)}))

    def forget(self, session_id: str) -> None:
        """Delete a session's lines. Raises StoreError."""
        self._keep(lambda line: line["session_id"] != session_id)

    def forget_conversation(self, session_id: str, conversation_id: str) -> None:
        """Delete the lines of one of a session's conversations. Raises StoreError."""
        gone = session_id, conversation_id
        self._keep(lambda line: (line["session_id"], line.get("conversation_id")) != gone)

    def expire(self, before: datetime) -> None:
        """Delete the lines of turns before a moment. Raises StoreError."""
        limit = local_time(before)
        self._keep(lambda line: line["timestamp"] >= limit)

    def _keep(self, wanted: Callable[[Line], bool]) -> None:
        self._handler.acquire()
        try:
            self._handler.close()  # the next line opens it again
            # Written beside the log, then moved over it: a process killed in between loses no line.
            beside = self._path.with_name(f".{self._path.name}")
            with store_errors(self._path):
                for path in self._path.parent.glob(f"{self._path.name}*"):
                    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
                    kept = [line for line in lines if (parsed := _parse(line)) and wanted(parsed)]
                    beside.write_text("".join(f"{line}\n" for line in kept), encoding="utf-8")
                    beside.replace(path)
        finally:
            self._handler.release()


def _parse(line: str) -> Line | None:
    """A line's values; None for the rest of a line that a killed process left, whose owner nobody can tell."""
    try:
        values: Line = json.loads(line)
    except ValueError:
        return None
    return values
