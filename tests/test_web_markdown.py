"""A model's Markdown as HTML: what becomes a tag, a link, a marker, a formula."""

import re
from xml.etree.ElementTree import Element

import pytest

from rag.citations.sentences import sentences
from rag.i18n import Language
from rag.types import CheckedSentence, Message, Support, Verification
from rag.web.chat.render_marks import checked, places_of, unchecked
from rag.web.formula import mathml
from rag.web.markdown import GrowingMarkdown
from rag.web.markdown import markdown as rendered
from tests.samples_web import ANSWER, HOSTILE, evidence
from tests.tags import Tags

ZH = Language.ZH
PAGE = "第 12 页"
TABLE = "| 符号 | 义 |\n|---|---|\n| $x$ | 甲[1] |"
LONG = f"{ANSWER}\n\n{TABLE}\n\n```python\na = [1]\n\nb = 2\n```\n\n$$\nx^2\n$$\n\n1. 甲\n\n2. **乙：**丙\n\n末[2]"


def markdown(text: str, numbers: set[int] | tuple[()] = ()) -> str:
    return rendered(text, unchecked(dict.fromkeys(numbers, PAGE), ZH))


@pytest.mark.parametrize(
    ("answer", "link"),
    [
        ("[a](javascript:alert(1))", None),
        ("[a](data:text/html,x)", None),
        ("[a](vbscript:x)", None),
        ("<javascript:alert(1)>", None),
        ("[a](/etc/passwd)", None),
        ("[a](https://example.org)", "https://example.org"),
        ("[1]: https://example.org\n\n[1]", None),
    ],
)
def test_only_web_and_mail_links_are_links(answer: str, link: str | None) -> None:
    assert Tags(markdown(answer, {1})).attributes.get("href") == link


def test_an_image_is_never_loaded() -> None:
    assert "<img" not in markdown("![x](https://example.org/x.png)")


def test_angle_brackets_in_an_answer_are_shown() -> None:
    assert Tags(markdown("用 List<String> 或 `Map<K, V>`")).text.strip() == "用 List<String> 或 Map<K, V>"


@pytest.mark.parametrize("turned", ["\u202e10", "&#8238;10", "&#x2067;10\u2069", "`\u202e10`", "$\u202e10$"])
def test_no_answer_turns_the_direction_in_which_it_is_read(turned: str) -> None:
    (growing,) = GrowingMarkdown().blocks(f"可借{turned}册", unchecked({}, ZH))
    for html in (markdown(f"可借{turned}册"), growing):
        assert Tags(html).text.strip() == "可借10册"


def test_markers_become_buttons_in_every_form_that_models_write() -> None:
    html = Tags(markdown("甲[1]乙【2】丙[1、2]", {1, 2}))
    assert html.tags.count("button") == 4
    assert html.text.strip() == "甲1乙2丙12"


def test_a_marker_without_evidence_is_doubtful() -> None:
    assert 'class="cite doubtful" data-cite="7"' in markdown("甲[7]", {1})


def test_a_marker_inside_code_stays_code() -> None:
    assert "<button" not in markdown("`list[1]`", {1})


@pytest.mark.parametrize(
    ("text", "display"),
    [
        ("其中$x^2$是", "inline"),
        (r"其中\(x^2\)是", "inline"),
        ("$$\nx^2\n$$", "block"),
        ("式：\n$$\nx^2\n$$\n完", "block"),
        ("\\[\nx^2\n\\]", "block"),
        (r"式 \[x^2\] 完", "block"),
    ],
)
def test_latex_becomes_mathml(text: str, display: str) -> None:
    assert f'<math display="{display}"><mrow><msup><mi>x</mi><mn>2</mn></msup>' in markdown(text)


def test_a_long_formula_within_a_sentence_can_be_scrolled() -> None:
    long, short = " + ".join(f"x_{{{number}}}" for number in range(9)), "x_{1} + x_{2}"
    scrolled = f'有<span class="formula" tabindex="0" data-latex="${long}$"><math display="inline">'
    assert scrolled in markdown(f"有${long}$。")
    assert f'有<span data-latex="${short}$"><math' in markdown(f"有${short}$。")


def test_prices_are_no_formulas() -> None:
    assert "<math" not in markdown("从 $5 到 $10，省 $3")


@pytest.mark.parametrize(
    "latex",
    [r"\text{<script>window.stolen=1</script>}", r"\href{javascript:1}{x}", r"\style{color:red}{x}", r"\class{a}{x}"],
)
def test_a_hostile_formula_only_draws(latex: str) -> None:
    html = Tags(mathml(latex, display=False))
    assert set(html.tags) <= {"math", "mrow", "mi", "mtext"}
    assert set(html.attributes) <= {"display"}


def test_a_formula_of_tags_that_do_not_draw_is_shown_as_it_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rag.web.formula.convert_to_element", lambda *_, **__: Element("script"))
    assert mathml("x", display=False) == "<code>x</code>"


@pytest.mark.parametrize("latex", [r"\frac{", r"\begin{matrix}", "x" * 3000])
def test_a_formula_that_cannot_be_read_is_shown_as_it_is_written(latex: str) -> None:
    assert mathml(latex, display=True) == f"<code>{latex}</code>"


def test_an_answer_in_pieces_comes_to_the_same_as_at_once() -> None:
    growing, cite = GrowingMarkdown(), unchecked({1: PAGE, 2: PAGE}, ZH)
    for end in range(1, len(LONG), 3):
        growing.blocks(LONG[:end], cite)
    assert "".join(growing.blocks(LONG, cite)) == rendered(LONG, cite)


@pytest.mark.parametrize("sign", ["\u2028", "\u0085", "\v", "\f", "\r", "\r\n"])
def test_no_paragraph_is_repeated_behind_a_sign_that_ends_a_line_elsewhere(sign: str) -> None:
    growing, cite, whole = GrowingMarkdown(), unchecked({}, ZH), f"甲{sign}乙{sign}丙{sign}丁\n\n戊\n\n己"
    for end in range(1, len(whole)):
        growing.blocks(whole[:end], cite)
    assert "".join(growing.blocks(whole, cite)) == rendered(whole, cite)


def test_settled_blocks_are_never_changed_by_what_follows() -> None:
    growing, cite = GrowingMarkdown(), unchecked({1: PAGE, 2: PAGE}, ZH)
    before: list[str] = []
    for end in range(1, len(LONG)):
        blocks = growing.blocks(LONG[:end], cite)
        assert blocks[: len(before) - 1] == before[:-1]
        before = blocks


@pytest.mark.parametrize("cut", ["错误码是**字符", "错误码是**", "错误码[", "错误码【1"])
def test_a_half_marker_and_half_an_emphasis_do_not_flicker(cut: str) -> None:
    text = Tags(GrowingMarkdown().blocks(cut, unchecked({1: PAGE}, ZH))[-1]).text
    assert not set("*[【") & set(text)


def test_each_marker_tells_whether_its_sentence_is_borne_out() -> None:
    answer = "甲[1]。乙[2]。丙。`[2]`"
    verification = Verification(
        (
            CheckedSentence(0, 5, Support.SUPPORTED, (1,)),
            CheckedSentence(5, 10, Support.UNVERIFIED, (2,), reason=Message("citation.number", {"text": "<7>"})),
            CheckedSentence(10, 12, Support.SUPPORTED, (), added=(1,)),
            CheckedSentence(12, 17, Support.UNMARKED),
        )
    )
    html = rendered(answer, checked({1: PAGE, 2: PAGE}, verification, ZH), verification.sentences)
    kinds = [piece.split('"', 1)[0] for piece in html.split('<button type="button" class="')[1:]]
    assert kinds == ["cite", "cite doubtful", "cite added"]
    assert "待核对：所引资料中没有“&lt;7&gt;”这个数" in html
    assert Tags(html).text.strip() == "甲1。乙2。丙。1[2]"


def test_a_marker_names_the_page_the_sheet_or_the_slide_that_it_leads_to_and_of_which_file() -> None:
    files = {1: "手册<a>.pdf", 2: "表.xlsx", 3: "讲稿.pptx"}
    items = [evidence(number, document_name=name, page=2, last_page=3) for number, name in files.items()]
    html = rendered("甲[1][2][3]", unchecked(places_of(items, ZH), ZH))
    places = ("第 2–3 页 · 手册&lt;a&gt;.pdf", "第 2–3 个工作表 · 表.xlsx", "第 2–3 张幻灯片 · 讲稿.pptx")
    for number, place in enumerate(places, 1):
        title = f"出处 {number}，{place}"
        assert f'data-source-place="{place}" title="{title}" aria-label="{title}"' in html


def test_a_marker_in_whose_place_another_was_put_is_struck_and_tells_which() -> None:
    sentence = CheckedSentence(0, 5, Support.SUPPORTED, (1,), added=(2,), doubtful=(1,))
    verification = Verification((sentence,))
    html = rendered("甲[1]。", checked({1: PAGE, 2: PAGE}, verification, ZH), verification.sentences)
    assert [piece.split('"', 1)[0] for piece in html.split('class="')[1:] if piece.startswith("cite ")] == [
        "cite corrected",
        "cite added",
    ]
    assert "出处 1 没有这样说，程序已改标出处 2" in html


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("甲`a！", "b`丙", "</code>"),
        ("甲$a！", "b$丙", "</math>"),
        (r"甲\(a！", r"b\)丙", "</math>"),
        ("甲[文！", "字](https://example.org)丙", "</a>"),
        ("甲<https://example.org/?", "b>丙", "</a>"),
        ("甲。", "丙", "甲"),
    ],
)
def test_a_marker_that_is_added_within_code_a_formula_or_a_link_stands_behind_it(
    before: str, after: str, shown: str
) -> None:
    html = _with_one_added(before, after)
    assert html.count('class="cite added"') == 1 and "[1]" not in html
    assert html.index(shown) < html.index("<button") < html.index("丙")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("    a！", "b\n\n丙"),
        ("$$\na！", "b\n$$\n\n丙"),
        ("[甲](https://example.org/?", "b)丙"),
        ('[甲](https://example.org "题！', '")丙'),
    ],
)
def test_a_marker_leaves_blocks_of_code_and_formulas_and_addresses_as_they_are(before: str, after: str) -> None:
    assert _with_one_added(before, after) == markdown(before + after)


def test_an_exclamation_mark_before_an_image_ends_no_sentence() -> None:
    assert [sentence.text for sentence in sentences("见图![图](https://example.org)。好![1]完。")] == [
        "见图![图](https://example.org)。",
        "好!",
        "完。",
    ]


def _with_one_added(before: str, after: str) -> str:
    """The HTML of a text whose first sentence, which ends after `before`, has a marker added."""
    verification = Verification((CheckedSentence(0, len(before), Support.SUPPORTED, added=(1,)),))
    return rendered(before + after, checked({1: PAGE}, verification, ZH), verification.sentences)


@pytest.mark.parametrize(
    "text",
    [
        "甲[1]\ue0007\ue001",
        "甲[1]&#xe000;7&#xe001;",
        "甲<https://example.org/[1]%EE%80%807%EE%80%81>",
        "[1]\ue0007\ue002",
    ],
)
def test_no_text_can_pretend_to_be_checked(text: str) -> None:
    cited: list[int | None] = []

    def cite(_: int, place: int | None) -> str:
        cited.append(place)
        return ""

    rendered(text, cite)
    assert cited == [None]


def test_a_hostile_answer_brings_no_tag_attribute_or_hook_of_its_own() -> None:
    text = f'{HOSTILE}\n\n<form data-act="forget"><button data-page="theme" style="color:red">x</button></form>'
    html = Tags(markdown(text))
    assert set(html.tags) <= {"p", "a", "span", "math", "mrow", "mi", "mn", "mo", "msup"}
    assert set(html.attributes) <= {"href", "target", "rel", "class", "tabindex", "display", "data-latex"}


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("2. 病假附证明[1]\n4. 急病先打电话[2]\n5. 事后补假[2]", ["4"]),
        ("3. 甲\n1. 乙", ["1"]),
        ("> 1) 甲\n> 3) 乙\n>    1. 丙\n>    2. 丁", ["3"]),
        ("1. 甲\n1. 乙\n1. 丙", []),
    ],
)
def test_quoted_items_keep_their_numbers_where_they_do_not_follow_each_other(text: str, numbers: list[str]) -> None:
    assert re.findall(r'<li value="(\d+)">', markdown(text, {1, 2})) == numbers
