"""Patterns made of rows of words, as a module has them in the TOML file beside it."""

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path


def read_rows(module: str) -> dict[str, dict[str, list[str]]]:
    """The words of each row, by its table and name; a word may be a pattern, without blanks."""
    tables = tomllib.loads(Path(module).with_suffix(".toml").read_text("utf-8"))
    return {table: {name: row.split() for name, row in rows.items()} for table, rows in tables.items()}


def any_of(*rows: Sequence[str]) -> str:
    """A pattern of any word of some rows, tried in their order."""
    return f"(?:{'|'.join(word for row in rows for word in row)})"


def pattern_of(*alternatives: str) -> re.Pattern[str]:
    """What finds any of some alternatives, in capitals as well."""
    return re.compile("|".join(alternatives), re.IGNORECASE)
