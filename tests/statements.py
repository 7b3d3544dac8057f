"""What a database was asked, and how it found its rows."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Engine, event


@dataclass
class Asked:
    """The statements that an engine ran, but for the beginnings of transactions, and SQLite's steps for them."""

    statements: list[str] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)


@contextmanager
def asked_of(engine: Engine) -> Iterator[Asked]:
    """What is asked of an engine in the meantime."""
    asked = Asked()

    def note(
        connection: Connection, _cursor: object, statement: str, parameters: Any, _context: object, many: bool
    ) -> None:
        if statement.startswith("BEGIN"):
            return
        asked.statements.append(statement)
        if engine.dialect.name == "sqlite":
            own = parameters[0] if many else parameters
            plan = connection.connection.cursor().execute(f"EXPLAIN QUERY PLAN {statement}", own)
            asked.steps.extend(row[-1] for row in plan)

    event.listen(engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(engine, "before_cursor_execute", note)
