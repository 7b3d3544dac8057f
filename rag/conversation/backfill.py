"""Takes in records of other programs, and gives linear ones the parents that they lack:

python -m rag.conversation.backfill --url sqlite:///data/store/wenqu.sqlite3 [--records FILE.jsonl] [--session ID …]
"""

import argparse
import sys
import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC
from pathlib import Path

import sqlalchemy as sa
from pydantic import ValidationError

from rag import i18n
from rag.conversation.payload import Payload, to_turn
from rag.conversation.schema import TURNS
from rag.conversation.sql import SqlConversationStore
from rag.database import open_database, reading, store_errors, transaction
from rag.errors import InvalidRecord, WenquError

# Only imported turns lack a duration; one of ours without a parent starts a branch.
_IS_IMPORTED = TURNS.c.total_seconds == 0


def read_payloads(path: Path) -> tuple[Payload, ...]:
    """The records of a JSON Lines file. Raises InvalidRecord, StoreError."""
    with store_errors(path):
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    payloads = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                payloads.append(Payload.model_validate_json(line))
                # Near datetime.min and max, conversion to UTC overflows.
                payloads[-1].timestamp.astimezone(UTC)
            except ValidationError as error:
                detail = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
                raise InvalidRecord(file=path, line=number, detail=detail) from error
            except (ValueError, OverflowError) as error:
                raise InvalidRecord(file=path, line=number, detail=f"timestamp: {error}") from error
    return tuple(payloads)


def import_payloads(database: sa.Engine, payloads: Iterable[Payload]) -> int:
    """Store the new ones of some records; returns how many. Raises StoreError.

    One whose parent is known stands in its conversation, the others of a session in one, that of an earlier import
    where there is one. Turns are known by their ids. An id that another session uses is replaced by one derived from
    session and id.
    """
    store = SqlConversationStore(database)
    query = sa.select(TURNS.c.turn_id, TURNS.c.session_id, TURNS.c.conversation_id, _IS_IMPORTED.label("is_imported"))
    with reading(database) as connection:
        stored = connection.execute(query.order_by(TURNS.c.position)).all()
    known = {row.turn_id: row.conversation_id for row in stored}
    earlier = {row.session_id: row.conversation_id for row in stored if row.is_imported}
    owners = {row.turn_id: row.session_id for row in stored}
    sessions: dict[str, list[Payload]] = defaultdict(list)
    for one in sorted(payloads, key=lambda one: one.moment):
        owners.setdefault(one.known_id, one.session_id)
        sessions[one.session_id].append(one)
    imported = 0
    for session_id, records in sessions.items():
        own = [_with_own_ids(one, owners) for one in records]
        new = {one.known_id: one for one in own if one.known_id not in known}
        conversation_id = earlier.get(session_id, uuid.uuid4().hex)
        for one in new.values():
            known[one.known_id] = known.get(one.parent_turn_id, conversation_id)
        store.take_in([to_turn(one, known[one.known_id]) for one in new.values()])
        imported += len(new)
    return imported


def _with_own_ids(record: Payload, owners: Mapping[str, str]) -> Payload:
    """The record with new ids for turns whose ids another session uses: some programs count from 1 in each session."""

    def own(turn_id: str) -> str:
        if owners.get(turn_id, record.session_id) == record.session_id:
            return turn_id
        return uuid.uuid5(uuid.NAMESPACE_OID, f"{record.session_id} {turn_id}").hex

    parent = record.parent_turn_id
    ids = {"turn_id": own(record.known_id), "parent_turn_id": own(parent) if parent else None}
    return record.model_copy(update=ids)


def backfill_parents(database: sa.Engine, session_id: str) -> int:
    """Make each imported turn whose parent is none or not there follow the one before it, if there is one.

    Returns how many have been given a parent. Raises StoreError.
    """
    columns = TURNS.c.turn_id, TURNS.c.parent_turn_id, TURNS.c.conversation_id, _IS_IMPORTED.label("is_imported")
    query = sa.select(*columns).where(TURNS.c.session_id == session_id)
    in_time = query.order_by(TURNS.c.conversation_id, TURNS.c.created_at, TURNS.c.position)
    filled = 0
    with transaction(database) as connection:
        rows = connection.execute(in_time).all()
        there = {(row.conversation_id, row.turn_id) for row in rows}
        for before, row in zip([None, *rows], rows, strict=False):
            is_alone = row.is_imported and (row.conversation_id, row.parent_turn_id) not in there
            parent = before.turn_id if before and before.conversation_id == row.conversation_id else None
            if is_alone and parent != row.parent_turn_id:
                turn = TURNS.update().where(TURNS.c.turn_id == row.turn_id)
                connection.execute(turn.values(parent_turn_id=parent))
                filled += parent is not None
    return filled


def _sessions(database: sa.Engine) -> Sequence[str]:
    query = sa.select(TURNS.c.session_id).where(_IS_IMPORTED).distinct().order_by(TURNS.c.session_id)
    with reading(database) as connection:
        return connection.scalars(query).all()


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns 1 after reporting the reason where it fails."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", required=True)
    parser.add_argument("--records", type=Path, metavar="FILE.jsonl")
    parser.add_argument("--session", action="append", metavar="ID")
    given = parser.parse_args(arguments)
    try:
        database = open_database(given.url, must_exist=True)
        imported = import_payloads(database, read_payloads(given.records) if given.records else ())
        filled = sum(backfill_parents(database, session_id) for session_id in given.session or _sessions(database))
    except WenquError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(i18n.text(i18n.Language.ZH, "backfill.done", imported=imported, filled=filled) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
