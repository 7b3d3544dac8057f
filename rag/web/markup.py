"""Hostile text made harmless: everything that documents, file names and models bring goes through here."""

import re
from collections.abc import Collection
from functools import cache
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from rag import i18n
from rag.citations import MARKER
from rag.i18n import Language
from rag.types import Message, Provider

_LINK = re.compile(r"(https?://|mailto:)", re.IGNORECASE)


def said(language: Language, key: str, **values: object) -> str:
    """A sentence of the interface as HTML, its values escaped with it."""
    return escape(i18n.text(language, f"web.{key}", **values))


def markdown(text: str, numbers: Collection[int], language: Language) -> str:
    """A model's answer as HTML, its [n] markers as buttons that show source n.

    Raw HTML is shown as text; images are never loaded; links lead to http, https and mail only.
    A marker without evidence in `numbers` is marked as doubtful.
    """
    return str(_parser().render(text, {"numbers": frozenset(numbers), "language": language}))


def plain(text: str) -> str:
    """A document's or person's text as HTML, its line breaks kept."""
    return escape(text.strip()).replace("\n", "<br>")


def model_name(model: str, language: Language) -> str:
    """A model's name; where answers are quotations, that."""
    return said(language, "model.extractive") if model == Provider.EXTRACTIVE else escape(model)


def marker(number: int, known: bool, language: Language) -> str:
    """The button of one citation."""
    title = said(language, "chat.show_source" if known else "chat.unknown_source", number=number)
    kind = "cite" if known else "cite doubtful"
    return f'<button type="button" class="{kind}" data-cite="{number}" title="{title}">{number}</button>'


def notice(message: Message, language: Language, action: str = "") -> str:
    """A sentence on what is the matter, with what can be done."""
    return f'<p class="notice" role="alert"><span>{escape(i18n.sentence(language, message))}</span>{action}</p>'


@cache
def _parser() -> MarkdownIt:
    # "reference" would let a line such as "[1]: http://…" turn every marker [1] into a link.
    parser = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(["table", "strikethrough"])
    parser.disable(["image", "reference", "html_block", "html_inline"])
    parser.validateLink = lambda url: bool(_LINK.match(url))  # type: ignore[method-assign]
    parser.add_render_rule("link_open", _link_open)
    parser.core.ruler.push("citations", _cite)
    return parser


def _link_open(renderer: Any, tokens: list[Token], index: int, options: Any, env: Any) -> str:
    tokens[index].attrs.update({"target": "_blank", "rel": "noopener noreferrer nofollow"})
    return str(renderer.renderToken(tokens, index, options, env))


def _cite(state: StateCore) -> None:
    for token in state.tokens:
        if token.type == "inline" and token.children:
            token.children = [piece for child in token.children for piece in _cited(child, state.env)]


def _cited(token: Token, env: Any) -> list[Token]:
    """A text token cut at its markers, which become HTML of ours."""
    if token.type != "text":
        return [token]
    pieces: list[Token] = []
    position = 0
    for match in MARKER.finditer(token.content):
        pieces.append(Token("text", "", 0, content=token.content[position : match.start()]))
        buttons = "".join(
            marker(int(number), int(number) in env["numbers"], env["language"])
            for number in re.findall(r"\d+", match[1])
        )
        pieces.append(Token("html_inline", "", 0, content=buttons))
        position = match.end()
    return [*pieces, Token("text", "", 0, content=token.content[position:])]
