"""The prompts, by name and language; their texts are `rag/prompts/<language>/<name>.md`."""

from functools import cache
from pathlib import Path

from rag.i18n import Language

_FOLDER = Path(__file__).parent / "prompts"


class Prompts:
    """The prompt texts of one language, with those that were registered in place of the shipped ones."""

    def __init__(self, language: Language = Language.ZH) -> None:
        self._language = language
        self._registered: dict[str, str] = {}

    def register(self, name: str, text: str) -> None:
        """Use `text` for the prompt `name` from now on."""
        self._registered[name] = text

    def fill(self, name: str, /, **values: str) -> str:
        """The prompt `name` with its `{placeholders}` filled. Raises KeyError for a placeholder without value."""
        text = self._registered.get(name) or _shipped(self._language, name)
        # One pass over the template: braces in documents and questions are text, not placeholders.
        return text.format_map(values) if values else text


@cache
def _shipped(language: Language, name: str) -> str:
    return (_FOLDER / language / f"{name}.md").read_text(encoding="utf-8").rstrip("\n")
