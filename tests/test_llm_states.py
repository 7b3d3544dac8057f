import sys
import threading

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from rag.llm.states import States

ROLE = SystemMessage("你回答问题。")


def prompt(*questions: str) -> list[BaseMessage]:
    """A conversation's prompt, the role first, with an answer to each question but the last."""
    said = [message for question in questions for message in (HumanMessage(question), AIMessage("答。"))]
    return [ROLE, *said[:-1]]


def test_a_new_conversation_begins_behind_its_role_alone() -> None:
    assert [message.text for message in States().read_first(prompt("年假？"))][:1] == [ROLE.text]


def test_the_present_conversation_goes_on_at_once() -> None:
    states = States()
    states.read_first(prompt("年假？"))
    assert states.read_first(prompt("年假？", "病假？")) == []


def test_a_conversation_that_others_came_between_is_looked_for_behind_something_else() -> None:
    states = States()
    states.read_first(prompt("年假？"))
    states.read_first(prompt("班车？"))
    first, *_ = states.read_first(prompt("年假？", "病假？"))
    assert first.text != ROLE.text


def test_a_prompt_without_a_role_is_no_conversation() -> None:
    assert States().read_first([HumanMessage("这一段能回答吗？")]) == []


def test_turns_that_begin_at_once_leave_the_states_whole() -> None:
    states, refused = States(), list[Exception]()

    def begin(number: int) -> None:
        try:
            for question in range(3000):
                states.read_first(prompt(f"{number * question % 200}？"))
        except Exception as error:  # noqa: BLE001 - a thread's errors are lost
            refused.append(error)

    pause = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=begin, args=(number,)) for number in range(1, 7)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(pause)
    assert refused == []
