import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from rag.llm.states import States

ROLE = SystemMessage("你回答问题。")


def prompt(*questions: str) -> list[BaseMessage]:
    """A conversation's prompt, the role first, with an answer to each question but the last."""
    said = [message for question in questions for message in (HumanMessage(question), AIMessage("答。"))]
    return [ROLE, *said[:-1]]


def test_a_new_conversation_begins_behind_its_role_alone() -> None:
    first, goes_on = States().before(prompt("年假？"))
    assert (first[0].text, goes_on) == (ROLE.text, True)


def test_the_present_conversation_goes_on_at_once() -> None:
    states = States()
    states.before(prompt("年假？"))
    assert states.before(prompt("年假？", "病假？")) == ([], True)
    assert states.before(prompt("年假？", "病假？", "班车？")) == ([], True)


def test_a_branch_of_the_present_conversation_is_looked_for_and_leaves_what_it_leaves_its_state() -> None:
    states = States()
    states.before(prompt("年假？", "病假？", "班车？"))
    assert states.before(prompt("年假？", "产假？")) == ([], False)


def test_another_conversation_that_began_alike_is_looked_for() -> None:
    states = States()
    states.before(prompt("年假？", "病假？"))
    states.before(prompt("年假？"))  # another one's first question
    assert states.before(prompt("年假？", "病假？", "班车？")) == ([], False)


def test_the_same_question_put_otherwise_goes_on_at_once() -> None:
    states = States()
    states.before(prompt("年假？", "改写：病假？"))
    assert states.before(prompt("年假？", "病假？")) == ([], True)


def test_a_prompt_that_was_never_read_is_not_gone_on_from() -> None:
    states = States()
    states.before(prompt("年假？"))
    states.before(prompt("班车？"))
    states.before(prompt("年假？", "病假？"))
    states.lose()
    first, goes_on = states.before(prompt("年假？", "病假？"))
    assert (first != [], goes_on) == (True, False)


def test_a_conversation_that_others_came_between_is_looked_for_behind_something_else() -> None:
    states = States()
    states.before(prompt("年假？"))
    states.before(prompt("班车？"))
    first, goes_on = states.before(prompt("年假？", "病假？"))
    assert (first[0].text != ROLE.text, goes_on) == (True, False)


@pytest.mark.parametrize(
    "other",
    [[HumanMessage("这一段能回答吗？")], [SystemMessage("概括。"), HumanMessage("年假？")]],
    ids=["no role", "another role"],
)
def test_a_conversation_that_only_what_is_unlike_it_came_between_is_looked_for_at_once(
    other: list[BaseMessage],
) -> None:
    states = States()
    states.before(prompt("年假？"))
    states.before(other)
    assert states.before(prompt("年假？", "病假？")) == ([], False)


def test_a_prompt_without_a_role_is_no_conversation() -> None:
    assert States().before([HumanMessage("这一段能回答吗？")]) == ([], False)
