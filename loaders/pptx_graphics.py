"""What a slide shows besides text: tables, charts and diagrams, as lines."""

from collections.abc import Iterator
from typing import Any

from loaders.cleaning import normalise
from loaders.rows import LONGEST_REPEATED, row_text

_DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}relIds"
_MAIN = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_MOST_POINTS = 1000  # of a chart that are read


def table_rows(table: Any) -> Iterator[str]:
    """A table's rows. A cell over columns stands in the first, one over rows in each, unless it is long."""
    below: dict[int, tuple[str, int]] = {}
    for row in table.rows:
        texts: list[str] = []
        for column, cell in enumerate(row.cells):
            text, left = below.get(column, ("", 0))
            below[column] = (text, left - 1) if left > 1 else ("", 0)
            if not cell.is_spanned:
                text = _in_one_line(cell.text)
                if cell.is_merge_origin and cell.span_height > 1 and len(text) <= LONGEST_REPEATED:
                    below[column] = text, cell.span_height - 1
            elif left == 0:
                text = ""
            texts.append(text)
        if any(texts):
            yield row_text(texts) if len(texts) > 1 else texts[0]


def chart_rows(chart: Any) -> Iterator[str]:
    """A chart's title, and its values as a table: a row for each category, a column for each series."""
    if chart.has_title and (title := _in_one_line(chart.chart_title.text_frame.text)):
        yield title
    for plot in chart.plots:
        series = list(plot.series)
        categories = [_in_one_line(str(category)) for category in plot.categories][:_MOST_POINTS]
        if not series or not categories:
            continue
        yield row_text(["", *(_in_one_line(one.name) for one in series)])
        columns = [list(one.values) for one in series]
        for index, category in enumerate(categories):
            yield row_text([category, *(_value(column, index) for column in columns)])


def diagram_texts(shape: Any) -> Iterator[str]:
    """The texts of a diagram (SmartArt), which stand in another part of the file."""
    reference = next(shape.element.iter(_DIAGRAM), None)
    if reference is None:
        return
    from pptx.oxml import parse_xml

    data = next((value for name, value in reference.attrib.items() if name.endswith("}dm")), "")
    for paragraph in parse_xml(shape.part.related_part(data).blob).iter(f"{_MAIN}p"):
        yield "".join(text.text or "" for text in paragraph.iter(f"{_MAIN}t"))


def _value(column: list[float | None], index: int) -> str:
    value = column[index] if index < len(column) else None
    return "" if value is None else f"{value:.15g}"


def _in_one_line(text: str) -> str:
    return " ".join(normalise(text).split())
