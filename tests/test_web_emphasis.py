"""What of a model's asterisks is emphasis: beside Chinese punctuation, between figures, around nothing."""

import pytest

from rag.web.markdown import markdown as rendered


def markdown(text: str) -> str:
    return rendered(text, lambda _, __: "")


@pytest.mark.parametrize(
    ("text", "bold"),
    [
        ("**粗体：**正文", "粗体："),
        ("正文**“引号”**正文", "“引号”"),
        ("**“引号”**abc", "“引号”"),
        ("他说**《规范》**第一条", "《规范》"),
        ("**结论。**见上", "结论。"),
        ("**（一）总则**适用", "（一）总则"),
        ("plain **bold** text", "bold"),
    ],
)
def test_bold_beside_chinese_punctuation_is_bold(text: str, bold: str) -> None:
    assert f"<strong>{bold}</strong>" in markdown(text)


def test_asterisks_between_figures_multiply() -> None:
    assert markdown("长100*200*300mm，*斜* 2**3**2").strip() == "<p>长100*200*300mm，<em>斜</em> 2**3**2</p>"


@pytest.mark.parametrize("text", ["2 ** 3", "a ** b **", "`**粗：**`", "*.pdf 和 *.txt"])
def test_asterisks_that_hold_nothing_stay(text: str) -> None:
    assert "<strong>" not in markdown(text) and "*" in markdown(text)
