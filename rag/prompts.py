"""The prompts, by name and language; their texts are `rag/prompts/<language>/<name>.md`."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING

from langchain_core.prompts import ChatPromptTemplate, PromptTemplate

from rag.errors import UnfitPrompt
from rag.i18n import Language
from rag.types import Message

if TYPE_CHECKING:
    from langchain_classic.chains.prompt_selector import ConditionalPromptSelector

_FOLDER = Path(__file__).parent / "prompts"
_REGISTERED: dict[Language, dict[str, str]] = {language: {} for language in Language}
# Between what a chat model is told as its role and what the user says to it.
_PARTS = "\n\n---\n\n"


# What a prompt may leave out: small helps for the model, not what it is asked about.
_OPTIONAL = frozenset({"example"})


def register_prompt(name: str, text: str | Mapping[str, str], language: Language = Language.ZH) -> None:
    """Use a text, or one as `{"system": …, "user": …}`, for the prompt `name` in every `Prompts` made from now on.

    Raises UnfitPrompt where it is neither, or lacks what the shipped prompt of this name has filled in.
    """
    parts = [text.get(part) for part in ("system", "user")] if isinstance(text, Mapping) else [text]
    if not all(isinstance(part, str) and part.strip() for part in parts):
        raise UnfitPrompt(name=name, problem=Message("preference.problem.prompt_form"))
    text = _PARTS.join(map(str, parts))
    if (_FOLDER / language / f"{name}.md").is_file() and (found := fault(_shipped(language, name), text)):
        key, values = found
        raise UnfitPrompt(name=name, problem=Message(f"preference.problem.{key}", values))
    _REGISTERED[language][name] = text


def placeholders(text: str) -> list[str]:
    """The names that a prompt has filled in, as they follow. Raises ValueError for braces that are none."""
    names: list[str] = []
    for _, name, form, conversion in Formatter().parse(text):
        if name is None:
            continue
        if form or conversion or not name.isidentifier():
            raise ValueError(name)
        names.append(name)
    return names


def fault(shipped: str, text: str) -> tuple[str, dict[str, str]] | None:
    """What keeps a text from standing in a shipped prompt's place, as a kind and values; None where nothing does."""
    wanted = placeholders(shipped)
    if not wanted:
        # Nothing is filled in here: braces are text.
        return None
    try:
        present = placeholders(text)
    except ValueError:
        return "braces", {"known": _listed(wanted)}
    if missing := [name for name in wanted if name not in present and name not in _OPTIONAL]:
        return "placeholder_missing", {"names": _listed(missing)}
    if unknown := [name for name in present if name not in wanted]:
        return "placeholder_unknown", {"names": _listed(list(dict.fromkeys(unknown))), "known": _listed(wanted)}
    if repeated := [name for name in wanted if present.count(name) > 1]:
        # What is filled in is bounded by itself, the prompt too: many times over they are not.
        return "placeholder_repeated", {"names": _listed(repeated)}
    return None


def _listed(names: list[str]) -> str:
    return " ".join(f"{{{name}}}" for name in names)


class Prompts:
    """The prompt texts of one language, with those in place of the shipped ones that were registered or are given."""

    def __init__(self, language: Language = Language.ZH, texts: Mapping[str, str] | None = None) -> None:
        self.language = language
        self._texts = _REGISTERED[language] | dict(texts or {})

    def fill(self, name: str, /, **values: str) -> str:
        """The prompt `name` with its `{placeholders}` filled. Raises KeyError for a placeholder without value."""
        text = self._text(name).replace(_PARTS, "\n\n")
        # One pass over the template: braces in documents and questions are text, not placeholders.
        return text.format_map(values) if values else text

    def said(self, name: str, language: Language) -> str:
        """A text without placeholders that the reader is shown, in their language: unless it is the reader's own."""
        return self.fill(name) if self.is_own(name) else Prompts(language).fill(name)

    def is_own(self, name: str) -> bool:
        """Whether a text stands in the place of the shipped one."""
        return bool(self._texts.get(name))

    def selector(self, name: str) -> "ConditionalPromptSelector":
        """The prompt `name` as LangChain's templates: one string, or a chat prompt for models that chat.

        Where a line `---` divides the text, a chat model gets what is above it as the system's message.
        """
        from langchain_classic.chains.prompt_selector import ConditionalPromptSelector, is_chat_model

        *system, human = self._text(name).split(_PARTS, 1)
        chat = ChatPromptTemplate.from_messages([*(("system", text) for text in system), ("human", human)])
        string = PromptTemplate.from_template("\n\n".join([*system, human]))
        return ConditionalPromptSelector(default_prompt=string, conditionals=[(is_chat_model, chat)])

    def _text(self, name: str) -> str:
        return self._texts.get(name) or _shipped(self.language, name)


@cache
def _shipped(language: Language, name: str) -> str:
    return (_FOLDER / language / f"{name}.md").read_text(encoding="utf-8").rstrip("\n")
