from loaders.lines import TextLine
from loaders.titles import title_sizes


def line(text: str, index: int, size: float) -> TextLine:
    return TextLine(text, 70, 530, 700 - 20 * index, 700 - 20 * index + size, size)


TEXT = [line("这是正文的一行，写得很长很长，一直写到一行的末尾也没有写完。", index, 9.0) for index in range(2, 8)]


def test_lines_of_almost_one_size_are_one_sentence_and_no_titles() -> None:
    # Whether a line has Latin letters changes how high its font is.
    assert (
        title_sizes([[line("避免在 Java 代码块中采用相同的命名，使可理", 0, 11.5), line("解性降低", 1, 11.2), *TEXT]])
        == {}
    )


def test_a_line_that_is_clearly_larger_than_its_neighbours_is_a_title() -> None:
    assert title_sizes([[line("命名规约", 0, 12.5), line("避免采用相同的命名", 1, 11.2), *TEXT]]) == {
        "命名规约": 12.5,
        "避免采用相同的命名": 11.0,
    }


def test_a_title_that_is_spaced_out_is_one_and_cells_are_none() -> None:
    page = [line("前\t言", 0, 16.0), TEXT[0], line("姓名\t部门", 4, 16.0), *TEXT[1:]]
    assert title_sizes([page]) == {"前言": 16.0}
