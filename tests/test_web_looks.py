"""What is promised of looks: amber is for doubt alone, drawings are only to be seen, a download tells what is known."""

from dataclasses import replace
from pathlib import Path

from rag.i18n import Language
from rag.types import Message, ModelState, ModelStatus, Provider
from rag.web.frame import brand, controls, menu
from rag.web.render_model import progress

TRACE = Path(__file__).parent.parent / "rag" / "web" / "assets" / "trace.css"


def test_amber_colours_no_step_of_an_answer_and_no_part_of_its_prompt() -> None:
    amber = [line.split("{")[0].strip() for line in TRACE.read_text("utf-8").splitlines() if "var(--doubt" in line]
    assert amber == ["#trace .doubt"]


def test_how_long_a_download_takes_is_told_once_that_is_known() -> None:
    reason = Message("model.extractive_probing")
    status = ModelStatus(Provider.EXTRACTIVE, "", ModelState.DOWNLOADING, reason, done=400_000_000, total=1_000_000_000)
    begun, under_way = (progress(replace(status, speed=speed), Language.EN) for speed in (0.0, 2_000_000.0))
    assert "400 / 1000 MB.<" in begun and "min left" not in begun
    assert "2.0 MB/s, about 5 min left" in under_way


def test_no_drawing_is_read_aloud_beside_the_name_of_its_button() -> None:
    html = "".join(draw(Language.ZH) for draw in (brand, menu, controls))
    assert html.count("<svg") == 4 == html.count('<svg class="icon') == html.count('aria-hidden="true"')
