"""A conversation over the reports of two companies, which have the same tables: whose figure is looked up."""

from collections.abc import Callable

import pytest

from rag.citations import verify
from rag.types import Support, Turn
from tests.engine.rig import Build, over_files, talk
from tests.knowledge import Store

Hold = Callable[..., list[Turn]]
# Each row stands on a page of its own, and the company's name on others.
ROWS = {"管理费用": "1,234,567.00", "存货": "7,654,321.00"}


@pytest.fixture
def hold(build: Build, store: Store) -> Hold:
    """Holds a conversation; each answer is a figure with a marker."""
    for name, company, digit in (
        ("a.pdf", "青禾股份 青禾生物股份有限公司", "1"),
        ("b.pdf", "东北电气发展股份有限公司", "2"),
    ):
        tables = (f"项目 | 本期\n{row} | {digit}{figure}" for row, figure in ROWS.items())
        store.put("me", name, f"{company}\n2020 年年度报告", *tables, f"{company}的董事会认为经营稳健。")

    def turns(*asked: tuple[str, str]) -> list[Turn]:
        questions, answers = zip(*asked, strict=True)
        return talk(over_files(build, store, *answers), *questions)

    return turns


def first(turn: Turn) -> tuple[str, str]:
    """The document and the row that stand first in a turn's evidence."""
    return turn.sources[0].document_name, turn.sources[0].text.split("\n")[-1].split(" | ")[0]


def test_what_is_asked_again_is_asked_of_the_company_that_is_named(hold: Hold) -> None:
    turns = hold(
        ("东北电气的管理费用是多少？", "21,234,567.00元[1]。"),
        ("存货呢？", "27,654,321.00元[2]。"),
        ("那青禾股份的呢？", "17,654,321.00元[3]。"),
        ("东北电气呢？", "27,654,321.00元[2]。"),
    )
    assert [turn.generated_question for turn in turns[1:]] == [
        "东北电气的存货是多少？",
        "青禾股份的存货是多少？",
        "东北电气的存货是多少？",
    ]
    assert [first(turn) for turn in turns] == [
        ("b.pdf", "管理费用"),
        ("b.pdf", "存货"),
        ("a.pdf", "存货"),
        ("b.pdf", "存货"),
    ]


def test_another_companys_figure_is_not_verified(hold: Hold) -> None:
    turns = hold(("东北电气和青禾股份的管理费用分别是多少？", "青禾股份的管理费用是21,234,567.00元[1]。"))
    [sentence] = verify(turns[0]).sentences
    assert {item.document_name for item in turns[0].sources[:2]} == {"a.pdf", "b.pdf"}
    assert sentence.support is Support.UNVERIFIED
