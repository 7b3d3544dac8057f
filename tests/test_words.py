import threading
from collections.abc import Sequence
from concurrent.futures import CancelledError
from pathlib import Path

import pytest

from rag.errors import ReaderCrashed, ReadingTimedOut
from rag.knowledge import words
from rag.knowledge.postings import Segment, build
from rag.knowledge.tokenizer import Tokenizer
from rag.knowledge.words import cut, cut_beside
from tests.knowledge import TOKENIZER, content, open_store

MANY = [f"第{number}条，出差每天补助{number}元，云上问渠系统，MFA-{number}。\ud800" for number in range(1001)]


def refuse(_text: str) -> list[str]:
    raise AssertionError("cut in this process")


def test_many_texts_are_cut_in_a_process_of_their_own_as_in_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    here, told = cut(TOKENIZER, MANY), list[tuple[int, int]]()
    monkeypatch.setattr(TOKENIZER, "tokens", refuse)
    there = cut_beside(TOKENIZER, MANY, "规定.txt", on_progress=lambda *step: told.append(step))
    assert there.to_bytes() == here.to_bytes()
    assert told == [(0, 1001), (500, 1001), (1000, 1001), (1001, 1001)]


def test_few_texts_wait_for_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "WorkerProcess", refuse)
    few = MANY[:500]
    assert cut_beside(TOKENIZER, few, "规定.txt").to_bytes() == cut(TOKENIZER, few).to_bytes()


def test_what_is_cut_beside_has_the_words_that_this_process_has_read(tmp_path: Path) -> None:
    dictionary = tmp_path / "words.txt"
    dictionary.write_text("云上问渠系统\n", encoding="utf-8")
    tokenizer = Tokenizer(tmp_path / "cache", dictionary)
    dictionary.write_text("每天补助\n", encoding="utf-8")
    assert cut_beside(tokenizer, MANY, "规定.txt").to_bytes() == cut(tokenizer, MANY).to_bytes()


def test_a_document_is_stored_with_what_was_cut_beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, (loaded, sections) = open_store(tmp_path), content(*(text[:-1] for text in MANY))
    document = store.catalog.register("me", "规定.txt", "hash", 1)
    with monkeypatch.context() as patched:
        patched.setattr(TOKENIZER, "tokens", refuse)
        store.knowledge.add(document.document_id, sections, loaded)
    assert "第77条" in store.found("第77条补助几元", "me")[0]
    (stored,) = store.knowledge._passages.segments("me")
    again = store.knowledge._passages._tokenize_again(document.document_id)
    assert stored.to_bytes() == again.to_bytes()


def test_who_calls_it_off_waits_for_no_word_more() -> None:
    cancel = threading.Event()
    with pytest.raises(CancelledError):
        cut_beside(TOKENIZER, MANY, "规定.txt", cancel, lambda *_: cancel.set())


def test_a_process_that_ends_early_is_told_as_a_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "_encode_job", lambda *_: [b"no request\n"])
    with pytest.raises(ReaderCrashed):
        cut_beside(TOKENIZER, MANY, "规定.txt")


def test_a_process_that_falls_silent_holds_up_no_file_for_good(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "_SILENT_SECONDS", 0.05)  # no process starts so soon
    with pytest.raises(ReadingTimedOut):
        cut_beside(TOKENIZER, MANY, "规定.txt")


def test_of_a_long_document_only_some_tokens_are_in_memory_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, sizes = cut(TOKENIZER, MANY[:25]), list[int]()

    def noted(ids: Sequence[int], tokens: Sequence[Sequence[str]]) -> Segment:
        sizes.append(len(ids))
        return build(ids, tokens)

    monkeypatch.setattr(words, "_AT_ONCE", 10)
    monkeypatch.setattr(words, "build", noted)
    assert cut(TOKENIZER, MANY[:25]).to_bytes() == whole.to_bytes()
    assert max(sizes) == 10
    assert len(cut(TOKENIZER, []).terms) == 0
