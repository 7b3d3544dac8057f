"""The prompts, by name and language; their texts are `rag/prompts/<language>/<name>.md`."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from langchain_core.prompts import ChatPromptTemplate, PromptTemplate

from rag.i18n import Language

if TYPE_CHECKING:
    from langchain_classic.chains.prompt_selector import ConditionalPromptSelector

_FOLDER = Path(__file__).parent / "prompts"
_REGISTERED: dict[Language, dict[str, str]] = {language: {} for language in Language}
# Between what a chat model is told as its role and what the user says to it.
_PARTS = "\n\n---\n\n"


def register_prompt(name: str, text: str, language: Language = Language.ZH) -> None:
    """Use `text` for the prompt `name` of a language, in every `Prompts` made from now on."""
    _REGISTERED[language][name] = text


class Prompts:
    """The prompt texts of one language, with those in place of the shipped ones that were registered or are given."""

    def __init__(self, language: Language = Language.ZH, texts: Mapping[str, str] | None = None) -> None:
        self._language = language
        self._texts = _REGISTERED[language] | dict(texts or {})

    def fill(self, name: str, /, **values: str) -> str:
        """The prompt `name` with its `{placeholders}` filled. Raises KeyError for a placeholder without value."""
        text = self._text(name)
        # One pass over the template: braces in documents and questions are text, not placeholders.
        return text.format_map(values) if values else text

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
        return self._texts.get(name) or _shipped(self._language, name)


@cache
def _shipped(language: Language, name: str) -> str:
    return (_FOLDER / language / f"{name}.md").read_text(encoding="utf-8").rstrip("\n")
