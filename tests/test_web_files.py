"""The files' tab as HTML: the table, health and checks, the report, passages; and the route that takes files in."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient

from rag.errors import KnowledgeUnavailable
from rag.events import IngestProgress, IngestStage
from rag.files import MEGABYTE
from rag.i18n import Language
from rag.ingest.page_report import page_report
from rag.knowledge.base import SHARED_COLLECTION
from rag.settings import read_settings
from rag.types import Arrival, DocumentStatus, Message, PageHealth, Recognition, RetrievalCheck
from rag.web.files.render_detail import passages, report
from rag.web.files.render_health import broken_routes, check_in_full, verdict
from rag.web.files.render_table import FileRow, in_order, size_of, table
from rag.web.files.render_zone import lasting, storage, storage_bar, zone
from rag.web.files.tab import seconds_to_next_look
from rag.web.files.uploads import Uploads
from rag.web.http.errors import add_error_handlers
from rag.web.session import zone_of
from tests.fakes_files import FakeContents
from tests.fakes_web import FakeServices
from tests.samples_web import HOSTILE, document
from tests.web_site import site_over

ZH = Language.ZH
SETTINGS = read_settings()
MINE = "m" * 32
GOOD = RetrievalCheck("d", 20, 5, 19, 20, 20, None, datetime(2026, 7, 14, tzinfo=UTC))


def text_of(html: str) -> str:
    return unescape(re.sub("<[^>]*>", "", html))


@pytest.mark.parametrize(
    ("working", "taken", "seconds"), [(True, 0.01, 1), (True, 0.3, 3), (True, 9, 5), (False, 0.01, 5)]
)
def test_a_page_looks_seldom_at_files_that_take_long_to_look_at(working: bool, taken: float, seconds: float) -> None:
    assert seconds_to_next_look(working, taken) == seconds


def test_in_english_one_page_is_a_page() -> None:
    one, many = document("one.md", pages=1, chunks=1), document("many.md", pages=2, chunks=1200)
    assert "1 page1 passage" in text_of(table([FileRow(one)], Language.EN))
    assert "2 pages1200 passages" in text_of(table([FileRow(many)], Language.EN))


def test_what_remains_of_a_stopped_recognition_is_told_and_offered_but_not_for_the_sample() -> None:
    pictured = document("扫描.pdf", "own", status=DocumentStatus.EMBEDDING, embedded=48, chunks=48)
    assert "停止识别" in table([FileRow(pictured)], ZH)
    left = text_of(table([FileRow(pictured, stopped=3)], ZH))
    assert "还有 3 页没有识别继续识别" in left and "停止识别" not in left
    assert "停止识别" not in table([FileRow(replace(pictured, collection_id="shared"))], ZH)


def test_own_files_stand_before_shared_ones_newest_first() -> None:
    sample, old, new = document("样.md"), document("旧.pdf", "own"), document("新.pdf", "own")
    old = replace(old, created_at=old.created_at - timedelta(days=1))
    names = [row.document.name for row in in_order([FileRow(sample), FileRow(old), FileRow(new)])]
    assert names == ["新.pdf", "旧.pdf", "样.md"]


def test_the_file_that_is_being_read_stands_above_those_that_wait_for_it() -> None:
    def own(name: str, stage: IngestStage) -> FileRow:
        added = document(name, "own", status=DocumentStatus.READING, chunks=0)
        return FileRow(added, progress=IngestProgress(added.document_id, stage, 0, 9))

    filling = document("能问.pdf", "own", status=DocumentStatus.EMBEDDING)
    vectors = IngestProgress(filling.document_id, IngestStage.EMBEDDING, 1, 9)
    rows = [own("排队.pdf", IngestStage.QUEUED), own("在读.pdf", IngestStage.OCR), FileRow(filling, progress=vectors)]
    later = [
        replace(row, document=replace(row.document, created_at=row.document.created_at - timedelta(hours=place)))
        for place, row in enumerate(rows)
    ]
    assert [row.document.name for row in in_order(later)] == ["在读.pdf", "排队.pdf", "能问.pdf"]


def test_of_a_file_that_is_stored_it_is_told_how_many_of_its_passages_are() -> None:
    large = document("大.txt", "own", status=DocumentStatus.READING, chunks=0)
    step = IngestProgress(large.document_id, IngestStage.STORING, 12_000, 65_000)
    assert "段落存入索引 12,000 / 65,000" in text_of(table([FileRow(large, progress=step)], ZH))


def test_the_sample_can_be_looked_at_but_neither_deleted_nor_read_again() -> None:
    html = table([FileRow(document("样.md"))], ZH)
    assert 'data-act="inspect"' in html
    assert 'data-act="remove"' not in html and 'data-act="reread"' not in html


def test_pages_are_told_by_what_their_text_is_worth() -> None:
    scan = document("扫描.pdf", "own", pages=9, text_pages=3, ocr_pages=2, empty_pages=3, garbled_pages=1)
    text = text_of(table([FileRow(scan)], ZH))
    for words in ("3 页有文字", "2 页由图片识别", "3 页没有文字", "1 页乱码"):
        assert words in text


@pytest.mark.parametrize(
    ("name", "counted", "in_english"),
    [("表.xlsx", "3 个工作表", "3 sheets"), ("讲稿.pptx", "3 张幻灯片", "3 slides"), ("文.docx", "3 页", "3 pages")],
)
def test_sheets_and_slides_are_counted_as_what_they_are(name: str, counted: str, in_english: str) -> None:
    file = FileRow(document(name, "own", pages=3, text_pages=3))
    assert text_of(table([file], ZH)).count(counted) == 2 and f"{counted}有文字" in text_of(table([file], ZH))
    told = text_of(table([file], Language.EN))
    assert told.count(in_english) == 2 and f"{in_english} with text" in told


def test_while_the_index_is_out_of_reach_no_file_says_that_it_can_be_asked() -> None:
    down = KnowledgeUnavailable(address="milvus:19530<refused>").message
    rows = [FileRow(document(name, "own"), trouble=down) for name in ("甲.pdf", "乙.pdf")]
    failed = document("坏.pdf", "own", status=DocumentStatus.FAILED, message=Message("error.no_words", {"name": "坏"}))
    html = table([*rows, FileRow(failed, trouble=down)], ZH)
    text = text_of(html)
    assert html.count("milvus:19530") == 1 and "资料都还在" in text and "<refused>" not in html
    assert "可以提问" not in text and text.count("暂时不能提问") == 2
    assert "未能读取" in text and all(row.document.name in text for row in rows)


def test_pages_that_wait_for_recognition_are_no_fault_yet() -> None:
    scan = document("扫描.pdf", "own", pages=9, text_pages=3, ocr_pages=2, empty_pages=3, garbled_pages=1)
    step = IngestProgress(scan.document_id, IngestStage.OCR, 3, 6)
    html = table([FileRow(scan, progress=step)], ZH)
    assert "3 页有文字 2 页由图片识别 3 页待识别" in text_of(html) and "doubt" not in html
    queued = replace(scan, status=DocumentStatus.EMBEDDING, embedded=scan.chunks)
    assert "4 页待识别" in text_of(table([FileRow(queued)], ZH))
    unread = range(6, 10)
    waiting = dict.fromkeys(unread, Recognition.WAITING)
    groups = page_report(scan.name, dict.fromkeys(unread, PageHealth.EMPTY), waiting)
    html = report(scan, groups, None, checking=False, language=ZH)
    assert "4 页待识别" in text_of(html) and "doubt" not in html


def test_all_of_ones_own_is_cleared_by_a_button_that_says_so() -> None:
    html = storage((), 0, 500, 30, ZH)
    assert "清除我的全部数据" in html and 'data-yes="清除"' in html


def test_a_searchable_file_shows_how_far_its_vectors_are() -> None:
    filling = document("长.pdf", "own", status=DocumentStatus.EMBEDDING, chunks=200, embedded=50)
    text = text_of(table([FileRow(filling)], ZH))
    assert "可以提问" in text and "正在完善检索 50 / 200" in text


def test_a_file_that_is_being_read_can_only_be_called_off() -> None:
    html = table([FileRow(document("长.pdf", "own", status=DocumentStatus.READING))], ZH)
    assert "取消" in text_of(html)
    assert "data-confirm" not in html and 'data-act="inspect"' not in html and 'type="checkbox" data-use=""' in html


def test_a_failure_offers_to_try_again_unless_it_wants_a_password() -> None:
    damaged = document(
        "坏.pdf", "own", status=DocumentStatus.FAILED, message=Message("error.damaged_file", {"name": "坏"})
    )
    locked = replace(damaged, message=Message("error.wrong_password", {"name": "坏"}))
    assert 'data-act="reread"' in table([FileRow(damaged)], ZH)
    html = table([FileRow(locked)], ZH)
    assert 'data-act="reread"' not in html and 'data-act="unlock"' in html
    mismatched = replace(damaged, message=Message("error.mismatched_file", {"name": "坏.pdf", "kind": "ZIP"}))
    blank = replace(damaged, message=Message("error.empty_file", {"name": "空.txt"}))
    for hopeless in (mismatched, blank):
        assert 'data-act="reread"' not in table([FileRow(hopeless)], ZH)


def test_a_failure_does_not_repeat_the_name_that_it_stands_under() -> None:
    message = Message("error.damaged_file", {"name": "坏.pdf"})
    row = FileRow(document("坏.pdf", "own", status=DocumentStatus.FAILED, message=message))
    assert "坏.pdf未能读取这份文件已损坏或不完整" in text_of(table([row], ZH))
    assert "This file is damaged" in text_of(table([row], Language.EN))


def test_a_file_that_waits_for_others_is_not_said_to_be_read() -> None:
    waiting = document("慢.pdf", "own", status=DocumentStatus.READING, chunks=0, pages=0)
    step = IngestProgress(waiting.document_id, IngestStage.QUEUED, 0, 0)
    told = text_of(table([FileRow(waiting, progress=step)], ZH))
    assert "排队中" in told and "读取中" not in told and "等待读取" not in told


def test_a_file_that_is_left_out_is_not_said_to_be_asked() -> None:
    assert "未选用" in text_of(table([FileRow(document(), used=False)], ZH))
    assert "可以提问" not in text_of(table([FileRow(document(), used=False)], ZH))
    coming = document("新.pdf", "own", status=DocumentStatus.READING, chunks=0)
    assert "读取中" in text_of(table([FileRow(coming, used=False)], ZH))


def test_a_small_file_has_a_size_and_files_that_could_not_be_read_do_not_count() -> None:
    assert [size_of(amount) for amount in (5, 6200, 3 * MEGABYTE // 2)] == ["5 B", "6 KB", "1.50 MB"]
    documents = [document("好.pdf", "own"), document("坏.pdf", "own", status=DocumentStatus.FAILED)]
    assert "你的资料 1 份 · &lt;0.1 / 500 MB" in storage(documents, 5, 500, 30, ZH)
    assert "0 份 · 0.0 / 500 MB" in storage((), 0, 500, 30, ZH)
    bar = text_of(storage_bar(documents, 5, 500, "", ZH))
    assert "你的资料 1 份 · " in bar and "1 份未能读取" in bar
    assert "未能读取" not in storage_bar(documents[:1], 5, 500, "", ZH)


def test_a_store_tells_in_how_many_days_it_is_emptied_where_it_is() -> None:
    assert lasting("files.expires", 29, False, ZH) == "再有 29 天不用就自动删除"
    assert lasting("files.expires", 1, False, Language.EN) == "deleted if unused for 1 more day"
    assert lasting("files.expires", None, False, ZH) == "" and "重启" in lasting("files.expires", 29, True, ZH)


def test_a_low_self_check_says_what_it_means() -> None:
    low = replace(GOOD, dense=13, sparse=13, fused=13)
    assert verdict(low, ZH) == "自检 13/20，偏低" and "有些句子没能找回" in check_in_full(low, ZH)
    assert "没能找回" not in check_in_full(GOOD, ZH)


def test_a_check_before_all_vectors_are_there_calls_no_route_broken() -> None:
    early = replace(GOOD, dense=3, fused=13)
    filling = document("长.pdf", "own", status=DocumentStatus.EMBEDDING, chunks=200, embedded=50)
    html = report(filling, (), early, False, ZH)
    assert "向量还在计算" in html and "几乎找不到" not in html and "没能找回" not in html
    assert "自检 13/20" in text_of(table([FileRow(filling, check=early)], ZH))
    assert "偏低" not in table([FileRow(filling, check=early)], ZH)
    failing = replace(filling, message=Message("error.embedding_failed", {"model": "m", "detail": "?"}))
    assert "几乎找不到" in report(failing, (), early, False, ZH)
    assert "向量检索失灵" in table([FileRow(failing, check=early)], ZH)


def test_a_check_tells_the_hour_of_the_readers_time_zone() -> None:
    check = replace(GOOD, checked_at=datetime(2026, 7, 13, 23, 30, tzinfo=UTC))
    assert "2026-07-14 07:30" in check_in_full(check, ZH, ZoneInfo("Asia/Shanghai"))


@pytest.mark.parametrize("told", ["", "Mars/Olympus", "../../etc/passwd", "Asia", "/etc/localtime", "zone.tab", "时区"])
def test_a_time_zone_that_is_none_is_the_servers(told: str) -> None:
    cookie = f"wenqu_zone={told}".encode()
    assert zone_of(Request({"type": "http", "headers": [(b"cookie", cookie)]})) is None


def test_a_file_that_could_not_be_read_anew_says_why_and_that_it_is_searched_still() -> None:
    locked = document("密.pdf", "own", reread_failure=Message("error.password_needed", {"name": "密"}))
    html = table([FileRow(locked)], ZH)
    assert "可以提问" in text_of(html) and "仍按原来的内容检索" in text_of(html) and "密码" in text_of(html)
    assert 'data-act="unlock"' in html and 'data-act="inspect"' in html


@pytest.mark.parametrize(
    ("dense", "sparse", "broken", "words"),
    [
        (19, 20, (), "自检 20/20"),
        (0, 20, ("dense",), "向量检索失灵"),
        (19, 3, ("sparse",), "字词检索失灵"),
        (2, 3, ("dense", "sparse"), "检索失灵"),
        (None, 20, (), "自检 20/20"),
    ],
)
def test_a_check_names_the_route_that_is_broken(
    dense: int | None, sparse: int, broken: tuple[str, ...], words: str
) -> None:
    check = replace(GOOD, dense=dense, sparse=sparse)
    assert broken_routes(check) == broken
    assert verdict(check, ZH) == words


def test_a_broken_route_comes_with_its_reason_and_what_to_do() -> None:
    note = Message(
        "search.words_only", {"reason": Message("error.embedding_failed", {"model": "m", "detail": HOSTILE})}
    )
    html = check_in_full(replace(GOOD, dense=0, note=note), ZH)
    text = text_of(html)
    assert "0 / 20" in text and "检查向量模型" in text and "没有按语义检索" in text
    assert "<script" not in html


def test_the_report_says_which_pages_are_searched_and_which_not() -> None:
    health = dict.fromkeys(range(1, 9), PageHealth.TEXT) | {9: PageHealth.EMPTY}
    groups = page_report("扫描.pdf", health, {})
    html = report(document("扫描.pdf", "own", pages=9), groups, None, checking=False, language=ZH)
    assert "第 1–8 页有文字，可以检索" in text_of(html)
    assert '<li class="doubt">第 9 页没有文字</li>' in html
    assert "开始自检" in text_of(html)


def test_passages_lead_to_where_they_stand_and_to_those_that_follow() -> None:
    own = document("手册.pdf", "own", chunks=120)
    html = passages(FakeContents().chunks("s", own.document_id, 50, 50), own, 50, ZH)
    assert "第 51–100 段，共 120 段" in text_of(html)
    assert 'data-first="0"' in html and 'data-first="100"' in html
    assert 'data-page-number="30" data-start="500" data-end="509"' in html


def test_of_a_file_whose_pages_are_still_to_be_recognised_no_passage_is_shown_and_that_is_said() -> None:
    assert "还没有可以查看的内容" in text_of(passages((), document("扫描件.pdf", "own", pages=12, chunks=0), 0, ZH))


def test_the_zone_says_when_nothing_more_can_be_stored() -> None:
    assert "存储空间已满" in zone(0, SETTINGS, ZH)
    assert "存储空间已满" not in zone(1, SETTINGS, ZH)


@pytest.fixture
def door() -> tuple[TestClient, Uploads, FakeServices]:
    services, app = FakeServices(), FastAPI()
    uploads = Uploads(services)  # type: ignore[arg-type]
    uploads.serve(app)
    add_error_handlers(app, ZH)
    return TestClient(app), uploads, services


def headers(ticket: str, name: str) -> dict[str, str]:
    return {"x-wenqu-ticket": ticket, "x-wenqu-name": name}


def test_a_file_is_taken_into_the_session_of_its_ticket(door: tuple[TestClient, Uploads, FakeServices]) -> None:
    client, uploads, services = door
    reply = client.post("/file", content=b"text", headers=headers(uploads.ticket(MINE), "%E6%89%8B%E5%86%8C.txt"))
    assert (reply.status_code, reply.json()["message"]) == (200, "")
    (taken, _) = services.ingest.documents(MINE)
    assert (taken.document_id, taken.name, taken.size) == (reply.json()["document"], "手册.txt", 4)
    assert len(services.ingest.documents("y" * 32)) == 1


def test_whose_content_is_there_already_is_told_in_the_readers_language(
    door: tuple[TestClient, Uploads, FakeServices],
) -> None:
    client, uploads, _ = door
    sent = headers(uploads.ticket(MINE), "%E5%89%AF%E6%9C%AC.txt")
    reply = client.post("/file", content=b"text", headers=sent)
    assert reply.status_code == 200
    assert reply.json()["message"] == "“副本.txt”与已有的“手册.pdf”内容相同，没有再存一份。"
    client.cookies.set("wenqu_language", "en")
    assert "same content" in client.post("/file", content=b"text", headers=sent).json()["message"]


@pytest.mark.parametrize("ticket", ["", MINE, "Im1pbmUi.AAAA"])
def test_without_a_ticket_nothing_is_taken(door: tuple[TestClient, Uploads, FakeServices], ticket: str) -> None:
    client, _, services = door
    assert client.post("/file", content=b"text", headers=headers(ticket, "a.txt")).status_code == 403
    assert len(services.ingest.documents(MINE)) == 1


@pytest.mark.parametrize(
    "session_id", [SHARED_COLLECTION, "http-1", "../../x", "", None, 5, ["x"], {"a": 1}, MINE + "\n"]
)
def test_no_ticket_opens_what_is_no_visitors_session(
    door: tuple[TestClient, Uploads, FakeServices], session_id: Any
) -> None:
    client, uploads, services = door
    sent = headers(uploads.ticket(session_id), "a.txt")
    assert client.post("/file", content=b"text", headers=sent).status_code == 403
    assert len(services.ingest.documents(SHARED_COLLECTION)) == 1


def test_what_was_on_its_way_when_everything_was_deleted_is_not_taken(
    door: tuple[TestClient, Uploads, FakeServices],
) -> None:
    client, uploads, services = door
    ticket = uploads.ticket(MINE)
    uploads.revoke(MINE)
    assert client.post("/file", content=b"text", headers=headers(ticket, "a.txt")).status_code == 403
    assert len(services.ingest.documents(MINE)) == 1


def test_of_deleted_sessions_only_so_many_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rag.web.files.uploads._MOST_REVOKED", 2)
    uploads = Uploads(FakeServices())  # type: ignore[arg-type]
    for session_id in ("a", "b", "c"):
        uploads.revoke(session_id)
    uploads.admit("a")
    assert list(uploads._revoked) == ["b", "c"]


def test_a_session_that_is_deleted_while_its_file_is_copied_owns_nothing(
    door: tuple[TestClient, Uploads, FakeServices],
) -> None:
    client, uploads, services = door
    ingest, receive = services.ingest, services.ingest.receive

    def deleted_meanwhile(session_id: str, path: Path, name: str) -> Arrival:
        uploads.revoke(session_id)
        ingest.forget(session_id)
        return receive(session_id, path, name)

    ingest.receive = deleted_meanwhile  # type: ignore[method-assign, assignment]
    assert client.post("/file", content=b"text", headers=headers(uploads.ticket(MINE), "a.txt")).status_code == 403
    assert len(ingest.documents(MINE)) == 1


def test_a_session_that_could_not_be_deleted_takes_files_again(
    door: tuple[TestClient, Uploads, FakeServices],
) -> None:
    client, uploads, services = door
    uploads.revoke(MINE)
    uploads.admit(MINE)
    assert client.post("/file", content=b"text", headers=headers(uploads.ticket(MINE), "a.txt")).status_code == 200
    assert len(services.ingest.documents(MINE)) == 2


def test_why_a_file_is_refused_is_said_in_the_readers_language(door: tuple[TestClient, Uploads, FakeServices]) -> None:
    client, uploads, _ = door
    sent = headers(uploads.ticket(MINE), "a.png")
    assert "不是支持的类型" in client.post("/file", content=b"x", headers=sent).json()["error"]["message"]
    client.cookies.set("wenqu_language", "en")
    reply = client.post("/file", content=b"x", headers=sent)
    told = reply.json()["error"]
    assert (reply.status_code, told["code"]) == (400, "unsupported_file")
    assert "a.png" in told["message"] and "类型" not in told["message"]


def test_passages_that_are_no_more_since_a_file_was_read_anew_give_way_to_the_first() -> None:
    services, visitor = FakeServices(), {"session_id": "a" * 32, "conversation_id": None}
    sample = services.ingest.documents("")[0].document_id
    with site_over(services) as site:
        heard = site.heard("_inspect", visitor, id=sample, view="passages", first="500", asked="1")
    assert "data-page-number" in heard and "<b>501</b>" not in heard
