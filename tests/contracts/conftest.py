"""Databases to run the contracts on."""

from collections.abc import Iterator

import pytest

from tests.postgres import Postgres, running


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server for all tests that ask for one."""
    with running() as server:
        yield server
