"""Which document comes first where several may answer: the one that the conversation has been about."""

from pathlib import Path

import pytest

from rag import events
from rag.engine import Engine
from rag.rerank.features import FeatureReranker
from rag.types import Evidence, TurnOptions
from tests.knowledge import TOKENIZER, Store
from tests.turn.rig import engine_over

ABOUT = ("甲基金跟踪恒生指数。", "乙项目派遣保洁人员。")
FEES = ("管理费为每年 300 元。", "管理费为每年 200 元。")
FIRST = ("甲基金跟踪什么？", "乙项目派遣什么人员？")
QUESTION = "每年的管理费要交多少元？"  # stands alone: no rewrite names what was spoken of


@pytest.fixture
def engine(store: Store, tmp_path: Path) -> Engine:
    for name, about, fee in zip("甲乙", ABOUT, FEES, strict=True):
        store.put("me", f"{name}.pdf", about, fee)
    return engine_over(store, tmp_path, *["如下[1]。"] * 4, reranker=FeatureReranker(TOKENIZER.words))


def best(engine: Engine, question: str, conversation: str) -> Evidence:
    """The passage that a turn finds, where it may bring in one."""
    *_, last = engine.stream(question, "me", conversation_id=conversation, options=TurnOptions(rerank_top_n=1))
    assert isinstance(last, events.Finished)
    return last.turn.sources[0]


@pytest.mark.parametrize(("first", "fee"), zip(FIRST, FEES, strict=True))
def test_of_two_documents_alike_the_one_answers_that_the_conversation_is_about(
    engine: Engine, first: str, fee: str
) -> None:
    conversation = engine.store.start("me")
    best(engine, first, conversation)
    assert best(engine, QUESTION, conversation).text == fee


def test_where_a_document_was_added_since_none_is_taken_for_the_one_that_is_meant(engine: Engine, store: Store) -> None:
    conversations = [engine.store.start("me") for _ in FIRST]
    for conversation, first in zip(conversations, FIRST, strict=True):
        best(engine, first, conversation)
    store.put("me", "丙.pdf", "丙酒店在海边。")
    assert len({best(engine, QUESTION, conversation).text for conversation in conversations}) == 1


def test_what_another_document_tells_is_found_there(engine: Engine) -> None:
    conversation = engine.store.start("me")
    assert [best(engine, first, conversation).document_name for first in FIRST] == ["甲.pdf", "乙.pdf"]
