"""Files on their way in: real loaders, real SQLite, fake embeddings."""

import threading
from pathlib import Path

import pytest

from loaders import load
from rag.errors import EmptyFile, FileTooLarge, QuotaExceeded, StoreError, StoreFull, UnknownDocument
from rag.events import IngestFailed, IngestProgress, IngestStage, Searchable
from rag.files import MEGABYTE
from rag.i18n import Language, sentence
from rag.knowledge.base import SHARED_COLLECTION
from rag.types import DocumentStatus, LoadedDocument
from tests.ingesting import TEXT, Build, Rig
from tests.knowledge import content, search
from tests.waiting import wait_for


@pytest.fixture
def rig(build: Build) -> Rig:
    rig = build()
    rig.ingest.start()
    return rig


def test_a_file_goes_through_its_stages_and_is_then_found(rig: Rig, manual: Path) -> None:
    seen = rig.take_in(manual)
    assert isinstance(seen[-1], Searchable)
    stages = [event.stage for event in seen if isinstance(event, IngestProgress)]
    assert stages == sorted(stages, key=list(IngestStage).index)
    assert seen[-1].document.chunks > 0
    (hit, *_) = search(rig.knowledge, "年假有几天", ["mine"]).hits
    assert "年假为十天" in hit.chunk.passage.text


def test_of_a_long_file_it_is_told_how_many_of_its_passages_are_stored(rig: Rig, tmp_path: Path) -> None:
    class Noted(dict[str, IngestProgress]):
        def __setitem__(self, document_id: str, progress: IngestProgress) -> None:
            told.append(progress)
            super().__setitem__(document_id, progress)

    told: list[IngestProgress] = []
    rig.ingest._intake._progress = Noted()
    text = "".join(f"第{number}条，{number}天。{TEXT * 4}" for number in range(800))
    (long := tmp_path / "长.txt").write_text(text, encoding="utf-8")
    (*_, last) = rig.take_in(long)
    assert isinstance(last, Searchable) and (total := last.document.chunks) > 500
    stored = [(step.done, step.total) for step in told if step.stage is IngestStage.STORING]
    assert stored == [*((done, total) for done in range(0, total, 500)), (total, total)]


def test_another_session_neither_finds_nor_reaches_the_file(rig: Rig, manual: Path) -> None:
    seen = rig.take_in(manual)
    assert isinstance(seen[-1], Searchable)
    document_id = seen[-1].document.document_id
    assert rig.ingest.documents("theirs") == ()
    assert search(rig.knowledge, "年假有几天", ["theirs"]).hits == ()
    for attempt in (rig.ingest.delete, rig.ingest.reread):
        with pytest.raises(UnknownDocument):
            attempt("theirs", document_id)
    with pytest.raises(UnknownDocument):
        list(rig.ingest.follow("theirs", document_id))


def test_shared_documents_are_seen_by_all_and_deleted_by_none(rig: Rig, manual: Path) -> None:
    document = rig.ingest.receive(SHARED_COLLECTION, manual, manual.name).document
    assert [item.document_id for item in rig.ingest.documents("anyone")] == [document.document_id]
    with pytest.raises(UnknownDocument):
        rig.ingest.delete("anyone", document.document_id)


def test_a_new_version_of_the_shared_file_takes_the_place_of_the_old(rig: Rig, manual: Path) -> None:
    rig.ingest.share(manual)
    manual.write_text(TEXT + "婚假为三天。\n", encoding="utf-8")
    rig.ingest.share(manual)
    assert wait_for(lambda: len(rig.ingest.documents("anyone")) == 1)
    (shared,) = rig.ingest.documents("anyone")
    assert shared.name == manual.name
    (hit, *_) = search(rig.knowledge, "婚假有几天", [SHARED_COLLECTION]).hits
    assert hit.chunk.document_id == shared.document_id


def test_a_new_version_of_the_shared_file_that_cannot_be_read_leaves_the_old_one(rig: Rig, manual: Path) -> None:
    rig.ingest.share(manual)
    (old,) = rig.ingest.documents("anyone")
    list(rig.ingest.follow(SHARED_COLLECTION, old.document_id))
    manual.write_bytes(bytes(range(256)) * 10)
    rig.ingest.share(manual)
    new = next(one for one in rig.ingest.documents("anyone") if one.document_id != old.document_id)
    assert isinstance(list(rig.ingest.follow(SHARED_COLLECTION, new.document_id))[-1], IngestFailed)
    assert search(rig.knowledge, "年假有几天", [SHARED_COLLECTION]).hits


def test_the_same_file_twice_is_stored_once(rig: Rig, manual: Path, tmp_path: Path) -> None:
    first, second = rig.take_in(manual)[-1], rig.take_in(manual)[-1]
    assert isinstance(first, Searchable)
    assert isinstance(second, Searchable)
    assert first.document.document_id == second.document.document_id
    assert len(rig.ingest.documents("mine")) == 1
    assert len(list((tmp_path / "store" / "files").iterdir())) == 1


def test_who_gives_the_same_content_under_another_name_is_told_what_it_is_called(rig: Rig, manual: Path) -> None:
    first = rig.ingest.receive("mine", manual, manual.name)
    again = rig.ingest.receive("mine", manual, "副本.txt")
    assert (first.notice, again.document.document_id) == (None, first.document.document_id)
    assert again.notice is not None
    assert sentence(Language.ZH, again.notice) == "“副本.txt”与已有的“员工手册.txt”内容相同，没有再存一份。"
    assert rig.ingest.receive("theirs", manual, manual.name).notice is None


def test_a_file_that_failed_is_read_again_without_being_called_known(rig: Rig, tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 and nothing more")
    assert isinstance(rig.take_in(broken)[-1], IngestFailed)
    assert rig.ingest.receive("mine", broken, broken.name).notice is None


@pytest.mark.parametrize(
    ("content", "error"), [(b"", EmptyFile), (b"a" * (MEGABYTE + 1), FileTooLarge)], ids=["empty", "large"]
)
def test_a_file_that_cannot_be_taken_leaves_nothing_behind(
    content: bytes, error: type[Exception], rig: Rig, tmp_path: Path
) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(content)
    with pytest.raises(error):
        rig.ingest.receive("mine", path, path.name)
    assert rig.ingest.documents("mine") == ()
    assert list((tmp_path / "store" / "files").glob("*")) == []


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """As long as a file may be, and all that a session may store."""
    (tmp_path / "一.txt").write_bytes(b"a" * MEGABYTE)
    return tmp_path / "一.txt"


@pytest.fixture
def more(tmp_path: Path) -> Path:
    (tmp_path / "二.txt").write_bytes(b"b")
    return tmp_path / "二.txt"


def test_a_session_may_store_its_quota_and_not_a_byte_more(build: Build, whole: Path, more: Path) -> None:
    rig = build()
    rig.ingest.receive("mine", whole, whole.name)
    with pytest.raises(QuotaExceeded):
        rig.ingest.receive("mine", more, more.name)
    # What it has is counted once, and what others have not at all.
    rig.ingest.receive("mine", whole, whole.name)
    rig.ingest.receive("theirs", more, more.name)


def test_all_sessions_together_may_store_what_the_operator_allows_and_no_more(
    build: Build, whole: Path, more: Path
) -> None:
    rig = build(total_mb=1)
    rig.ingest.receive("mine", whole, whole.name)
    with pytest.raises(StoreFull):
        rig.ingest.receive("theirs", more, more.name)
    assert rig.ingest.receive("mine", whole, whole.name).document.status is not DocumentStatus.FAILED
    rig.ingest.receive(SHARED_COLLECTION, more, more.name)


def test_a_broken_file_fails_with_its_reason_and_the_next_is_read(rig: Rig, manual: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 and nothing more")
    failed = rig.take_in(broken)[-1]
    assert isinstance(failed, IngestFailed)
    assert failed.document.status is DocumentStatus.FAILED
    assert failed.document.message is not None
    assert failed.document.message.key == "error.damaged_file"
    assert isinstance(rig.take_in(manual)[-1], Searchable)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../etc/passwd.txt", "passwd.txt"),
        ("C:\\文件\\年 报（终稿）🙂.txt", "年 报（终稿）🙂.txt"),
        ("a\x00b\n.txt", "ab.txt"),
        ("/", "未命名"),
    ],
)
def test_a_name_loses_its_folders_and_unseen_characters(given: str, kept: str, rig: Rig, manual: Path) -> None:
    assert rig.ingest.receive("mine", manual, given).document.name == kept


def test_a_file_interrupted_by_a_kill_is_read_after_the_restart(build: Build, manual: Path) -> None:
    killed = build()
    document = killed.ingest.receive("mine", manual, manual.name).document
    killed.catalog.start_attempt(document.document_id)
    assert search(killed.knowledge, "年假有几天", ["mine"]).hits == ()
    restarted = build()
    restarted.ingest.start()
    assert isinstance(list(restarted.ingest.follow("mine", document.document_id))[-1], Searchable)


def test_a_file_that_killed_the_process_twice_is_tried_again_only_when_asked_for(build: Build, manual: Path) -> None:
    killed = build()
    document = killed.ingest.receive("mine", manual, manual.name).document
    for _ in range(2):
        killed.catalog.start_attempt(document.document_id)
    restarted = build()
    restarted.ingest.start()
    failed = list(restarted.ingest.follow("mine", document.document_id))[-1]
    assert isinstance(failed, IngestFailed)
    assert failed.document.message is not None
    assert failed.document.message.key == "error.reading_interrupted"
    restarted.ingest.reread("mine", document.document_id)
    assert isinstance(list(restarted.ingest.follow("mine", document.document_id))[-1], Searchable)


def test_deleting_a_document_deletes_its_file_and_its_passages(rig: Rig, manual: Path, tmp_path: Path) -> None:
    seen = rig.take_in(manual)[-1]
    assert isinstance(seen, Searchable)
    rig.ingest.delete("mine", seen.document.document_id)
    assert search(rig.knowledge, "年假有几天", ["mine"]).hits == ()
    assert list((tmp_path / "store" / "files").glob("*")) == []
    assert rig.ingest.storage("mine") == 0


def test_forgetting_deletes_the_documents_of_one_session_only(rig: Rig, manual: Path) -> None:
    rig.take_in(manual, "mine")
    rig.take_in(manual, "theirs")
    rig.ingest.forget("mine")
    assert rig.ingest.documents("mine") == ()
    assert search(rig.knowledge, "年假有几天", ["mine"]).hits == ()
    assert search(rig.knowledge, "年假有几天", ["theirs"]).hits != ()


@pytest.mark.parametrize("refused", [0, 1])
def test_a_file_that_the_disk_refuses_to_delete_keeps_no_other(
    rig: Rig, manual: Path, tmp_path: Path, refused: int
) -> None:
    (other := tmp_path / "另一份.txt").write_text(f"{TEXT}另一份。", encoding="utf-8")
    rig.take_in(manual)
    rig.take_in(other)
    kept = tmp_path / "store" / "files" / rig.ingest.documents("mine")[refused].document_id
    kept.unlink()
    kept.mkdir()
    with pytest.raises(StoreError):
        rig.ingest.forget("mine")
    assert list((tmp_path / "store" / "files").glob("*")) == [kept]


def test_nobodys_file_waits_for_all_of_somebody_elses(build: Build, manual: Path, tmp_path: Path) -> None:
    read, go_on = list[str](), threading.Event()

    def noted(path: Path, *, name: str, **_: object) -> LoadedDocument:
        read.append(name)
        assert go_on.wait(30)
        return load(path, name=name)

    rig = build(noted)
    for number in range(4):
        file = tmp_path / f"{number}.txt"
        file.write_text(f"{TEXT}第 {number} 份。", encoding="utf-8")
        rig.ingest.receive("mine", file, file.name)
    small = rig.ingest.receive("theirs", manual, manual.name).document
    rig.ingest.start()
    assert wait_for(lambda: sorted(read) == ["0.txt", manual.name])
    go_on.set()
    assert isinstance(list(rig.ingest.follow("theirs", small.document_id))[-1], Searchable)


def test_small_files_go_beside_a_large_one_and_large_ones_one_after_the_other(build: Build, tmp_path: Path) -> None:
    read, go_on = list[str](), threading.Event()

    def noted(_: Path, *, name: str, **__: object) -> LoadedDocument:
        read.append(name)
        assert name.startswith("小") or go_on.wait(30)
        return content(name)[0]

    rig = build(noted, max_file_mb=3)
    rig.ingest.start()
    for number in range(2):
        (file := tmp_path / f"大{number}.txt").write_bytes(b"%d" % number * (2 * MEGABYTE + 1))
        large = rig.ingest.receive(SHARED_COLLECTION, file, file.name).document
    for number in range(2):
        (file := tmp_path / f"小{number}.txt").write_text(f"{TEXT}第 {number} 份。", encoding="utf-8")
        small = rig.ingest.receive("theirs", file, file.name).document
    assert isinstance(list(rig.ingest.follow("theirs", small.document_id))[-1], Searchable)
    assert sorted(read) == ["大0.txt", "小0.txt", "小1.txt"]
    go_on.set()
    assert isinstance(list(rig.ingest.follow(SHARED_COLLECTION, large.document_id))[-1], Searchable)
    assert sorted(read) == ["大0.txt", "大1.txt", "小0.txt", "小1.txt"]
