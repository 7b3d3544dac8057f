"""What is promised of looks: amber is for doubt alone, and drawings are only to be seen."""

from pathlib import Path

from rag.i18n import Language
from rag.web.frame import brand, controls, menu

TRACE = Path(__file__).parent.parent / "rag" / "web" / "assets" / "trace.css"


def test_amber_colours_no_step_of_an_answer_and_no_part_of_its_prompt() -> None:
    amber = [line.split("{")[0].strip() for line in TRACE.read_text("utf-8").splitlines() if "var(--doubt" in line]
    assert amber == ["#trace .doubt"]


def test_no_drawing_is_read_aloud_beside_the_name_of_its_button() -> None:
    html = "".join(draw(Language.ZH) for draw in (brand, menu, controls))
    assert html.count("<svg") == 4 == html.count('<svg class="icon') == html.count('aria-hidden="true"')
