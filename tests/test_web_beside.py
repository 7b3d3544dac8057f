"""What is said of files beside the question, as HTML."""

from dataclasses import replace
from datetime import timedelta
from html import unescape

from rag.errors import KnowledgeUnavailable, PasswordNeeded
from rag.events import IngestProgress, IngestStage
from rag.i18n import Language
from rag.types import DocumentStatus
from rag.web.files.render_beside import beside, failed, reading, using
from rag.web.files.render_table import FileRow
from tests.samples_web import document

ZH = Language.ZH


def test_the_chat_says_which_files_it_uses_only_where_that_is_not_all() -> None:
    rows = [FileRow(document("甲.pdf", "own")), FileRow(document("乙.pdf", "own")), FileRow(document())]
    assert using(rows, ZH) == ""
    assert "使用 2/3 份资料（含示例）" in using([replace(rows[0], used=False), *rows[1:]], ZH)
    assert "使用 1/2 份资料<" in using([replace(rows[0], used=False), rows[1]], ZH)
    assert 'doubt" data-page="files">使用 0/3 份资料' in using([replace(row, used=False) for row in rows], ZH)


def test_a_file_that_cannot_be_asked_yet_is_named_with_how_far_it_is() -> None:
    coming = document("<b>长</b>.pdf", "own", status=DocumentStatus.READING, chunks=0, pages=0)

    def told(stage: IngestStage, done: int = 0, total: int = 0) -> str:
        progress = IngestProgress(coming.document_id, stage, done, total)
        return unescape(reading([FileRow(coming, progress=progress), FileRow(document())], ZH))

    assert "《<b>长</b>.pdf》正在读取 37%，读完就能问到" in told(IngestStage.READING, 37, 100)
    assert "》正在读取，读完就能问到" in told(IngestStage.SPLITTING, 5, 5)
    assert "》已读完，正在存入索引 20%，存完就能问到" in told(IngestStage.STORING, 1, 5)
    assert "》在排队等待读取" in told(IngestStage.QUEUED)
    html = reading([FileRow(coming)], ZH)
    assert "<b>" not in html and 'data-page="files"' in html


def test_several_files_that_cannot_be_asked_yet_are_counted() -> None:
    scan = document("扫描.pdf", "own", status=DocumentStatus.RECOGNISING, chunks=0)
    waiting = document("后.pdf", "own", status=DocumentStatus.QUEUED, chunks=0)
    assert "2 份资料正在读取" in reading([FileRow(scan), FileRow(waiting), FileRow(document())], ZH)


def test_of_files_that_can_be_asked_or_never_will_be_nothing_is_told() -> None:
    filling = document("补.pdf", "own", status=DocumentStatus.EMBEDDING)
    again = document("重读.pdf", "own", status=DocumentStatus.READING, chunks=48)
    failed = document("坏.pdf", "own", status=DocumentStatus.FAILED, chunks=0)
    stopped = document("停.pdf", "own", status=DocumentStatus.RECOGNISING, chunks=0)
    rows = [FileRow(filling), FileRow(again), FileRow(failed), FileRow(stopped, stopped=7), FileRow(document())]
    assert reading(rows, ZH) == ""


def test_the_file_added_last_is_told_of_where_it_could_not_be_read() -> None:
    broken = document("<b>坏</b>.pdf", "own", status=DocumentStatus.FAILED, chunks=0)
    locked = replace(broken, message=PasswordNeeded(name="坏").message)
    later = document("好.pdf", "own", created_at=broken.created_at + timedelta(minutes=1))
    assert "《<b>坏</b>.pdf》未能读取" in unescape(failed([FileRow(broken), FileRow(document())], ZH))
    assert "<b>" not in failed([FileRow(broken)], ZH)
    assert "填写密码" in failed([FileRow(locked)], ZH)
    assert failed([FileRow(broken), FileRow(later)], ZH) == failed([FileRow(document())], ZH) == ""


def test_of_files_added_together_each_that_could_not_be_read_counts_whichever_came_last() -> None:
    broken = document("坏.pdf", "own", status=DocumentStatus.FAILED, chunks=0)
    good, other = (
        replace(one, created_at=broken.created_at + timedelta(seconds=seconds))
        for one, seconds in ((document("好.pdf", "own"), 20), (replace(broken, name="也坏.pdf"), 40))
    )
    assert "《坏.pdf》未能读取" in failed([FileRow(broken), FileRow(good)], ZH)
    assert "2 份资料未能读取" in failed([FileRow(good), FileRow(other), FileRow(broken), FileRow(document())], ZH)
    moved_on = replace(good, created_at=broken.created_at + timedelta(seconds=90))
    assert failed([FileRow(broken), FileRow(moved_on), FileRow(other)], ZH) == ""


def test_while_nothing_can_be_searched_only_that_is_told() -> None:
    down = KnowledgeUnavailable(address="milvus:19530").message
    rows = [FileRow(document("甲.pdf", "own"), trouble=down), FileRow(document(), used=False, trouble=down)]
    html = beside(rows, ZH)
    assert html.count("milvus:19530") == 1 and "own" not in html and "份资料" not in html
    assert 'class="own"' in beside([FileRow(document("甲.pdf", "own"))], ZH)
