"""How a conversation looks as a PDF: columns, the ends of lines, what is crossed out."""

import re
from io import BytesIO

import pytest
from pypdf import PdfReader

from rag.i18n import Language
from rag.web.chat.render_marks import unchecked
from rag.web.export.paper import to_pdf
from rag.web.export.tree import blocks
from rag.web.markdown import markdown
from tests.samples_web import evidence, turn

REMARK = "须在三十日内提交发票，逾期不予报销，特殊情况请联系财务"


def test_a_column_is_as_wide_as_what_stands_in_it() -> None:
    rows = ["级别|餐补|交通|通讯|住宿|备注", "-|-|-|-|-|-"]
    rows += [f"P{n}|100|200|300|每晚{n}元|{REMARK}" for n in range(30)]
    lines = printed("\n".join(f"|{row}|" for row in rows))
    assert lines.count(REMARK) == 30


@pytest.mark.parametrize("width", range(12))
def test_no_line_begins_with_what_ends_a_clause(width: int) -> None:
    lines = printed("起" * width + "这是一句，有；的：话！吗？（里）的《面》说。" * 30)
    assert len(lines) > 10
    assert not [line for line in lines if line.startswith(tuple("，；：！？）》。"))]


def test_what_is_crossed_out_is_so_on_paper() -> None:
    (paragraph,) = blocks(markdown("年假 ~~十~~ 五天", unchecked({}, Language.ZH)))
    assert paragraph.markup == "年假 <strike>十</strike> 五天"


def test_a_table_of_a_passage_is_one_on_paper() -> None:
    passage = "住宿标准如下。\n级别 | 餐补\n经理 | 100\n员工 | 80\n超出自理。"
    cited = turn("问", "经理一百[1]。", sources=(evidence(text=passage),))
    lines = text_of(to_pdf("题", (cited,), Language.ZH))
    begins = lines.index("住宿标准如下。")
    assert lines[begins + 1 : begins + 7] == ["级别", "餐补", "经理", "100", "员工", "80"]


def test_items_that_do_not_follow_each_other_keep_their_numbers_on_paper() -> None:
    lines = " ".join(printed("2. 病假附证明\n4. 急病先打电话\n5. 事后补假"))
    assert re.findall(r"\d(?=\. ?[病急事])", lines) == ["2", "4", "5"]


def printed(answer: str) -> list[str]:
    return text_of(to_pdf("题", (turn("问", answer),), Language.ZH))


def text_of(file: bytes) -> list[str]:
    return [line.strip() for page in PdfReader(BytesIO(file)).pages for line in page.extract_text().splitlines()]
