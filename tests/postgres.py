"""A PostgreSQL of the tests' own: a cluster in a temporary folder, reached by a socket in it, gone at the end."""

import os
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import sqlalchemy as sa

_OWNER = "postgres"  # Debian's package makes this account; a server refuses to run as root
_OPTIONS = "-c listen_addresses= -c fsync=off -c synchronous_commit=off -c max_connections=200"


@dataclass(frozen=True)
class Postgres:
    """A running server."""

    folder: Path

    def url(self, database: str) -> str:
        return f"postgresql+psycopg://{_OWNER}@/{database}?host={self.folder}"

    def new_database(self) -> str:
        """The URL of an empty database."""
        name = f"test_{uuid.uuid4().hex}"
        engine = sa.create_engine(self.url("postgres"), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.exec_driver_sql(f"CREATE DATABASE {name}")
        engine.dispose()
        return self.url(name)


@contextmanager
def running() -> Iterator[Postgres]:
    """Start a server. Skips where there is none and no way to install one; whatever else is wrong is a failure."""
    programs = _programs()
    # Not pytest's folder: only its owner can enter that one, and a socket's path must be short.
    folder = Path(tempfile.mkdtemp(prefix="wenqu-postgres-", dir="/tmp"))
    control = [str(programs / "pg_ctl"), "-D", str(folder / "data"), "-w"]
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, _OWNER, _OWNER)
        _run([str(programs / "initdb"), "-D", str(folder / "data"), "-U", _OWNER, "-A", "trust", "-E", "UTF8", "-N"])
        _run([*control, "-l", str(folder / "log"), "-o", f"-k {folder} {_OPTIONS}", "start"])
        try:
            yield Postgres(folder)
        finally:
            _run([*control, "-m", "immediate", "stop"])
    finally:
        shutil.rmtree(folder)


def _programs() -> Path:
    found = shutil.which("initdb") or next(map(str, Path("/usr/lib/postgresql").glob("*/bin/initdb")), None)
    if found:
        return Path(found).resolve().parent
    if shutil.which("apt-get"):
        pytest.fail("PostgreSQL is not installed; run: make .venv/postgres.stamp")
    pytest.skip("PostgreSQL is not installed, and this system has no apt-get to install it with")


def _run(command: Sequence[str]) -> None:
    account = {"user": _OWNER, "group": _OWNER, "extra_groups": ()} if os.geteuid() == 0 else {}
    # To a file: the server inherits the streams, and a pipe would be waited for until it ends.
    with tempfile.TemporaryFile("w+") as output:
        ended = subprocess.run(command, stdout=output, stderr=output, check=False, cwd="/", **account)  # type: ignore[call-overload]
        output.seek(0)
        assert ended.returncode == 0, f"{' '.join(command)}\n{output.read()}"
