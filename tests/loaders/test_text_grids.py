from loaders.text_grids import with_grid_rows
from tests.waiting import within_cpu_seconds

RULE = "  |------+----------|"


def drawn(*bands: tuple[str, ...]) -> list[str]:
    lines = [line for band in bands for line in (*(f"  {row}" for row in band), RULE)]
    return ["甲", "  +-----------------+", *lines[:-1], "  +-----------------+", "乙"]


BANDS = (
    ("|命令  |   说明   |",),
    ("|open  |打开水泵，|", "|--all |直到水满。|"),
    ("|a | b |接通 pump |", "|      |main      |"),
    ("|stop  |关闭      |",),
)


def test_each_band_of_a_drawn_table_is_one_row_with_whole_cells() -> None:
    rows = with_grid_rows(drawn(*BANDS))
    assert [row for row in rows if row] == [
        "甲",
        "命令 | 说明",
        "open --all | 打开水泵，直到水满。",
        "a / b | 接通 pump main",
        "stop | 关闭",
        "乙",
    ]
    assert len(rows) == len(drawn(*BANDS))


def test_rows_without_rules_between_them_and_cells_over_columns_stay_as_they_are() -> None:
    rows = drawn(BANDS[0], (*BANDS[3], *BANDS[3]))
    assert with_grid_rows(rows) == rows
    rows = drawn(*BANDS, ("|一共两条命令     |",))
    assert with_grid_rows(rows) == rows


def test_a_cell_of_very_many_lines_takes_no_time() -> None:
    rows = drawn(*BANDS[:3], BANDS[3] * 100_000)
    with within_cpu_seconds(4):
        assert with_grid_rows(rows) == rows
