"""Each arm of the comparison of searches lacks its part, and is told of in the table."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from bench import arms
from bench.ablation import OURS, without_headings
from bench.arms import ARMS, Measured, measured, opened
from bench.corpora import Corpus, Question, Text
from bench.harness import CHANGED
from bench.ours import OurSearch
from bench.peers import PEERS, told
from bench.report import plot, write_table
from bench.retrieval import figures
from bench.vectors import KeptEmbeddings
from rag.knowledge.request import (
    CHUNK_DENSE,
    CHUNK_SPARSE,
    FusionSpec,
    SearchRequest,
    SingleSearchRequest,
    from_settings,
)
from rag.knowledge.texts import words_text
from rag.types import Hit, Passage, Section
from tests.fakes import FakeEmbeddings

_WORDS = SearchRequest((SingleSearchRequest(CHUNK_SPARSE),), FusionSpec(weights=(1.0,)))
_OTHERS = ("食堂每天中午开放。", "班车早上七点发车。", "会议室需要提前预约。")
_BEFORE = ("ours", "ours_without_reranker", "ours_without_words", "ours_without_vectors", "ours_by_ranks")


@pytest.fixture
def filed(tmp_path: Path) -> Callable[..., AbstractContextManager[OurSearch]]:
    @contextmanager
    def file(arm: str, text: str, title: str = "甲") -> Iterator[OurSearch]:
        texts = [Text("gold", title, text), *(Text(str(i), "乙", other) for i, other in enumerate(_OTHERS))]
        ours = OurSearch(texts, KeptEmbeddings(FakeEmbeddings(), "fake", tmp_path), OURS[arm].filing)
        try:
            yield ours
        finally:
            ours.close()

    return file


def _by_words(ours: OurSearch, question: str) -> set[str]:
    return {ours.owner(hit) for hit in ours.hits(question, _WORDS)}


@pytest.mark.parametrize(
    ("arm", "text", "question", "title"),
    [
        ("ours_without_bigrams", "主持人是慕容复礼先生。", "复礼", "甲"),
        ("ours_without_bigrams", "研发代号为青冥剑的项目。", "青冥", "甲"),
        ("ours_without_folding", "註冊資本為五百萬元。", "注册资本", "甲"),
        ("ours_without_folding", "编号为ＭＦＡ－２０２４的合同。", "MFA-2024", "甲"),
        ("ours_without_folding", "产品叫做iPhone。", "IPHONE", "甲"),
        ("ours_without_headings", "每人每年十天。", "员工手册", "员工手册"),
    ],
)
def test_what_words_find_by_a_part_they_do_not_find_without_it(
    filed: Callable[..., AbstractContextManager[OurSearch]], arm: str, text: str, question: str, title: str
) -> None:
    with filed("ours", text, title) as ours:
        assert _by_words(ours, question) == {"gold"}
    with filed(arm, text, title) as ours:
        assert _by_words(ours, question) == set()
        # The rest of the search is as it was.
        assert _by_words(ours, "食堂中午") == {"0"}
        assert ours.hits(question, from_settings(ours.settings))


def test_without_bigrams_codes_are_still_terms(filed: Callable[..., AbstractContextManager[OurSearch]]) -> None:
    with filed("ours_without_bigrams", "合同编号是ABC-2024。") as ours:
        assert _by_words(ours, "abc-2024") == {"gold"}


def test_without_headings_nothing_that_is_searched_has_one() -> None:
    passage = Passage("每人每年十天。", 0, 7, 1, 1, "1", ("第三章 休假",), "表头")
    (section,) = without_headings((Section(passage, (passage,)),))
    for own in (section.parent, *section.children):
        assert "休假" not in words_text(own, "甲.pdf")
        assert own == replace(passage, heading_path=())


def test_without_parents_no_hit_is_joined_with_its_neighbours(
    filed: Callable[..., AbstractContextManager[OurSearch]],
) -> None:
    text = "".join(f"第{i}项规定了年假的天数和申请年假的办法以及批准年假的部门和期限。" for i in range(12))
    found: dict[str, tuple[Hit, ...]] = {}
    for arm in ("ours", "ours_without_parents"):
        with filed(arm, text) as ours:
            found[arm] = ours.retrieval().find(["年假的天数"], ["bench"], room=2000).hits
            sections = ours.knowledge.sections([hit.chunk.parent_id for hit in found[arm]])
            assert all(len(own.children) == 1 for own in sections.values()) == (arm == "ours_without_parents")
    assert any(hit.joined for hit in found["ours"])
    assert found["ours_without_parents"]
    assert not any(hit.joined for hit in found["ours_without_parents"])


@pytest.mark.parametrize(
    ("arm", "routes", "method"),
    [
        ("ours", {CHUNK_DENSE, CHUNK_SPARSE}, "weighted"),
        ("ours_without_words", {CHUNK_DENSE}, "weighted"),
        ("ours_without_vectors", {CHUNK_SPARSE}, "weighted"),
        ("ours_by_ranks", {CHUNK_DENSE, CHUNK_SPARSE}, "rrf"),
    ],
)
def test_an_arm_searches_by_its_routes_alone(
    filed: Callable[..., AbstractContextManager[OurSearch]], arm: str, routes: set[str], method: str
) -> None:
    with filed(arm, "每人每年有十天年假。") as ours:
        request = OURS[arm].request(from_settings(ours.settings))
        hits = ours.hits("年假十天", request)
    assert {route for hit in hits for route in hit.routes} == routes
    assert request.fuse.method == method


def test_an_arm_lacks_one_part_and_no_two_are_alike() -> None:
    shipped = OURS["ours"]
    for name, arm in OURS.items():
        own = [
            arm.filing.tokenizer != shipped.filing.tokenizer,
            (arm.filing.name, arm.filing.sections) != (shipped.filing.name, shipped.filing.sections),
            arm.request != shipped.request,
            arm.rerank != shipped.rerank,
        ]
        assert sum(own) == (name != "ours")
    assert len({(arm.filing, arm.request, arm.rerank) for arm in OURS.values() if arm.request is shipped.request}) == 6


def test_every_system_ranks_the_right_text_first_where_only_it_has_the_words(tmp_path: Path) -> None:
    texts = [
        Text("gold", "员工手册", "每人每年有十天年假。"),
        *(Text(str(i), "乙", one) for i, one in enumerate(_OTHERS)),
    ]
    for arm in ARMS:
        with opened(arm, texts, KeptEmbeddings(FakeEmbeddings(), "fake", tmp_path)) as search:
            assert search("每年有几天年假")[0] == "gold", arm


def test_a_system_is_measured_in_a_process_of_its_own(tmp_path: Path) -> None:
    texts = (
        Text("gold", "员工手册", "每人每年有十天年假。"),
        *(Text(str(i), "乙", one) for i, one in enumerate(_OTHERS)),
    )
    corpus = Corpus("retrieval", texts, (Question("q", "每年有几天年假", frozenset({"gold"})),))
    found = measured("ours", corpus, tmp_path)
    assert [row["r1"] for row in found.rows] == [1.0]
    # Far from what embedder and dictionary take, 80 MB.
    assert found.megabytes < 20
    assert (tmp_path / "vectors.sqlite3").exists()


def test_what_a_commit_has_measured_is_not_measured_again_and_what_changed_files_have_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    class Here:
        """In the place of the other process."""

        def __init__(self, *_: object, **__: object) -> None: ...

        def __enter__(self) -> "Here":
            return self

        def __exit__(self, *_: object) -> None: ...

        def submit(self, _: object, arm: str, *__: object) -> "Here":
            asked.append(arm)
            return self

        def result(self) -> Measured:
            return Measured([{"r1": 1.0, "ms": 5.0}], 3.0)

    monkeypatch.setattr(arms, "ProcessPoolExecutor", Here)
    corpus = Corpus("retrieval", (), (Question("q", "每年有几天年假", frozenset({"gold"})),))
    for commit in ("abc", "abc", "def", f"def{CHANGED}", f"def{CHANGED}"):
        monkeypatch.setattr(arms, "commit", lambda commit=commit: commit)
        assert measured("ours", corpus, tmp_path) == Here().result()
    assert len(asked) == 4


def _results() -> dict[str, Measured]:
    row = {"r1": 1.0, "r5": 1.0, "r10": 1.0, "mrr10": 1.0, "ndcg10": 1.0, "ms": 5.0}
    right, half = Measured([row] * 4, 40.0), Measured([row, {**row, "r1": 0.0}] * 2, 30.0)
    return {arm: half if arm == "ours_without_bigrams" else right for arm in ARMS}


def test_figures_have_the_names_they_had_and_those_of_the_new_arms_beside_them() -> None:
    found = figures("retrieval", _results())
    for arm in (*PEERS, *_BEFORE):
        for metric in ("r1", "r5", "r10", "mrr10", "ndcg10", "ms"):
            assert {f"retrieval.{arm}.{metric}{end}" for end in ("", ".low", ".high")} <= found.keys()
    assert {f"retrieval.ours_over_{peer}.r1.p" for peer in PEERS} <= found.keys()
    assert found["retrieval.ours_without_bigrams.mb"] == 30.0
    assert found["retrieval.ours_without_bigrams.r1_over_ours"] == -0.5
    assert found["retrieval.ours_without_bigrams.r1_over_ours.low"] < -0.5
    # Paired: the same questions right and wrong leave nothing to chance.
    assert found["retrieval.ours_without_folding.r1_over_ours.high"] == 0.0
    assert "retrieval.ours.r1_over_ours" not in found


def test_the_table_has_every_arm_with_intervals_and_memory(tmp_path: Path) -> None:
    found = figures("retrieval", _results())
    write_table(found, ["retrieval"], {"ours_without_bigrams": "words alone"}, tmp_path / "a.md")
    lines = (tmp_path / "a.md").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("Systems other than ours are rewritten by us")
    # True of other data too, which it is not fitted on.
    assert "The order of ours is fitted on CMRC and DuReader, DRCD and DomainRAG" in lines[0]
    assert lines[4] == "| system | R@1 | R@5 | R@10 | MRR@10 | nDCG@10 | R@1 less ours | ms | MB |"
    rows = {line.split(" | ")[0].removeprefix("| "): line.strip("| ").split(" | ") for line in lines[6 : 6 + len(ARMS)]}
    assert tuple(rows) == ARMS
    assert rows["ours_without_bigrams"][-3].startswith("-0.500 (-")
    assert rows["ours_without_bigrams"][-1] == "30.0"
    assert all("(" in cell for cell in rows["ours"][1:6])
    assert rows["ours"][6] == ""
    assert lines[-1] == "- `ours_without_bigrams`: words alone"


def test_the_plot_is_a_picture_of_all_arms(tmp_path: Path) -> None:
    plot(figures("retrieval", _results()), ["retrieval"], tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_ours_alone_is_compared_with_nothing(tmp_path: Path) -> None:
    found = figures("retrieval", {"ours": _results()["ours"]})
    write_table(found, ["retrieval"], {}, tmp_path / "a.md")
    assert "| system | R@1 | R@5 | R@10 | MRR@10 | nDCG@10 | ms | MB |" in (tmp_path / "a.md").read_text("utf-8")


def test_each_set_up_of_a_system_is_told_by_what_sets_it_apart() -> None:
    sentences = {peer: told(peer) for peer in PEERS}
    assert len(set(sentences.values())) == len(PEERS)
    assert sentences["chatchat_shipped"].endswith("no vector passes it, so BM25 alone.")
    assert sentences["langchain"].endswith("the 4 nearest by vector.")
