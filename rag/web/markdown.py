"""A model's Markdown as HTML that is harmless by the way it is made: no raw HTML, no image, no link but to the web."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from html import escape
from itertools import pairwise
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.texmath import texmath_plugin
from mdit_py_plugins.texmath.index import RuleDictType, make_inline_func

from rag.citations import MARKER
from rag.language.folding import TURNING
from rag.types import CheckedSentence
from rag.web.emphasis import CjkInline
from rag.web.formula import mathml
from rag.web.markup import cell_kind

# What stands in the place of a marker: of its number, and of the place of its sentence among those checked, if known.
Cite = Callable[[int, int | None], str]

_LINK = re.compile(r"(https?://|mailto:)", re.IGNORECASE)
# A marker is followed by its sentence's place, in characters that no text has a use for; an added one ends otherwise.
_FLAG = re.compile("\ue000(\\d*)[\ue001\ue002]")
_FLAGGED = re.compile(f"{MARKER.pattern}(?:{_FLAG.pattern})?")
_ADDED = re.compile("\\[(\\d+)\\]\ue000(\\d+)\ue002")
_ADDED_TO_LINK = re.compile(f"{_ADDED.pattern}|%5B\\d+%5D%EE%80%80\\d+%EE%80%82", re.IGNORECASE)
_PRIVATE = str.maketrans("", "", "\ue000\ue001\ue002")
_TURNING = str.maketrans("", "", TURNING)
# "\\[…\\]" inside a paragraph, which the plugin leaves out.
_DISPLAYED: RuleDictType = {
    "name": "math_inline_double",
    "rex": re.compile(r"^\\\[(.+?)\\\]", re.DOTALL),
    "tag": "\\[",
    "tmpl": "",
}
_UNFINISHED_MARKER = re.compile(r"[\[【［][\d\s,，、]*\Z")
_CLOSING = re.compile("[。，、；：！？）」』”’…,.;:!?)]+")
_LONG_FORMULA = 30  # characters of LaTeX: it may be wider than a phone, and is scrolled there
_LINE_END = re.compile(r"\r\n?")  # which the parser takes for "\n", and no other sign for the end of a line
_TRAILING_STARS = re.compile(r"\*+\Z")


def markdown(text: str, cite: Cite, checked: Sequence[CheckedSentence] = ()) -> str:
    """An answer as HTML, each number of its [n] markers replaced by what `cite` makes of it.

    With its `checked` sentences, which count characters of `text`, the markers that these should have are added.
    """
    return _html(_flagged(text, checked), {"cite": cite})


def _flagged(text: str, checked: Sequence[CheckedSentence]) -> str:
    """The text with each checked sentence's place behind its markers, and the markers that it lacks."""
    pieces: list[str] = []
    position = 0
    for place, sentence in enumerate(checked):
        pieces.append(text[position : sentence.start].translate(_PRIVATE))
        body = text[sentence.start : sentence.end].translate(_PRIVATE)
        body = MARKER.sub(f"\\g<0>\ue000{place}\ue001", body)
        added = "".join(f"[{number}]\ue000{place}\ue002" for number in sentence.added)
        row = body.endswith("|")
        pieces.append(f"{body[:-1]}{added}|" if row else f"{body}{added}")
        position = sentence.end
    return "".join([*pieces, text[position:].translate(_PRIVATE)])


class GrowingMarkdown:
    """An answer that arrives in pieces, as HTML by blocks: all but the last one are settled and never read again."""

    def __init__(self) -> None:
        self._settled: list[str] = []
        self._read = 0

    def blocks(self, text: str, cite: Cite) -> list[str]:
        """The HTML of each paragraph, list, table … of the text so far, which begins with what it was before."""
        rest = _LINE_END.sub("\n", text.translate(_PRIVATE))[self._read :]
        env = {"cite": cite}
        *whole, last = _split(_parser().parse(rest, env)) or [[]]
        for block in whole:
            self._settled.append(_render(block, env))
        if whole and last:
            begin = (last[0].map or [0])[0]
            length = sum(len(line) + 1 for line in rest.split("\n")[:begin])
            self._read += length
            rest = rest[length:]
        return [*self._settled, _html(_steady(rest), env)]


def _split(tokens: list[Token]) -> list[list[Token]]:
    """The tokens of each block that stands by itself."""
    begins = [place for place, token in enumerate(tokens) if token.level == 0 and token.nesting >= 0]
    return [tokens[begin:end] for begin, end in pairwise([*begins, len(tokens)])]


def _html(text: str, env: dict[str, Any]) -> str:
    return _render(_parser().parse(text, env), env)


def _render(tokens: list[Token], env: dict[str, Any]) -> str:
    return str(_parser().renderer.render(tokens, _parser().options, env)).translate(_TURNING)


def _steady(text: str) -> str:
    """An unfinished block without what would look different in a moment: half a marker, emphasis not yet closed."""
    if text.count("```") % 2:
        return text
    text = _TRAILING_STARS.sub("", _UNFINISHED_MARKER.sub("", text))
    return f"{text}**" if text.count("**") % 2 else text


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt()
    parser.inline = CjkInline()
    parser.configure("commonmark", {"html": False, "breaks": True})
    parser.enable(["table", "strikethrough"])
    # "reference" would let a line such as "[1]: http://…" turn every marker [1] into a link.
    parser.disable(["image", "reference", "html_block", "html_inline"])
    parser.use(texmath_plugin, delimiters="brackets")
    parser.use(
        dollarmath_plugin,
        allow_labels=False,
        allow_space=False,
        allow_digits=False,
        allow_blank_lines=False,
        double_inline=True,
    )
    parser.inline.ruler.before("escape", "math_displayed", make_inline_func(_DISPLAYED))
    for name in ("math_inline", "math_inline_double", "math_block", "math_block_eqno"):
        parser.add_render_rule(name, _formula)
    parser.validateLink = lambda url: bool(_LINK.match(url))  # type: ignore[method-assign]
    parser.add_render_rule("link_open", _link_open)
    for name in ("th_open", "td_open"):
        parser.add_render_rule(name, _cell)
    # What "&#xe000;" or "%EE%80%80" stands for must not pass for a flag of ours.
    parser.core.ruler.before("text_join", "citations", _cite)
    parser.core.ruler.push("numbers", _number)
    parser.normalizeLinkText = str  # type: ignore[assignment, method-assign]
    return parser


def _formula(_renderer: Any, tokens: list[Token], index: int, _options: Any, _env: Any) -> str:
    display = tokens[index].type != "math_inline"
    latex = tokens[index].content.strip()
    formula, sign = mathml(latex, display), "$$" if display else "$"
    written = f'data-latex="{escape(f"{sign}{latex}{sign}")}"'
    if tokens[index].block:
        return f'<div class="formula" tabindex="0" {written}>{formula}</div>'
    scrolled = ' class="formula" tabindex="0"' if len(latex) > _LONG_FORMULA else ""
    return f"<span{scrolled} {written}>{formula}</span>"


def _link_open(renderer: Any, tokens: list[Token], index: int, options: Any, env: Any) -> str:
    tokens[index].attrs.update({"target": "_blank", "rel": "noopener noreferrer nofollow"})
    return str(renderer.renderToken(tokens, index, options, env))


def _cell(renderer: Any, tokens: list[Token], index: int, options: Any, env: Any) -> str:
    tokens[index].attrs["class"] = cell_kind(len(_FLAGGED.sub("", tokens[index + 1].content)))
    return str(renderer.renderToken(tokens, index, options, env))


def _number(state: StateCore) -> None:
    """Leave a list the numbers that it was written with: items that are quoted keep theirs; `1. 1. 1.` is counted."""
    lists: list[list[Token]] = []
    for token in state.tokens:
        if token.type == "ordered_list_open":
            lists.append([])
        elif token.type == "list_item_open" and token.info:
            lists[-1].append(token)
        elif token.type == "ordered_list_close":
            items = lists.pop()
            numbers = [int(item.info) for item in items]
            for item, before, number in zip(items[1:], numbers, numbers[1:], strict=False):
                if number != before + 1 and len(set(numbers)) > 1:
                    item.attrs["value"] = number


def _cite(state: StateCore) -> None:
    for token in state.tokens:
        if token.type == "inline" and token.children:
            token.children = list(_with_markers(token.children, state.env["cite"]))
        else:
            token.content = _FLAG.sub("", _ADDED.sub("", token.content))


def _with_markers(tokens: Iterable[Token], cite: Cite) -> Iterator[Token]:
    """A paragraph with its markers; what is added within code, a formula or a link stands behind that."""
    held, is_link = "", False
    for token in tokens:
        is_link = token.type == "link_open" or (is_link and token.type != "link_close")
        if is_link or token.type != "text":
            held += "".join(cite(int(match[1]), int(match[2])) for match in _ADDED.finditer(token.content))
            token.content = _ADDED.sub("", token.content)
            token.attrs = {name: _ADDED_TO_LINK.sub("", str(value)) for name, value in token.attrs.items()}
        yield from _cited(token, cite)
        if held and not is_link:
            yield from _glued("", held)
            held = ""


def _cited(token: Token, cite: Cite) -> list[Token]:
    """A text token cut at its markers, which become HTML of ours; in code and formulas nothing is a marker."""
    if token.type != "text":
        token.content = _FLAG.sub("", token.content)
        return [token]
    runs: list[list[str]] = []
    position = 0
    for match in _FLAGGED.finditer(token.content):
        before = token.content[position : match.start()]
        place = int(match[2]) if match[2] else None
        buttons = "".join(cite(int(number), place) for number in re.findall(r"\d+", match[1]))
        if runs and not before.strip():
            runs[-1][1] += buttons
        else:
            runs.append([before.rstrip() if before.strip() else before, buttons])
        position = match.end()
        if closing := _CLOSING.match(token.content, position):
            runs[-1][1] += escape(closing[0])
            position = closing.end()
    rest = _FLAG.sub("", token.content[position:])
    return [piece for before, buttons in runs for piece in _glued(before, buttons)] + [
        Token("text", "", 0, content=rest)
    ]


def _glued(before: str, buttons: str) -> list[Token]:
    """A text and the buttons behind it, kept on a line with its last character: else a line could begin with them."""
    last = "" if before[-1:].isspace() else before[-1:]
    return [
        Token("text", "", 0, content=before.removesuffix(last)),
        Token("html_inline", "", 0, content=f'<span class="cited">{escape(last)}{buttons}</span>'),
    ]
