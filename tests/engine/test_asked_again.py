"""What "那上海呢？" asks again, of which only the documents tell whether it names a whole or a part."""

import pytest

from rag.engine import Engine
from rag.evidence import is_unanswered
from rag.types import Decision
from tests.engine.rig import Build, over_files
from tests.knowledge import Store

PAGES = (
    "北京的住宿标准为每晚五百五十元。",
    "上海的住宿标准为每晚五百三十元。",
    "北京的餐费补贴为每天一百元。",
    "正式员工的年假为十天。",
    "实习生的年假为三天。",
    "病假最多十五天，按基本工资的百分之七十发放。",
)


@pytest.fixture
def engine(build: Build, store: Store) -> Engine:
    """One that searches the pages."""
    store.put("me", "制度.pdf", *PAGES)
    return over_files(build, store, *["是[1]。"] * 6)


@pytest.mark.parametrize(
    ("earlier", "question", "searched"),
    [
        ("北京的住宿标准是多少？", "上海呢？", "上海的住宿标准是多少？"),
        ("北京的住宿标准是多少？", "那餐费补贴呢？", "北京的餐费补贴是多少？"),
        ("正式员工的年假有几天？", "实习生呢？", "实习生的年假有几天？"),
        ("年假有几天？", "那病假呢？", "病假有几天？"),
    ],
)
def test_what_is_asked_again_is_asked_of_what_the_documents_tell_most_of(
    earlier: str, question: str, searched: str, engine: Engine
) -> None:
    engine.ask(earlier, "me")
    assert engine.ask(question, "me").generated_question == searched


def test_what_follows_is_asked_of_what_was_asked_of_again(engine: Engine) -> None:
    for question in ("年假能折现吗？", "病假呢？"):
        engine.ask(question, "me")
    assert engine.ask("按多少发放？", "me").generated_question == "病假按多少发放？"


def test_who_doubts_that_there_is_no_answer_has_the_question_searched_for_again(engine: Engine) -> None:
    engine.ask("上海的住宿标准是多少？", "me")
    refused = engine.ask("停车费由谁承担？", "me")
    doubted = engine.ask("你确定吗？", "me")
    assert is_unanswered(refused) and doubted.decision is Decision.RETRIEVE
    assert doubted.generated_question == "停车费由谁承担？"
