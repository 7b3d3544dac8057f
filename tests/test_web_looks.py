"""What the stylesheets promise: amber is for doubt alone."""

from pathlib import Path

TRACE = Path(__file__).parent.parent / "rag" / "web" / "assets" / "trace.css"


def test_amber_colours_no_step_of_an_answer_and_no_part_of_its_prompt() -> None:
    amber = [line.split("{")[0].strip() for line in TRACE.read_text("utf-8").splitlines() if "var(--doubt" in line]
    assert amber == ["#trace .doubt"]
