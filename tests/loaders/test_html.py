"""Pages of HTML: what is read of them and what is not, their encodings, and pages that mean harm."""

import socket
from contextlib import suppress
from pathlib import Path

import pytest

from loaders import load
from loaders.kind import FileKind, identify
from rag.errors import DamagedFile, EmptyFile, MismatchedFile, NotText
from rag.types import Heading, LoadedDocument
from tests.waiting import within_seconds


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "页.html"


def read(path: Path, body: str, title: str = "", encoding: str = "utf-8") -> LoadedDocument:
    head = f"<head><title>{title}</title></head>" if title else ""
    path.write_bytes(f"<!DOCTYPE html><html>{head}<body>{body}</body></html>".encode(encoding))
    return load(path)


def lines(path: Path, body: str) -> list[str]:
    return read(path, body).text.split("\n")


def test_headings_make_the_outline_and_text_is_set_as_a_browser_sets_it(path: Path) -> None:
    first, second = (
        "<h1>员工<em>手册</em></h1>\n<p>年假为\n   十天。</p>",
        "<div>需要 sick\nleave <b>证明</b><br>原件</div>",
    )
    body = f"{first}<h3>病假<br>说明</h3>{second}"
    document = read(path, body)
    assert document.text.split("\n") == ["员工手册", "年假为十天。", "病假 说明", "需要 sick leave 证明", "原件"]
    assert document.outline == (Heading(1, "员工手册", 1), Heading(3, "病假 说明", 1))


def test_the_title_is_the_first_heading_unless_a_heading_says_the_same(path: Path) -> None:
    document = read(path, "<h1>第一章</h1><p>甲</p><h2>第一节</h2><p>乙</p>", title="员工\n手册")
    assert document.text.startswith("员工 手册\n第一章")
    assert document.outline == (Heading(1, "员工 手册", 1), Heading(2, "第一章", 1), Heading(3, "第一节", 1))
    document = read(path, "<h1>员工手册</h1><p>甲</p><h2>第一节</h2>", title="员工手册 - 某某公司")
    assert document.outline[0] == Heading(1, "员工手册", 1) and "某某公司" not in document.text


def test_items_of_numbered_lists_have_their_numbers(path: Path) -> None:
    nested = "<ol><li>甲<ul><li>子项<ol start=5><li>丙</ol></ul><li value=9><p>乙</p><p>续</p></ol>"
    assert lines(path, nested) == ["1. 甲", "子项", "5. 丙", "9. 乙", "续"]


def test_a_term_leads_on_to_its_definition_and_no_other_line_does(path: Path) -> None:
    body = "<dl><dt>年假<dd>带薪的假。<dt>PTO<dd>Paid time off.<dt>第一章<dd><dl><dt>第一节</dl><dt>甲：<dd>乙</dl>"
    assert lines(path, body) == ["年假：", "带薪的假。", "PTO:", "Paid time off.", "第一章", "第一节", "甲：", "乙"]


def test_a_table_has_a_line_for_each_row_with_what_is_merged_over_rows_in_each(path: Path) -> None:
    body = (
        "<p>见下表：</p><table><caption>报价</caption><tr><th>地区<th>门店<th>金额</tr>"
        "<tr><td rowspan=2>华东<td>一店<td>5<script>x</script></tr><tr><td>二店<td>6</tr></table><p>含税。</p>"
    )
    assert lines(path, body) == [
        "见下表：",
        "报价",
        "地区 | 门店 | 金额",
        "华东 | 一店 | 5",
        "华东 | 二店 | 6",
        "含税。",
    ]


@pytest.mark.parametrize(
    "table",
    [
        "<table><tr><td><h2>题</h2><td><p>文</p></table>",
        "<table><tr><td>题<td><table><tr><td>文</table></table>",
        "<table role=presentation><tr><td>题<td>文</table>",
        "<table><tr><td>题</table><table><tr><td><img><td>文</table>",
    ],
)
def test_a_table_that_only_places_text_is_no_table(path: Path, table: str) -> None:
    assert lines(path, table) == ["题", "文"]


def test_a_cell_below_a_title_may_hold_a_list(path: Path) -> None:
    table = "<table><tr><th>套餐<th>月费<tr><td>高级<td><ul><li>39元<li>送10GB</ul></table>"
    assert lines(path, table) == ["套餐 | 月费", "高级 | 39元 送10GB"]


def test_code_keeps_its_lines_and_their_indents(path: Path) -> None:
    body = "<p>如下</p><pre><code>def f(x):\n\n\treturn <b>x</b>&lt;1\n</code></pre>"
    assert lines(path, body) == ["如下", "def f(x):", "    return x<1"]


def test_a_power_is_told_from_a_note(path: Path) -> None:
    assert lines(path, "<p>10<sup>5</sup> 次<sup>2</sup>，见<sup><a href='#n'>3</a></sup></p>") == ["10^5 次2，见3"]


@pytest.mark.parametrize(
    "left_out",
    [
        "<script>密</script>",
        "<style>密</style>",
        "<nav>密</nav>",
        "<footer>密</footer>",
        "<aside>密</aside>",
        "<noscript>密</noscript>",
        "<template>密</template>",
        "<header>密</header>",
        "<div hidden>密</div>",
        "<div aria-hidden='true'>密</div>",
        "<div style='color:red; DISPLAY : none'>密</div>",
        "<div role=navigation>密</div>",
        "<div class='top breadcrumb'>密</div>",
        "<select><option>密</select>",
        "<iframe srcdoc='密'>密</iframe>",
        "<a class=headerlink href='#x'>¶</a>",
        "<!-- 密 -->",
        "<del>密</del>",
        "<svg><text>密</text></svg>",
    ],
)
def test_what_is_not_shown_or_not_of_the_page_is_left_out(path: Path, left_out: str) -> None:
    assert lines(path, f"<p>前</p>{left_out}<p>后</p>") == ["前", "后"]


def test_a_header_with_the_title_of_the_page_is_read(path: Path) -> None:
    assert lines(path, "<header><h1>题</h1></header><p>文</p>") == ["题", "文"]


def test_the_main_part_is_read_alone_where_it_holds_most_of_the_text(path: Path) -> None:
    assert lines(path, "<div>菜单</div><main><p>正文很长很长。</p></main>") == ["正文很长很长。"]
    assert lines(path, "<div>外面的文字很长很长。</div><main>短</main>") == ["外面的文字很长很长。", "短"]
    assert lines(path, "<article>一篇文章</article><article>另一篇</article>") == ["一篇文章", "另一篇"]


def test_a_list_of_the_headings_below_is_left_out_so_that_a_passage_stands_under_its_own(path: Path) -> None:
    contents = "<h1>手册</h1><p>目录</p><ul><li>年假<li>病假</ul>"
    assert lines(path, f"{contents}<h2>年假</h2><p>十天。</p><h2>病假</h2><p>年假</p>") == [
        "手册",
        "年假",
        "十天。",
        "病假",
        "年假",
    ]


@pytest.mark.parametrize(
    ("encoding", "head"),
    [
        ("utf-8", ""),
        ("utf-8", "<meta charset=gb2312>"),
        ("utf-8-sig", ""),
        ("utf-16", ""),
        ("gb18030", ""),
        ("gb18030", "<meta charset=gb2312>"),
        ("gb18030", "<meta charset=utf-8>"),
        ("gb18030", "<meta charset=iso-8859-1>"),
        ("gb18030", "<meta charset=没有>"),
        ("big5", "<meta http-equiv=Content-Type content='text/html; charset=big5'>"),
    ],
)
def test_the_encoding_is_found_whatever_a_page_says_of_itself(path: Path, encoding: str, head: str) -> None:
    text = "年假最多十天，病假需要醫院的證明，事假要提前三天申請。" * 3
    path.write_bytes(f"<html><head>{head}</head><p>{text}</p></html>".encode(encoding))
    assert load(path).text == text


def test_a_declared_encoding_is_taken_that_no_text_file_is_guessed_to_have(path: Path) -> None:
    text = "これは日本語の文章です。休暇は十日です。"
    path.write_bytes(f"<html><meta charset='Shift_JIS'><p>{text}</p></html>".encode("cp932"))
    assert load(path).text == text
    path.write_bytes(f"<html><meta charset='iso-2022-jp'><p>{text}</p></html>".encode("iso-2022-jp"))
    assert load(path).text == text


def test_entities_are_what_they_stand_for_and_a_character_that_is_none_is_no_harm(path: Path) -> None:
    assert lines(path, "<p>&lt;b&gt; &amp; &#20013;&nbsp;&yen;5&#0;</p>")[0].startswith("<b> & 中 ¥5")


@pytest.mark.parametrize("body", ["", "<script>document.write('甲')</script>", "<img src='a.png'>"])
def test_a_page_without_text_is_empty(path: Path, body: str) -> None:
    with pytest.raises(EmptyFile):
        read(path, body)


def test_a_page_is_told_by_its_name_or_by_how_it_begins(tmp_path: Path) -> None:
    fragment, page = tmp_path / "一", tmp_path / "二"
    fragment.write_text("<p>只有一段。</p>", encoding="utf-8")
    page.write_text("\ufeff\n<HTML><p>有头有尾。</p>", encoding="utf-8")
    assert identify(fragment, "a.htm") is identify(page, "a.xls") is identify(page, "a") is FileKind.HTML
    for name in ("a.txt", "a.md"):
        with pytest.raises(MismatchedFile) as caught:
            identify(page, name)
        assert caught.value.values["kind"] == "HTML"
    page.write_bytes(bytes(range(256)) * 20)
    with pytest.raises(NotText):
        identify(page, "a.html")


def test_nothing_is_fetched(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "secret").write_text("机密", encoding="utf-8")
    monkeypatch.setattr(socket, "socket", None)
    body = f"<!DOCTYPE x [<!ENTITY x SYSTEM 'file://{tmp_path}/secret'>]><base href='http://x.test/'><p>甲&x;</p>"
    links = "<link rel=import href='a.html'><object data='secret'></object><iframe src='secret'></iframe>"
    assert "机密" not in read(path, body + links).text


def test_a_page_that_is_not_read_to_its_end_says_so(path: Path) -> None:
    assert lines(path, "<div>" * 500 + "底") == ["底"]
    with pytest.raises(DamagedFile):
        read(path, "<p>甲</p>" + "<div>" * 5_000 + "底")


@pytest.mark.clock
@pytest.mark.parametrize(
    "body",
    [
        "<div>" * 50_000 + "底",
        "<table><tr><td>" * 3_000 + "底",
        "<p>" + "<i>甲\n</i>" * 50_000,
        "<p>甲" + "\n " * 500_000,
        "<div style='" + "display " * 100_000 + "'>甲</div>",
        "".join(f"<div><span hidden>密</span>第{number}段</div>" for number in range(10_000)),
        "<table>" + "<tr><td rowspan=99 colspan=99>甲" * 500 + "</table>",
    ],
    ids=["deep", "tables", "inline", "blanks", "style", "nodes", "spans"],
)
def test_no_page_takes_more_time_than_its_length_is_worth(path: Path, body: str) -> None:
    with within_seconds(5), suppress(DamagedFile):  # a tree that is too deep is not built
        read(path, body)
