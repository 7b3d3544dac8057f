"""An answer that begins as another was answered is held back, however it comes."""

from rag.llm.stream import Done, Part
from rag.llm.think import Text
from rag.turn.output_filters import filtered
from rag.turn.said_before import SaidBefore
from rag.types import Usage
from tests.waiting import within_cpu_seconds


def test_new_lines_without_end_are_held_back_in_no_time() -> None:
    before = SaidBefore([("年假有几天？", "员工入职满一年以后，每年的年假为十天。")], lambda *_: False)
    said: list[Part] = [*[Text("\n")] * 20_000, Text("病假为五天。"), Done(Usage())]
    with within_cpu_seconds(5):
        assert list(filtered((part for part in said), before)) == [Text("\n" * 20_000 + "病假为五天。"), Done(Usage())]
