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


def measured(name: str, heading: str) -> list[tuple[str, Counter[str]]]:
    """What was measured in each row of the table below a heading, and the numbers in its last column."""
    section = read(name).split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    assert len(rows) > 10
    return [(row[0].strip(), Counter(_NUMBER.findall(row[-1]))) for row in rows]


def test_both_readmes_tell_the_same_figures() -> None:
    english, chinese = (
        sum((numbers for _, numbers in measured(*where)), Counter[str]())
        for where in zip(_READMES, ("Figures", "数字"), strict=True)
    )
    assert english - chinese == chinese - english == Counter()


@pytest.mark.parametrize(
    ("row", "file", "figure", "form"),
    [
        ("first answer", "answers", "first_token_seconds_median", "{:.1f}"),
        ("first answer", "answers", "first_sign_seconds_median", "{:.2f}"),
        ("41 answerable questions", "answers", "right_by_rule", "{:.0%}"),
        ("memory with the page open", "startup", "page_served_seconds", "{:.1f}"),
        ("pumpkin_book.pdf", "ingest", "searchable_seconds", "{:.1f}"),
        ("pumpkin_book.pdf", "ingest", "dense_ratio", "{:.2f}"),
        ("follow-up on evidence in hand", "latency", "ttft_reuse_ratio", "{:.1f}"),
        ("… that searches", "latency", "ttft_retrieve_ratio", "{:.2f}"),
        ("four conversations", "turns", "decision_right", "{:.0%}"),
        ("deciding without a model", "decision", "accuracy_rules", "{:.3f}"),
        ("deciding without a model", "decision", "macro_f1_rules", "{:.3f}"),
        ("citations", "citations", "found", "{:.1%}"),
        ("citations", "citations", "flagged", "{:.1%}"),
        ("answers to questions", "citations", "answers_found", "{:.1%}"),
        ("answers to questions", "citations", "answers_flagged", "{:.1%}"),
        ("click on [n]", "pages", "first_ms_p50", "{:.0f}"),
        ("page interactive", "page", "server_ms_per_token", "{:.2f}"),
        ("says that nothing was found", "refusal", "found_nothing", "{:.3f}"),
        ("says that nothing was found", "refusal", "false_refusals", "{:.3f}"),
        ("BM25 at 100,000 chunks", "bm25", "query_ms_100k_p50", "{:.1f}"),
        ("BM25 at 100,000 chunks", "scale", "search_ms_100k_p50", "{:.0f}"),
    ],
)
def test_a_figure_is_what_the_kept_result_has(row: str, file: str, figure: str, form: str) -> None:
    value = json.loads((_RESULTS / f"{file}.json").read_text(encoding="utf-8"))["figures"][figure]
    (told,) = (numbers for name, numbers in measured("README.md", "Figures") if name.startswith(row))
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
