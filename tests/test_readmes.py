"""Both READMEs tell the same figures, those that the kept results have, and what else they say of files holds."""

import json
import re
from collections import Counter

import pytest
import yaml

from tests.program import ROOT

_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?|\.\d+")
_READMES = ("README.md", "README.zh.md")
_RESULTS = ROOT / "bench" / "results"


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def measured(name: str, heading: str) -> list[tuple[str, str, Counter[str]]]:
    """Each row of the tables below a heading: what was measured, by which bench, and the numbers of its last column."""
    section = read(name).split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    assert len(rows) > 10
    return [(row[0].strip(), row[1].strip(), Counter(_NUMBER.findall(row[-1]))) for row in rows]


def test_both_readmes_tell_the_same_figures_of_the_same_benches() -> None:
    english, chinese = (
        [(bench, numbers) for _, bench, numbers in measured(*where) if numbers]
        for where in zip(_READMES, ("Figures", "数字"), strict=True)
    )
    assert english == chinese


@pytest.mark.parametrize(
    ("row", "figure", "form"),
    [
        ("… right by rule", "right_by_rule", "{:.0%}"),
        ("… page among the sources", "page_in_sources", "{:.0%}"),
        ("7 questions", "refused_when_silent", "{:.0%}"),
        ("first answer", "first_token_seconds_median", "{:.1f}"),
        ("… first sign of progress", "first_sign_seconds_median", "{:.2f}"),
        ("146 everyday questions", "told_by_model", "{:.2f}"),
        ("… with what is quoted", "told", "{:.2f}"),
        ("… refused by the search", "refused", "{:.2f}"),
        ("88 everyday questions", "said_to_be_silent", "{:.2f}"),
        ("citations", "found", "{:.1%}"),
        ("… 1,390 right sentences", "flagged", "{:.1%}"),
        ("answers to questions", "answers_found", "{:.1%}"),
        ("… right answers, flagged", "answers_flagged", "{:.1%}"),
        ("figures of tables", "tables_found", "{:.1%}"),
        ("… right figures, flagged", "tables_flagged", "{:.1%}"),
        ("what a sentence tells of one", "labels_found", "{:.1%}"),
        ("… right statements, flagged", "labels_flagged", "{:.1%}"),
        ("mistakes that models make", "models_found", "{:.1%}"),
        ("… 2,290 right sentences in a model's words", "models_flagged", "{:.1%}"),
        ("follow-up on evidence in hand", "ttft_reuse", "{:.2f}"),
        ("… beside LangChain's", "ttft_reuse_ratio", "{:.1f}"),
        ("follow-up that searches", "ttft_retrieve_ratio", "{:.2f}"),
        ("first word right after a summary", "ttft_after_compression", "{:.2f}"),
        ("four conversations", "gold_page_in_evidence", "{:.0%}"),
        ("… decided as by hand", "decision_right", "{:.0%}"),
        ("deciding without a model", "accuracy_rules", "{:.3f}"),
        ("… macro-F1", "macro_f1_rules", "{:.3f}"),
        ("… time a turn", "ms_per_turn_rules", "{:.1f}"),
        ("whole questions left unchanged", "topic_switch_unchanged_rules", "{:.2f}"),
        ("… those on the subject", "unanswered_second", "{:.2f}"),
        ("CMRC's and DuReader's R@1 lost", "r1_loss", "{:.3f}"),
        ("page of the 41 questions", "page_in_top_3", "{:.2f}"),
        ("… among the first 5", "page_in_top_5", "{:.1f}"),
        ("says that nothing was found", "found_nothing", "{:.3f}"),
        ("… where there is something", "false_refusals", "{:.3f}"),
        ("BM25 at 100,000 chunks", "query_ms_100k_p50", "{:.1f}"),
        ("… a file added", "add_ms_100k", "{:.0f}"),
        ("whole search at 1,000 chunks", "search_ms_1k_p50", "{:.0f}"),
        ("… at 100,000", "search_ms_100k_p50", "{:.0f}"),
        ("a collection of 100,000 opened", "open_seconds_100k", "{:.1f}"),
        ("pumpkin_book.pdf", "searchable_seconds", "{:.1f}"),
        ("… time until all vectors", "dense_ratio", "{:.2f}"),
        ("scanned pages", "scan_searchable_pages", "{}"),
        ("`python app.py` to page served", "page_served_seconds", "{:.1f}"),
        ("click on [n]", "right_page_share", "{:.0%}"),
        ("… page image first", "first_ms_p50", "{:.0f}"),
        ("page interactive", "interactive_seconds", "{:.1f}"),
        ("main thread busy", "main_thread_busy", "{:.0%}"),
        ("server beside the engine", "server_ms_per_token", "{:.2f}"),
    ],
)
def test_a_figure_is_what_the_kept_result_has(row: str, figure: str, form: str) -> None:
    ((bench, told),) = (rest for name, *rest in measured("README.md", "Figures") if name.startswith(row))
    value = json.loads((_RESULTS / f"{bench}.json").read_text(encoding="utf-8"))["figures"][figure]
    expected = form.format(value).removesuffix("%")
    assert expected in told or expected.removeprefix("0") in told


@pytest.mark.parametrize("name", [*_READMES, "bench/README.md", "bench/results/README.md"])
def test_every_file_that_a_readme_leads_to_is_there(name: str) -> None:
    links = [link for link in re.findall(r"\]\(([^)#\s]+)\)", read(name)) if "://" not in link]
    assert links or name not in _READMES
    assert [link for link in links if not ((ROOT / name).parent / link).exists()] == []


def test_a_space_runs_the_gradio_that_is_required() -> None:
    front = yaml.safe_load(read("README.md").split("---\n")[1])
    assert f"gradio~={front['sdk_version']}" in read("requirements.txt").splitlines()
