"""Values to show on the page, plain ones and hostile ones."""

import uuid
from dataclasses import replace
from datetime import UTC, datetime

from rag.i18n import Language
from rag.types import (
    Budget,
    Candidate,
    Document,
    DocumentStatus,
    Evidence,
    Span,
    Timing,
    Turn,
    TurnTrace,
    Usage,
)
from rag.web.readers import Scene
from rag.web.session import Visitor
from tests.samples import turn as plain_turn

HOSTILE = (
    "<script>window.stolen=1</script><img src=x onerror='window.stolen=1'>![x](http://198.51.100.7/x.png)"
    "[click](javascript:window.stolen=1)${window.stolen=1}{{constructor}}"
    "<form data-act='forget' style='color:red'><button data-page='theme'>x</button></form>"
    "$\\href{javascript:window.stolen=1}{x}$"
    '" onclick="window.stolen=1'
)
HANDBOOK = "Java开发手册（黄山版）.pdf"
ANSWER = (
    "错误码是**字符串类型**，共 5 位，由两部分组成：错误产生来源和四位数字编号 [1]。\n\n"
    "- 来源分为 A、B、C 三类 [1]\n- 编号从 0001 到 9999，大类之间预留步长 100 [2]\n\n不能直接输出给用户 [9]。"
)
BUDGET = Budget(limit=4096, system=180, summary=0, history=420, recalled=0, evidence=610, question=90, answer=512)


def candidate(chunk_id: int, **changes: object) -> Candidate:
    """A passage that was found first by both routes, stayed where it was, and is in the prompt."""
    item = Candidate(
        chunk_id=chunk_id,
        document_name=HANDBOOK,
        page=27,
        page_label="25",
        ranks={"chunk_dense": chunk_id, "chunk_sparse": chunk_id},
        fused=chunk_id,
        reranked=chunk_id,
        relevance=0.9,
        relevant=True,
        passage=chunk_id,
    )
    return replace(item, **changes)  # type: ignore[arg-type]


def searched() -> TurnTrace:
    """A search that the reranker turned round: passages 1 and 2 are used, 4 has no room, 5 is not relevant."""
    return TurnTrace(
        spans=(
            Span("decide", 0.0, 0.012),
            Span("embed", 0.012, 0.03),
            Span("chunk_dense", 0.03, 0.032),
            Span("chunk_sparse", 0.032, 0.035),
            Span("fuse", 0.035, 0.036),
            Span("rerank", 0.036, 0.05),
            Span("assemble", 0.05, 0.0502),
            Span("read", 0.06, 0.9),
            Span("write", 0.9, 4.2),
        ),
        found={"chunk_dense": 50, "chunk_sparse": 12},
        candidates=(
            candidate(1, fused=2, reranked=1, terms={"错误码": 2.31, "<b>": 0.4}, other_terms=1.2),
            candidate(2, fused=1, reranked=2),
            candidate(4, fused=3, reranked=3),
            candidate(5, fused=4, reranked=4, relevance=0.03, relevant=False, passage=None, ranks={"chunk_dense": 3}),
        ),
    )


def evidence(number: int = 1, **changes: object) -> Evidence:
    item = Evidence(
        number=number,
        chunk_id=number,
        document_id="guide",
        document_name=HANDBOOK,
        page=27,
        page_label="25",
        heading_path=("二、异常日志", "(一) 错误码"),
        text="错误码为字符串类型，共 5 位，分成两个部分：错误产生来源 + 四位数字编号。说明：错误产生来源分为 A/B/C，"
        "A 表示错误来源于用户，比如参数错误、用户安装版本过低、用户支付超时等问题；"
        "B 表示错误来源于当前系统，往往是业务逻辑出错，或程序健壮性差等问题；"
        "C 表示错误来源于第三方服务，比如 CDN 服务出错、消息投递超时等问题。",
        score=0.96 - 0.11 * (number - 1),
    )
    return replace(item, **changes)  # type: ignore[arg-type]


def document(name: str = "使用指南.md", collection_id: str = "shared", **changes: object) -> Document:
    item = Document(
        document_id=uuid.uuid4().hex,
        collection_id=collection_id,
        name=name,
        sha256="0" * 64,
        size=6200,
        status=DocumentStatus.READY,
        message=None,
        pages=1,
        text_pages=1,
        ocr_pages=0,
        empty_pages=0,
        garbled_pages=0,
        chunks=14,
        embedded=14,
        attempts=1,
        created_at=datetime.now(UTC),
    )
    return replace(item, **changes)  # type: ignore[arg-type]


def turn(question: str = "错误码的格式是怎样的？", answer: str = ANSWER, **changes: object) -> Turn:
    """A finished turn with two sources."""
    item = replace(
        plain_turn(question, answer, (evidence(1), evidence(2))),
        model="qwen2.5-1.5b-instruct",
        usage=Usage(938, 512, 86),
        timing=Timing(0.9, 4.2),
    )
    return replace(item, **changes)  # type: ignore[arg-type]


def scene(*turns: Turn, **changes: object) -> Scene:
    """A conversation of which these turns are the branch in view."""
    shown = Scene(Visitor("session", "conversation"), Language.ZH, datetime(2026, 7, 14, tzinfo=UTC), turns=turns)
    return replace(shown, **changes)  # type: ignore[arg-type]
