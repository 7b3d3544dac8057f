"""What is measured on a folder that lacks some sets, or has PDFs of its own."""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from pypdf import PdfReader

import bench.__main__ as program
from bench import citations, haystack, ocr
from bench.corpora import TRADITIONAL, present, read_corpus, required
from bench.harness import Outcome
from bench.large import large_documents
from bench.pdfs import pdfs_asked_about, read_pdfs
from rag.settings import SplitterSettings
from tests.pdf_files import write_pdf, write_scan
from tests.samples import hit

SENTENCES = (
    "公司2020年实现的营业收入为15.82亿元，其中动物疫苗的收入为14.6亿元。"
    "员工入职满一年以后每年可以享受10天带薪年假，病假则为5天。"
)


def write_jsonl(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")


def test_sets_that_a_folder_lacks_are_told_and_the_others_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_jsonl(tmp_path / "retrieval_drcd" / "passages.jsonl", [{"id": "p", "text": SENTENCES}])
    assert present(tmp_path, ["retrieval", TRADITIONAL]) == [TRADITIONAL]
    assert "retrieval is left out" in capsys.readouterr().out
    figures = citations.measure(tmp_path).figures
    assert figures["sentences_found"] + figures["sentences_flagged"] > 0
    assert figures["answer_milliseconds"] > 0


def test_the_sentences_of_pdfs_are_checked_too_alone_or_beside_sets(tmp_path: Path) -> None:
    pages = [SENTENCES[: SENTENCES.index("员工")], SENTENCES[SENTENCES.index("员工") :]]
    (tmp_path / "pdf").mkdir()
    write_pdf(tmp_path / "pdf" / "report.pdf", pages)
    assert "pdf_flagged" in citations.measure(tmp_path).figures
    write_jsonl(tmp_path / "cjrc_law" / "passages.jsonl", [{"id": "p", "text": SENTENCES}])
    assert {"pdf_flagged", "cjrc_law_flagged"} <= citations.measure(tmp_path).figures.keys()


def test_answers_to_the_questions_of_a_set_are_told_apart_from_its_sentences(tmp_path: Path) -> None:
    folder = tmp_path / "cjrc_law"
    texts = {
        "p": SENTENCES,
        "q": "被告张三于2015年3月1日向原告借款5000元，约定一年以后归还全部本金。被告至今没有归还该笔借款。",
    }
    write_jsonl(folder / "passages.jsonl", [{"id": key, "text": text} for key, text in texts.items()])
    rows = (("营业收入是多少？", "15.82亿元", "p"), ("借款多少元？", "5000元", "q"), ("被告是否归还借款？", "NO", "q"))
    asked = [{"question": question, "answers": [answer], "passage_id": key} for question, answer, key in rows]
    write_jsonl(folder / "questions.jsonl", asked)
    figures = citations.measure(tmp_path).figures
    assert figures["answers_flagged_answer"] == figures["answers_flagged_affirmed"] == 0
    assert figures["answers_found_foreign_answer"] == figures["answers_found_no"] == 1
    # It cites another passage, beside which the right one is found: the marker is put right.
    assert figures["answers_found_affirmed_elsewhere"] == 0


def test_where_none_of_the_sets_is_there_that_is_an_error_and_no_endless_search(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="retrieval_drcd"):
        required(tmp_path, ["retrieval", "retrieval_drcd"])
    with pytest.raises(FileNotFoundError):
        next(large_documents(tmp_path, SplitterSettings()))


def test_questions_that_are_not_in_the_script_asked_for_are_left_out(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "retrieval_drcd" / "passages.jsonl", [{"id": "p", "text": SENTENCES}])
    write_jsonl(tmp_path / "retrieval_drcd" / "questions.jsonl", [{"id": "q", "question": "？", "passage_id": "p"}])
    assert read_corpus(tmp_path, TRADITIONAL).questions == ()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "pdf").mkdir()
    write_pdf(tmp_path / "pdf" / "long.pdf", [["年假为十天。"]] * 5)
    write_pdf(tmp_path / "pdf" / "short.pdf", [["病假为五天。"]] * 2)
    write_scan(tmp_path / "pdf" / "scan.pdf", [["婚假为三天。"]] * 3)
    (tmp_path / "pdf" / "broken.pdf").write_bytes(b"%PDF-1.7")
    return tmp_path


def test_pdfs_are_told_apart_by_their_pages_and_their_text(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pdfs = read_pdfs(data)
    assert {(pdf.path.name, pdf.pages, pdf.has_text) for pdf in pdfs} == {
        ("long.pdf", 5, True),
        ("short.pdf", 2, True),
        ("scan.pdf", 3, False),
    }
    sizes = [pdf.path.stat().st_size for pdf in pdfs]
    assert sizes == sorted(sizes)
    assert "broken.pdf is left out" in capsys.readouterr().out


def test_pdfs_that_nothing_is_asked_about_are_read_where_there_are_no_questions(data: Path) -> None:
    assert {path.name for path in pdfs_asked_about(data)} == {"long.pdf", "short.pdf"}
    write_jsonl(data / "pdf" / "qa.jsonl", [{"file": "long.pdf"}, {"file": "long.pdf"}])
    assert [path.name for path in pdfs_asked_about(data)] == ["long.pdf"]


def test_a_text_and_a_scan_of_few_pages_are_mixed_as_far_as_both_go(data: Path, tmp_path: Path) -> None:
    mixed = ocr._mix(data / "pdf" / "scan.pdf", data / "pdf" / "short.pdf", tmp_path / "mixed.pdf")
    assert len(PdfReader(mixed).pages) == 4
    assert len(PdfReader(ocr._draw(data / "pdf" / "short.pdf", tmp_path / "drawn.pdf")).pages) == 2


def test_a_character_that_stands_in_two_overlapping_passages_was_read_once() -> None:
    chunks = [hit(1, "年假").chunk, hit(2, "年假").chunk]
    services = SimpleNamespace(contents=SimpleNamespace(chunks=lambda *_: chunks))
    document = SimpleNamespace(document_id="d")
    assert ocr._recall(services, document, ["年假，年假"]) == 0.5  # type: ignore[arg-type]


def test_a_measurement_that_fails_leaves_its_earlier_result_and_the_others_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Path) -> Outcome:
        raise FileNotFoundError("pdf")

    for name, measure in (("fails", fail), ("works", lambda _: Outcome({"figure": 1.0}))):
        module = ModuleType(f"bench.{name}")
        module.measure = measure  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(program, "NAMES", {"fails": "", "works": ""})
    monkeypatch.setattr(sys, "argv", ["bench", "all", "--data", str(tmp_path), "--out", str(tmp_path)])
    (tmp_path / "fails.json").write_text("before", encoding="utf-8")
    with pytest.raises(SystemExit, match="fails"):
        program.main()
    assert (tmp_path / "fails.json").read_text(encoding="utf-8") == "before"
    assert json.loads((tmp_path / "works.json").read_text(encoding="utf-8"))["figures"] == {"figure": 1.0}


def test_a_folder_that_is_not_there_is_told_before_anything_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(program, "NAMES", {})
    monkeypatch.setattr(sys, "argv", ["bench", "all", "--data", str(tmp_path / "none"), "--out", str(tmp_path)])
    with pytest.raises(SystemExit):
        program.main()
    assert f"there is no folder {tmp_path / 'none'}" in capsys.readouterr().err


def test_passages_of_other_sets_are_told_apart_from_those_asked_about(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "retrieval_drcd" / "passages.jsonl", [{"id": "1", "text": SENTENCES}])
    for name in ("medical_qa", "news_distractors"):
        write_jsonl(tmp_path / name / f"{name}.jsonl", [{"id": 1, "text": SENTENCES}])
    ids = [text.text_id for text in haystack._others(tmp_path)]
    assert ids == ["retrieval_drcd:1", "medical_qa:1", "news_distractors:1"]
