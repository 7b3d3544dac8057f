"""The one place of every sentence that a user reads: `rag/locales/zh.toml` and its English twin `en.toml`."""

import string
import tomllib
from enum import StrEnum
from functools import cache
from pathlib import Path

from rag.types import Message

_LOCALES = Path(__file__).parent / "locales"


class Language(StrEnum):
    """The languages of the interface. Chinese comes first."""

    ZH = "zh"
    EN = "en"


class _Sentences(string.Formatter):
    """Fills placeholders; `{count:page|pages}` is the word that goes with one, or with more.

    `{pages:, }` says what stands between the items of a list that came as `1–3、7`.
    """

    def format_field(self, value: object, format_spec: str) -> str:
        if format_spec and isinstance(value, str):
            return value.replace("、", format_spec)
        if "|" not in format_spec:
            return str(super().format_field(value, format_spec))
        one, more = format_spec.split("|")
        return one if value == 1 else more


_sentences = _Sentences()


@cache
def catalogue(language: Language) -> dict[str, str]:
    """All sentences of a language by dotted key, such as `error.empty_file`."""
    with (_LOCALES / f"{language}.toml").open("rb") as file:
        return _flatten(tomllib.load(file))


def text(language: Language, key: str, **values: object) -> str:
    """The sentence under `key`, its `{placeholders}` filled; a message among the values is put into the same language.

    Raises KeyError for an unknown key.
    """
    told = {name: sentence(language, value) if isinstance(value, Message) else value for name, value in values.items()}
    return _sentences.vformat(catalogue(language)[key], (), told)


def sentence(language: Language, message: Message) -> str:
    """The sentence that a message stands for."""
    return text(language, message.key, **message.values)


def _flatten(table: dict[str, object], prefix: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            flat.update(_flatten(value, f"{prefix}{key}."))
        else:
            flat[prefix + key] = str(value)
    return flat
