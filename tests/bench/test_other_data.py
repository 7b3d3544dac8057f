"""Data that is laid out like ours and written otherwise: what can be measured is, and what cannot is told."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

import bench.__main__ as program
from bench import rewrite_model, turns
from bench.corpora import Question, in_words, present, read_corpus, read_questions
from bench.harness import NotMeasured, read_if_there, read_jsonl
from bench.large import large_documents, questions
from bench.pdf import _by_file
from bench.pdfs import gold_pages, pdf_of
from bench.retrieval import measure
from bench.rewrite import measure_rules
from rag.settings import SplitterSettings
from tests.samples import turn

TEXT = "员工每年有十天年假。"


def write_jsonl(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")


def test_lines_are_read_with_a_byte_order_mark_and_either_end_and_texts_with_any_sign(tmp_path: Path) -> None:
    rows = [{"text": "一\u2028二\x85三"}, {"text": "四"}]
    lines = "\r\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    (tmp_path / "a.jsonl").write_bytes(f"\ufeff{lines}\r\n\r\n".encode())
    assert read_jsonl(tmp_path / "a.jsonl") == rows


def test_a_line_that_is_no_json_is_told_by_its_number(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": 1}\n\n{"id": ', encoding="utf-8")
    with pytest.raises(NotMeasured, match=r"a\.jsonl, line 3: "):
        read_jsonl(tmp_path / "a.jsonl")


def test_a_file_that_can_be_done_without_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert read_if_there(tmp_path / "rgb.jsonl") == []
    assert f"left out: {tmp_path / 'rgb.jsonl'} is not there" in capsys.readouterr().out


def run(monkeypatch: pytest.MonkeyPatch, name: str, data: Path, out: Path) -> None:
    monkeypatch.setattr("sys.argv", ["bench", name, "--data", str(data), "--out", str(out)])
    with pytest.raises(SystemExit):
        program.main()


def test_what_the_data_lacks_is_told_in_a_sentence_and_not_as_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    write_jsonl(tmp_path / "pdf" / "qa.jsonl", [{"file": "gone.pdf", "question": "？", "answerable": True}])
    run(monkeypatch, "pdf", tmp_path, tmp_path / "out.json")
    (record,) = [record for record in caplog.records if record.name == "bench"]
    assert "gone.pdf is asked about and is not there" in record.getMessage()
    assert record.exc_info is None


@pytest.mark.parametrize(("name", "out"), [("rewrite", "."), ("all", "file.json")])
def test_a_place_that_no_result_can_be_written_to_is_told_before_anything_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, out: str
) -> None:
    monkeypatch.setattr(program, "import_module", lambda _: pytest.fail("measured"))
    (tmp_path / "file.json").write_text("", encoding="utf-8")
    run(monkeypatch, name, tmp_path, tmp_path / out)
    assert f"{tmp_path / out} is a f" in capsys.readouterr().err


def test_a_set_is_there_when_its_passages_are_and_may_have_no_questions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "retrieval").mkdir()
    assert present(tmp_path, ["retrieval"]) == []
    write_jsonl(tmp_path / "retrieval" / "passages.jsonl", [{"id": "p", "text": TEXT}])
    assert present(tmp_path, ["retrieval"]) == ["retrieval"]
    assert read_questions(tmp_path, "retrieval") == []
    with pytest.raises(NotMeasured, match="no question"):
        measure(tmp_path)
    assert "retrieval is left out: it has no questions" in capsys.readouterr().out


def test_ids_may_be_numbers_and_fields_null_and_an_answer_one_text(tmp_path: Path) -> None:
    row = {"id": 1, "question": "年假？", "answers": "十天", "gold_passage_ids": [7], "near_dup_ids": None}
    write_jsonl(tmp_path / "set" / "questions.jsonl", [row])
    write_jsonl(tmp_path / "set" / "passages.jsonl", [{"id": 7, "title": None, "text": TEXT}])
    corpus = read_corpus(tmp_path, "set")
    assert corpus.questions == (Question("1", "年假？", frozenset({"7"}), ("十天",)),)
    assert [(text.text_id, text.title) for text in corpus.texts] == [("7", "")]
    assert list(in_words(None)) == []


def test_questions_that_no_passage_answers_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = [{"id": gold, "question": "？", "passage_id": gold} for gold in ("p", "gone")]
    write_jsonl(tmp_path / "set" / "questions.jsonl", asked)
    write_jsonl(tmp_path / "set" / "passages.jsonl", [{"id": "p", "text": TEXT}])
    read_corpus(tmp_path, "set")
    assert "set: of 1 of 2 questions no passage" in capsys.readouterr().out


def test_sets_without_passages_end_and_those_without_questions_leave_them_to_the_next(tmp_path: Path) -> None:
    for name in ("retrieval", "retrieval_drcd"):
        write_jsonl(tmp_path / name / "passages.jsonl", [])
    with pytest.raises(NotMeasured, match="no passage"):
        next(large_documents(tmp_path, SplitterSettings()))
    with pytest.raises(NotMeasured, match="no question"):
        questions(tmp_path)
    asked = [{"id": "q", "question": "年假？", "passage_id": "p"}]
    write_jsonl(tmp_path / "retrieval_drcd" / "questions.jsonl", asked)
    assert questions(tmp_path) == ["年假？"]


@pytest.mark.parametrize(
    ("asked", "pages"),
    [
        ({"page": 4, "evidence_pages": [4, 5]}, [4, 5]),
        ({"page": 4}, [4]),
        ({"page": [4, 5]}, [4, 5]),
        ({"evidence_pages": 4}, [4]),
        ({"page": None, "evidence_pages": []}, []),
        ({}, []),
    ],
)
def test_the_pages_that_answer_are_one_or_several(asked: dict[str, object], pages: list[int]) -> None:
    assert gold_pages(asked) == pages


def test_a_turn_has_its_page_in_evidence_where_any_of_several_is() -> None:
    said = turn("年假？", "十天[1]。")
    asked = {"gold": "reuse", "file": "a.pdf", "page": [4, 5], "answer": None}
    assert [turns._row(asked, said, {("a.pdf", page)})["page_in_evidence"] for page in (5, 6)] == [True, False]
    assert turns._row({"gold": "no_retrieve", "answer": None}, said, set())["pages"] == []


def test_a_pdf_that_is_asked_about_and_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotMeasured, match="手册"):
        pdf_of(tmp_path, "手册.pdf")


def test_a_document_without_names_of_its_own_is_called_by_its_file() -> None:
    assert [form.format("年假？") for form in _by_file("手册{1}.pdf")] == ["《手册{1}》中，年假？", "手册{1}里年假？"]


def follow_up(number: int) -> dict[str, object]:
    asked = f"第{'一二三四五六七八'[number]}条讲什么"
    return {"id": number, "history": [asked, "不清楚"], "question": "呢", "rewritten": asked, "info_seeking": True}


def test_as_many_rewrites_as_the_distance_are_still_those_of_other_dialogues() -> None:
    assert measure_rules([follow_up(number) for number in range(7)], []).figures["foreign_rewrites_refused"] == 1


def test_what_needs_changes_of_topic_is_left_out_without_them() -> None:
    figures = measure_rules([follow_up(0), follow_up(1)], []).figures
    assert figures["leans_recall"] == 1
    assert not {"topic_switch_unchanged_rules", "leans_precision", "repeated_questions_refused"} & figures.keys()


def test_a_model_rewrites_all_that_are_asked_though_fewer_changed_the_topic(monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def services(**_: object) -> Iterator[tuple[SimpleNamespace, None]]:
        yield SimpleNamespace(models=SimpleNamespace(start=lambda: None)), None

    for name, way in (("_plain", "rewritten"), ("_ours", "question")):
        monkeypatch.setattr(rewrite_model, name, lambda _, row, way=way: str(row[way]))
    monkeypatch.setattr(rewrite_model, "fresh_services", services)
    monkeypatch.setattr(rewrite_model, "wait_for_model", lambda _: "m")
    follow_ups = [follow_up(number) for number in range(3)]
    found = rewrite_model.rewriting(follow_ups, [{**follow_up(5), "id": "switch"}])
    assert (found.figures["rewrites_plain"], found.figures["exact_plain"]) == (3, 1)
    assert found.figures["topic_switch_unchanged_ours"] == 1
    assert "topic_switch_unchanged_ours" not in rewrite_model.rewriting(follow_ups, []).figures
