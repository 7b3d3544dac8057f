import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.llm.think import NoThoughts, Piece, Text, ThinkSplitter, Thought, ThoughtsEnd, answer_of
from tests.waiting import within_cpu_seconds

PIECES = ["<think>", "</think>", "<", "</", "think>", "<th", "ink>", "渠", "水 ", "。", "\n", "a"]


def split(chunks: list[str], *, inside: bool = False) -> list[Piece]:
    splitter = ThinkSplitter(inside=inside)
    parts = [part for chunk in chunks for part in splitter.feed(chunk)] + splitter.close(whole=True)
    merged: list[Piece] = []
    for part in parts:
        match (*merged[-1:], part):
            case (Thought(before), Thought(text)):
                merged[-1] = Thought(before + text)
            case (Text(before), Text(text)):
                merged[-1] = Text(before + text)
            case _:
                merged.append(part)
    return merged


def test_thoughts_are_told_from_the_answer() -> None:
    assert split(["<think>\n先看资料\n</think>\n\n答案是 5。"]) == [Thought("先看资料\n"), Text("答案是 5。")]


def test_a_text_without_tags_stays_whole() -> None:
    assert split(["若 a<b 则 a<think 吗？<"]) == [Text("若 a<b 则 a<think 吗？<")]


def test_a_tag_cut_between_chunks_is_still_a_tag() -> None:
    assert split(["<th", "ink>想", "</", "think", ">答"]) == [Thought("想"), Text("答")]


def test_an_unclosed_thought_stays_a_thought() -> None:
    assert split(["<think>一直在想</thi"]) == [Thought("一直在想</thi")]


def test_an_empty_thought_is_dropped() -> None:
    assert split(["<think>\n\n</think>\n\n答"]) == [Text("答")]


def test_text_that_cannot_be_a_tag_is_not_held_back() -> None:
    assert ThinkSplitter().feed("答案<") == [Text("答案<")]
    assert ThinkSplitter().feed("\n<") == [Text("\n")]


@pytest.mark.parametrize("answer", ["先找 <think> 标签，再取其后的正文[1]。", "`<think>` 与 `</think>` 之间是思考。"])
def test_an_answer_may_speak_of_the_tags(answer: str) -> None:
    assert split(list(answer)) == [Text(answer)]
    assert answer_of(f"<think>想</think>\n{answer}") == answer


@pytest.mark.parametrize("text", ["若 a<b " + "<" * 60_000, "好" + "</think>" * 10_000])
def test_a_text_full_of_what_may_be_tags_is_split_while_it_comes(text: str) -> None:
    with within_cpu_seconds(5):
        assert split([text[start : start + 2] for start in range(0, len(text), 2)]) == [Text(text)]
        assert split([text]) == [Text(text)]


def test_a_model_may_think_again_before_it_answers() -> None:
    assert split(["\n<think>想</think>\n<think>再想</think>答"]) == [Text("\n"), Thought("想再想"), Text("答")]


@pytest.mark.parametrize("thoughts", ["先看资料……\n", "先看资料。", "First the documents. "])
def test_thoughts_that_the_prompt_began_are_told_apart_where_they_end(thoughts: str) -> None:
    told = f"{thoughts}</think>\n\n年假为十五天[1]。"
    assert split(list(told)) == [Text(thoughts), ThoughtsEnd(), Text("年假为十五天[1]。")]
    assert answer_of(told) == "年假为十五天[1]。"


@pytest.mark.parametrize("begun", ["", "\n<think>\n"])
def test_a_model_known_to_begin_inside_its_thoughts_has_them_told_apart_from_the_first(begun: str) -> None:
    told = split([*begun, *"先看资料，再 <答>。</think>\n\n年假为十五天[1]。"], inside=True)
    assert told[begun.startswith("\n") :] == [Thought("先看资料，再 <答>。"), Text("年假为十五天[1]。")]


def test_what_a_model_says_without_an_end_of_thoughts_is_its_answer_whatever_was_known_of_it() -> None:
    assert split(["年假", "为十天。"], inside=True) == [Thought("年假为十天。"), NoThoughts(), Text("年假为十天。")]


def test_blanks_before_thoughts_that_the_prompt_began_belong_to_them() -> None:
    assert split(["\n", "</think>答"], inside=True) == [Thought("\n"), Text("答")]


def test_thoughts_that_are_broken_off_are_no_answer() -> None:
    splitter = ThinkSplitter(inside=True)
    assert [*splitter.feed("先看资料"), *splitter.close()] == [Thought("先看资料")]


def test_an_end_of_thoughts_before_any_of_them_is_dropped() -> None:
    assert split(["</thi", "nk>\n答"])[1:] == [Text("答")]


def test_an_answer_that_shows_both_tags_is_no_thought() -> None:
    answer = "格式如下。\n<think>\n先想\n</think>\n再答。"
    assert split(list(answer)) == [Text(answer)]


def test_a_closing_tag_that_a_whole_answer_names_belongs_to_it() -> None:
    assert answer_of("结束标签是 </think>，其后是正文。") == "结束标签是 </think>，其后是正文。"


def test_tags_of_other_names_inside_a_thought_belong_to_it() -> None:
    assert split(["<think><b>想</b></think>答"]) == [Thought("<b>想</b>"), Text("答")]


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join), st.booleans(), st.data())
def test_any_chunking_gives_the_same_parts(text: str, inside: bool, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=10)))
    chunks = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    assert split(chunks, inside=inside) == split([text], inside=inside)
