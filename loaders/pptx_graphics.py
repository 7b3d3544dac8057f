"""What a slide shows besides text: tables, charts and diagrams, as lines."""

from collections.abc import Iterator, Sequence
from typing import Any

from pptx.oxml import parse_xml

from loaders.cleaning import clean_cell, in_one_line
from loaders.rows import row_text
from loaders.table_lines import SpannedCell, placed_cells
from loaders.xlsx_formats import GENERAL, shown

_CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}relIds"
_MAIN = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_MOST_POINTS = 1000  # of a chart that are read


def table_rows(table: Any) -> Iterator[str]:
    """A table's rows."""
    for texts in placed_cells(map(_cells, table.rows)):
        if any(texts):
            yield row_text(texts) if len(texts) > 1 else texts[0]


def _cells(row: Any) -> Iterator[SpannedCell]:
    for cell in row.cells:
        if not cell.is_spanned:
            yield SpannedCell(clean_cell(cell.text), cell.span_width, cell.span_height)


def chart_rows(shape: Any) -> Iterator[str]:
    """A chart's title, and its values as a table: a row for each category, a column for each series.

    Each series of pairs, as of a scatter chart, is a table of its own.
    The XML itself is walked: python-pptx fails on some kinds of charts.
    """
    chart = parse_xml(shape.chart_part.blob).find(f"{_CHART}chart")
    if title := in_one_line("".join(text.text or "" for text in chart.iterfind(f"{_CHART}title//{_MAIN}t"))):
        yield title
    for plot in chart.iterfind(f"{_CHART}plotArea/*"):
        series = plot.findall(f"{_CHART}ser")
        if plot.find(f"{_CHART}ser/{_CHART}xVal") is None:
            yield from _series_rows(series)
        else:
            yield from (row for one in series for row in (*_series_rows([one]), ""))


def _series_rows(series: Sequence[Any]) -> Iterator[str]:
    columns = [_points(one, "val", "yVal") for one in series]
    categories = next(filter(None, (_points(one, "cat", "xVal") for one in series)), {})
    if categories:
        yield row_text(["", *(in_one_line(one.findtext(f"{_CHART}tx//{_CHART}v") or "") for one in series)])
    for number in list(categories)[:_MOST_POINTS]:
        yield row_text([categories[number], *(column.get(number, "") for column in columns)])


def _points(series: Any, *names: str) -> dict[str, str]:
    """What a series has at each of its points, by the first of these names that it has."""
    data = next((found for name in names if (found := series.find(f"{_CHART}{name}")) is not None), None)
    if data is None:
        return {}
    code = data.findtext(f".//{_CHART}formatCode") or GENERAL
    level = data.find(f".//{_CHART}lvl")  # the innermost of several comes first
    points = (data if level is None else level).iter(f"{_CHART}pt")
    return {
        point.get("idx", ""): shown(in_one_line(point.findtext(f"{_CHART}v") or ""), point.get("formatCode", code))
        for point in points
    }


def diagram_texts(shape: Any) -> Iterator[str]:
    """The texts of a diagram (SmartArt), which stand in another part of the file."""
    reference = next(shape.element.iter(_DIAGRAM), None)
    if reference is None:
        return
    data = next((value for name, value in reference.attrib.items() if name.endswith("}dm")), "")
    for paragraph in parse_xml(shape.part.related_part(data).blob).iter(f"{_MAIN}p"):
        yield "".join(text.text or "" for text in paragraph.iter(f"{_MAIN}t"))
