"""The append-only prompt."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from rag.opening import open_transcript
from rag.prompts import Prompts
from rag.tokens import average_estimate, fit_evidence
from rag.transcript import Transcript
from rag.types import Budget, Decision, Summary, Turn, TurnStatus, Use
from tests.samples import evidence, hit, turn

PROMPTS = Prompts()


def contents(transcript: Transcript) -> list[str]:
    return [str(message.content) for message in transcript.prefix()]


def opened(path: list[Turn], budget: int = 10_000) -> Transcript:
    return open_transcript(path, (), PROMPTS, budget, average_estimate)


def test_a_turn_only_appends_to_the_prompt_of_the_turns_before() -> None:
    path = [
        turn("年假几天？", "十天[1]。", (evidence(1),)),
        turn("病假呢？", "五天[2]。", (evidence(2, "病假五天。"),)),
    ]
    shorter, longer = contents(opened(path[:1])), contents(opened(path))
    assert longer[: len(shorter)] == shorter
    assert len(longer) == len(shorter) + 2


def test_what_a_question_was_asked_with_is_what_the_next_prompt_repeats() -> None:
    first = opened([])
    found = first.number([hit(7), hit(8, "病假五天。")])
    asked = first.ask("年假几天？", Decision.RETRIEVE, first.fresh(found), found=True)
    following = opened([turn("年假几天？", "十天[1]。", found)])
    assert following.prefix()[1].content == asked.content
    assert "[1] 员工手册 · 第 1 页 · 休假\n年假为十天。" in str(asked.content)


def test_passages_of_one_document_name_it_once() -> None:
    transcript = opened([])
    other = replace(hit(9, "婚假三天。"), chunk=replace(hit(9, "婚假三天。").chunk, document_name="补充规定.pdf"))
    found = transcript.number([hit(7), hit(8, "病假五天。"), other])
    asked = str(transcript.ask("假期有几天？", Decision.RETRIEVE, found, found=True).content)
    assert asked.count("员工手册") == 1 and "\n\n[2] 第 1 页 · 休假\n病假五天。" in asked
    assert "[3] 补充规定 · 第 1 页" in asked


def test_two_editions_of_a_document_with_a_long_name_are_told_apart() -> None:
    name = "某某智能输电工程科技股份有限公司{}年年度报告全文.pdf"
    sources = [replace(evidence(at), document_name=name.format(2022 + at)) for at in (1, 2)]
    asked = "\n".join(contents(opened([turn("营收？", "五亿[1]。", tuple(sources))])))
    assert all(f"[{at}] 某某智能输电工程科技股份…{2022 + at}年年度报告全文 · 第 1 页" in asked for at in (1, 2))


def test_evidence_stands_on_all_pages_of_its_passage() -> None:
    plain = hit(7)
    passage = replace(plain.chunk.passage, last_page=3)
    spread = replace(plain, chunk=replace(plain.chunk, passage=passage))
    assert [list(item.pages) for item in opened([]).number([plain, spread])] == [[1], [1, 2, 3]]


def test_a_passage_in_the_prompt_keeps_its_number_and_is_not_sent_again() -> None:
    path = [turn("年假几天？", "十天[1]。", (evidence(1),))]
    transcript = opened(path)
    found = transcript.number([hit(101), hit(300, "婚假三天。")])
    assert [item.number for item in found] == [1, 2]
    assert [item.number for item in transcript.fresh(found)] == [2]
    both = contents(opened([*path, turn("婚假呢？", "三天[2]。", found)]))
    assert sum("年假为十天。" in content for content in both) == 1


def test_what_is_part_of_a_passage_in_the_prompt_is_in_hand_under_its_number() -> None:
    widened = replace(hit(25, "年假五天。病假三十天。"), joined=(26, 27))
    (first,) = opened([]).number([widened])
    transcript = opened([turn("年假几天？", "五天[1]。", (first,))])
    found = transcript.number([hit(26, "病假三十天。"), hit(30, "出差凭票报销。"), hit(27, "婚假十三天。")])
    assert [item.number for item in found] == [1, 2]
    assert [item.number for item in transcript.fresh(found)] == [2]
    assert transcript.held().keys() == {25, 26, 27}


def test_a_passage_that_was_cut_is_sent_whole_when_it_is_found_again() -> None:
    (first,) = fit_evidence(opened([]).number([hit(25, "年假五天。病假三十天。")]), 6, len)
    transcript = opened([turn("年假几天？", "五天[1]。", (first,))])
    found = transcript.number([hit(25, "年假五天。病假三十天。")])
    assert [(item.number, item.text) for item in transcript.fresh(found)] == [(2, "年假五天。病假三十天。")]


def test_what_a_filter_says_of_a_passage_holds_for_the_question_that_it_was_asked() -> None:
    leave, sick = Use("年假为十天。", "写明了年假"), Use("病假五天。", "写明了病假")
    (first,) = opened([]).number([replace(hit(25, "年假为十天。病假五天。"), use=leave)])
    assert first.use == leave
    transcript = opened([turn("年假几天？", "十天[1]。", (first,))])
    (again,) = transcript.number([replace(hit(25, "年假为十天。病假五天。"), use=sick)])
    assert (again.number, again.use) == (1, sick)
    assert [item.use for item in transcript.number([hit(25)])] == [None]
    assert [(item.number, item.use) for item in transcript.covering("年假为十天？")] == [(1, None)]


def test_numbers_go_on_after_evidence_that_has_left_the_prompt() -> None:
    path = [turn(f"问题{n}", "答" * 200, (evidence(n, "资料" * 100),)) for n in range(1, 7)]
    transcript = opened(path, budget=700)
    assert len(transcript.turns) < len(path)
    assert transcript.number([hit(999)])[0].number == 7


def test_the_older_half_leaves_at_once_and_the_rest_stays_for_the_following_turns() -> None:
    path = [turn(f"问题{n}", "答" * 300) for n in range(8)]
    one = average_estimate("答" * 300)
    cut = opened(path, budget=7 * one)
    assert cut.turns == tuple(path[4:])
    following = turn("下一问", "好", first_turn_in_prompt=path[4].turn_id)
    assert opened([*path, following], budget=7 * one).turns == (*path[4:], following)


def test_a_turn_that_ended_while_it_was_queued_leaves_where_the_prompt_begins() -> None:
    path = [turn(f"第{number}问", "答") for number in range(6)]
    path += [turn("下一问", "好", first_turn_in_prompt=path[4].turn_id), turn("没等到", "", status=TurnStatus.STOPPED)]
    assert [item.question for item in opened(path).turns] == ["第4问", "第5问", "下一问"]


def test_the_newest_turn_stays_without_its_evidence_before_it_leaves_the_prompt_too() -> None:
    path = [turn(f"问题{n}", "答" * 200 + f"[{n}]", (evidence(n, "资料" * 300),), thinking="想") for n in (1, 2)]
    brief = opened(path, budget=450)
    assert [(kept.turn_id, kept.answer) for kept in brief.turns] == [(path[1].turn_id, "答" * 200)]
    assert brief.in_hand() == () and brief.tokens <= 450
    assert str(brief.prefix()[1].content) == "问题2"
    none = opened(path, budget=200)
    assert (none.turns, none.older, none.recent()) == ((), tuple(path), (path[1],))


def test_a_summary_that_does_not_fit_is_cut_once_no_turn_is_left() -> None:
    path = [turn("年假几天？", "十天。"), turn("病假呢？", "五天。")]
    told = Summary("1", "session", "conversation", path[0].turn_id, "说过年假。" * 900, False, datetime.now(UTC))
    cut = open_transcript(path, (told,), PROMPTS, 700, average_estimate)
    assert cut.turns == () and cut.tokens <= 700
    assert cut.summary is not None and cut.summary.text.endswith("说过年假。")


def test_a_turn_without_an_answer_is_not_repeated_to_the_model() -> None:
    path = [turn("在吗", "", status=TurnStatus.FAILED), turn("年假几天？", "十天。")]
    assert not any("在吗" in content for content in contents(opened(path)))


def test_a_search_without_hits_is_told_to_the_model_and_small_talk_is_not() -> None:
    transcript = opened([])
    silent = str(transcript.ask("年假几天？", Decision.RETRIEVE, (), found=False).content)
    talk = str(transcript.ask("谢谢", Decision.NO_RETRIEVE, (), found=False).content)
    assert "没有找到" in silent
    assert talk == "谢谢"


def test_what_was_refused_without_the_model_is_a_note_that_gives_it_no_example() -> None:
    far = (replace(evidence(1, "食堂在三楼。"), relevant=False),)
    said = "我不知道，资料中没有相关内容。"
    quoted = f"{said}\n\n资料里最接近的原文是：\n\n> 食堂在三楼。[1]"
    prefix = opened([turn("班车几点？", said, far), turn("食堂几点开门？", quoted, far)]).prefix()
    told = "\n".join(message.text for message in prefix[1:])
    assert all(part in told for part in ("班车几点？", "食堂几点开门？", "食堂在三楼。"))
    assert said not in told and "问题：" not in told and not any("食堂在三楼" in reply.text for reply in prefix[2::2])


def test_passages_in_which_the_model_found_no_answer_are_not_in_hand() -> None:
    read = Budget(8192, 100, 0, 0, 0, 30, 10, 512)
    said = "我不知道，资料中没有相关内容。"
    transcript = opened([turn("班车几点？", said, (evidence(1, "食堂在三楼。"),), budget=read)])
    assert transcript.in_hand() == ()
    assert "食堂" not in "".join(contents(transcript)) and "班车几点？" in contents(transcript)[1]


def test_what_the_model_was_asked_from_passages_that_only_came_nearest_stays_an_answer() -> None:
    far = (replace(evidence(1, "食堂在三楼。"), relevant=False),)
    asked = turn("食堂在哪？", "在三楼。", far, budget=Budget(8192, 100, 0, 0, 0, 0, 10, 512))
    assert opened([asked]).prefix()[-1].text == "在三楼。"


def test_braces_in_documents_and_questions_are_plain_text() -> None:
    transcript = opened([])
    item = transcript.number([hit(1, "模板 {question} 与 {0}")])
    content = str(transcript.ask("{evidence} 是什么？", Decision.RETRIEVE, item, found=True).content)
    assert "模板 {question} 与 {0}" in content
    assert "{evidence} 是什么？" in content


def test_thoughts_stay_out_of_the_prompt_unless_they_are_wanted() -> None:
    path = (turn("年假几天？", "十天。", thinking="先看手册"),)
    assert "先看手册" not in "".join(contents(Transcript(PROMPTS, path)))
    assert "<think>先看手册</think>" in "".join(contents(Transcript(PROMPTS, path, thinking_in_context=True)))


def test_the_request_to_rewrite_repeats_the_last_question_that_was_searched_for() -> None:
    path = [
        turn("年假几天？", "十天。"),
        turn("它呢？", "五天。", generated_question="病假有几天？"),
        turn("谢谢", "不客气。", decision=Decision.NO_RETRIEVE),
    ]
    assert str(opened(path).condense("为什么？").content).startswith("上一问：病假有几天？\n追问：为什么？\n")
    assert "上一问：谢谢\n" in str(opened(path[2:]).condense("为什么？").content)


def test_only_an_english_question_asks_for_an_english_answer() -> None:
    def asked(question: str) -> str:
        transcript = Transcript(Prompts(), ())
        return str(transcript.ask(question, Decision.RETRIEVE, transcript.number([hit(1, "年假十天。")]), True).content)

    english = ("How many days of leave are there?", "What’s the annual leave?", "How much is the revenue of 生物股份?")
    assert all("(Answer in English." in asked(question) for question in english)
    chinese = ("年假有几天？", "What is 年假?", "annual leave", "Attention Is All You Need 这篇论文讲了什么？")
    assert not any("English" in asked(question) for question in chinese)


@pytest.mark.parametrize(
    ("question", "reader", "is_told"),
    [
        ("LLSync", "en", True),
        ("MFA-2024", "en", True),
        ("LLSync", "zh", False),
        ("LLSync", "", False),
        ("年假", "en", False),
        ("LLSync，请用中文回答。", "en", False),
    ],
)
def test_a_term_alone_is_answered_in_the_language_that_its_reader_reads(
    question: str, reader: str, is_told: bool
) -> None:
    sources = (evidence(1),)
    asked = opened([]).ask(question, Decision.RETRIEVE, sources, True, reader=reader).content
    assert str(asked).endswith(PROMPTS.fill("in_english_from_passages")) is is_told
    # So it stands before the next question, too: the model does not read it again.
    answer = "It is a protocol by which devices talk[1]." if is_told else "这是设备之间的协议[1]。"
    assert opened([turn(question, answer, sources)]).prefix()[1].content == asked


@pytest.mark.parametrize(("prompt", "asked"), [("read", "概括上面的原文"), ("outline", "章节的标题")])
def test_what_was_read_at_a_place_is_put_by_its_own_prompt(prompt: str, asked: str) -> None:
    transcript, question = opened([]), "第3页讲了什么？"
    found = transcript.number([hit(7)])
    message = transcript.ask(question, Decision.RETRIEVE, found, True, (), prompt)
    assert asked in str(message.content) and question in str(message.content) and "年假为十天。" in str(message.content)


def test_a_place_is_read_in_a_prompt_of_its_own_whatever_was_said_and_held_before() -> None:
    held, fresh = opened([]).number([hit(7), hit(8, "病假为五天。")])
    alone = opened([turn("年假几天？", "十天[1]。", (held,))]).alone(9)
    assert contents(alone) == contents(opened([])) and alone.tokens == 9
    message = alone.ask("第3页讲了什么？", Decision.RETRIEVE, alone.fresh([held, fresh]), True, (), "read")
    assert held.text in str(message.content) and fresh.text in str(message.content)


def test_what_is_cited_after_a_place_was_read_leaves_its_prompt_as_it_was() -> None:
    held, fresh = opened([]).number([hit(7), hit(8, "病假为五天。")])
    question, read = "第3页讲了什么？", "read"
    first = turn("年假几天？", "十天[1]。", (held,))
    asked = opened([first]).ask(question, Decision.RETRIEVE, [fresh], True, (), read)
    # Its answer cited what an earlier turn had brought in.
    second = turn(question, "病假五天[2]，年假十天[1]。", (fresh, held), place_read=read)
    assert opened([first, second]).prefix()[3].content == asked.content


@pytest.mark.parametrize(
    ("question", "is_told"),
    [
        ("How many days of leave are there?", True),
        ("How many days of leave are there? Please answer in Chinese.", False),
        ("How many days of leave are there? 请用中文回答。", False),
        ("年假几天？请用英文回答。", True),
    ],
)
def test_below_passages_a_model_is_told_to_answer_in_english_where_that_is_spoken_or_wished(
    question: str, is_told: bool
) -> None:
    asked = str(opened([]).ask(question, Decision.RETRIEVE, (evidence(1),), found=True).content)
    assert asked.endswith(PROMPTS.fill("in_english_from_passages")) is is_told


@pytest.mark.parametrize(
    ("message", "prompt"),
    [
        ("我叫小明。", "introduced"),
        ("My name is Tom.", "introduced"),
        ("我叫什么名字？", "who_speaks"),
        ("谢谢！", None),
    ],
)
def test_who_speaks_of_themselves_is_not_taken_for_asking_the_documents(message: str, prompt: str | None) -> None:
    asked = str(opened([]).ask(message, Decision.NO_RETRIEVE, (), found=False).content)
    put = PROMPTS.fill(prompt, question=message) if prompt else message
    assert asked == (f"{put}\n{PROMPTS.fill('in_english')}" if message.isascii() else put)


def test_a_summary_of_the_talk_is_asked_for_with_what_that_was_about() -> None:
    found = opened([]).number([hit(7)])
    path = [
        turn("年假几天？", "十天[1]。", found),
        turn("病假呢？", "五天[1]。", found, generated_question="病假有几天？"),
        turn("谢谢", "不客气。", decision=Decision.NO_RETRIEVE),
        turn("婚假呢？", "我不知道。", (replace(found[0], relevant=False),)),
    ]
    question = "把你上面说的总结成两句话。"
    asked = opened(path).ask(question, Decision.NO_RETRIEVE, (), found=False)
    assert str(asked.content).startswith(f"{question}\n") and "1. 年假几天？；2. 病假有几天？" in str(asked.content)
    assert "婚假" not in str(asked.content) and "谢谢" not in str(asked.content)
    summed_up = turn(question, "年假十天，病假五天。", decision=Decision.NO_RETRIEVE)
    assert opened([*path, summed_up, turn("产假呢？", "九十天[1]。", found)]).prefix()[9].content == asked.content
    long = [turn("年假" * 500, "十天[1]。", found)] * 3 + path[:1]
    told = str(opened(long).ask(question, Decision.NO_RETRIEVE, (), found=False).content)
    assert told.count("年假年假年假") == 10 and len(told) < 150  # once, and short
    for other in ("谢谢", "把上一个回答总结一下。", "把前面关于年假的回答概括成一句话。"):
        assert opened(path).ask(other, Decision.NO_RETRIEVE, (), found=False).content == other
    assert opened(path[:1]).ask(question, Decision.NO_RETRIEVE, (), found=False).content == question


@pytest.mark.parametrize("question", ["你确定吗？", "刚才的回答对不对", "你说错了吧", "Are you sure?"])
def test_who_doubts_an_answer_has_it_compared_with_the_passages(question: str) -> None:
    following = opened([turn("年假几天？", "十天[1]。", (evidence(1),))])
    asked = following.ask(question, Decision.REUSE, (), found=True)
    assert str(asked.content).startswith(PROMPTS.fill("doubted", question=question))


def test_what_asks_for_something_itself_doubts_nothing() -> None:
    following = opened([turn("年假几天？", "十天[1]。", (evidence(1),))])
    for question in ("年假真的有10天吗？", "请确定日期"):
        asked = following.ask(question, Decision.REUSE, (), found=True)
        assert asked.content == PROMPTS.fill("follow_up", question=question)
