import threading
from itertools import islice

import pytest

from rag.llm import gate as gate_module
from rag.llm.gate import Gate, Work
from tests.waiting import wait_for


def test_an_empty_gate_lets_in_without_waiting() -> None:
    gate = Gate()
    with gate.ticket() as ticket:
        assert list(ticket.positions(threading.Event())) == []
        assert not gate.idle.is_set()
    assert gate.idle.is_set()


def test_those_who_wait_are_let_in_by_the_order_they_came_and_see_their_position() -> None:
    gate, inside, order = Gate(), threading.Event(), []
    seen: dict[str, list[int]] = {"second": [], "third": []}
    waiting = {name: threading.Event() for name in seen}

    def wait(name: str) -> None:
        with gate.ticket() as ticket:
            for position in ticket.positions(threading.Event()):
                seen[name].append(position)
                waiting[name].set()
            order.append(name)
            inside.wait(30)

    threads = []
    with gate.ticket() as first:
        assert list(first.positions(threading.Event())) == []
        for name in seen:
            threads.append(threading.Thread(target=wait, args=(name,)))
            threads[-1].start()
            assert waiting[name].wait(30)
        inside.set()
    for thread in threads:
        thread.join(30)
    assert order == ["second", "third"]
    assert seen["second"] == [1]
    assert seen["third"][0] == 2
    assert gate.idle.is_set()


def test_two_slots_let_two_in() -> None:
    gate, never = Gate(lambda: 2), threading.Event()
    with gate.ticket() as first, gate.ticket() as second, gate.ticket() as third:
        assert list(first.positions(never)) == list(second.positions(never)) == []
        assert next(third.positions(never)) == 1


def test_a_model_that_can_serve_more_lets_in_who_waits() -> None:
    slots, never = [1], threading.Event()
    gate = Gate(lambda: slots[0])
    with gate.ticket(), gate.ticket() as second:
        positions = second.positions(never)
        assert next(positions) == 1
        slots[0] = 2
        assert list(positions) == []


def test_who_waits_for_what_gives_way_only_is_not_told_of_it() -> None:
    gate, never, told = Gate(), threading.Event(), []

    def wait() -> None:
        with gate.ticket() as ticket:
            told.append(list(ticket.positions(never)))

    with gate.ticket(Work.YIELDING):
        thread = threading.Thread(target=wait)
        thread.start()
        assert wait_for(lambda: gate.length() == 2)
        with gate.ticket() as third:
            assert next(third.positions(never)) == 1
    thread.join(30)
    assert told == [[]]


def test_what_works_in_the_background_keeps_no_other_such_work_waiting() -> None:
    gate = Gate()
    with gate.ticket(Work.BACKGROUND):
        assert gate.idle.is_set() and gate.length() == 1
        with gate.ticket():
            assert not gate.idle.is_set()
        assert gate.idle.is_set()


def test_who_waits_hears_again_and_again_that_they_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate_module, "_TOLD_AGAIN_SECONDS", 0.05)
    gate, never = Gate(), threading.Event()
    with gate.ticket(), gate.ticket() as second:
        positions = second.positions(never)
        assert [next(positions) for _ in range(3)] == [1, 1, 1]


def test_who_gives_up_leaves_the_queue() -> None:
    gate, cancel = Gate(), threading.Event()
    with gate.ticket():
        with gate.ticket() as second:
            positions = second.positions(cancel)
            assert next(positions) == 1
            cancel.set()
            assert list(positions) == []
        with gate.ticket() as third:
            assert next(third.positions(threading.Event())) == 1
    assert gate.idle.is_set()


def test_who_only_waits_learns_whether_the_turn_has_come() -> None:
    gate, never, called_off = Gate(), threading.Event(), threading.Event()
    with gate.ticket() as first:
        assert first.wait(never)
        with gate.ticket() as second:
            threading.Timer(0.05, called_off.set).start()
            assert not second.wait(called_off)
    with gate.ticket() as third:
        assert third.wait(never)


def test_an_error_inside_gives_the_place_up() -> None:
    gate = Gate()
    try:
        with gate.ticket():
            raise RuntimeError
    except RuntimeError:
        assert gate.idle.is_set()


def test_the_background_goes_on_while_who_is_inside_steps_aside() -> None:
    gate = Gate()
    with gate.ticket() as ticket:
        with pytest.raises(ValueError, match="broken"), ticket.aside():
            assert gate.idle.is_set()
            raise ValueError("broken")
        assert not gate.idle.is_set()


def test_the_background_goes_on_where_others_wait_behind_who_steps_aside_for_it() -> None:
    gate = Gate()
    with gate.ticket() as ticket, gate.ticket() as behind:
        with ticket.aside():
            assert gate.idle.is_set()
            assert list(islice(behind.positions(threading.Event()), 1)) == [1]  # who is told that somebody is ahead
        assert not gate.idle.is_set()


def test_the_background_rests_where_somebody_inside_is_answered_beside_who_steps_aside() -> None:
    gate = Gate(slots=lambda: 2)
    with gate.ticket() as ticket, gate.ticket(), ticket.aside():
        assert not gate.idle.is_set()
