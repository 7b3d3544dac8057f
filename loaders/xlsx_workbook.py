"""The parts of an XLSX file: its sheets, the texts and formats that they refer to, and the cells of a sheet.

The XML itself is walked: openpyxl refuses whole workbooks for a style that it does not know, and fills what a sheet
says to be its size with cells.
"""

import posixpath
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from lxml.etree import XMLParser, fromstring, iterparse

from loaders.cleaning import clean_cell
from loaders.xlsx_formats import BUILT_IN, GENERAL, shown

LAST_ROW, LAST_COLUMN = 1_048_576, 16_384
_CELL = re.compile(r"\$?([A-Za-z]{1,3})\$?([1-9]\d{0,6})")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_ON = ("1", "true")
_MIDNIGHT = "T00:00:00"
_PHONETIC = "rPh"


@dataclass(frozen=True, slots=True)
class Merged:
    """Cells that are one: its rows and columns, the last ones included."""

    top: int
    left: int
    bottom: int
    right: int


@dataclass(frozen=True, slots=True)
class Grid:
    """The cells of a sheet that have text, by row and column from 1, and which of them are merged."""

    rows: dict[int, dict[int, str]]
    merged: list[Merged]


class Workbook:
    """An XLSX file. Sheets that are hidden are none of it: a reader could not find what is told from there."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        # Names of parts differ in case from what refers to them, and some exporters part them by backslashes.
        self._names = {name.lower().replace("\\", "/"): name for name in archive.namelist()}
        main = next(target for kind, target in self._relations("").values() if kind == "officeDocument")
        root, related = self._root(main), self._relations(main)
        properties = root.find("{*}workbookPr")
        self._from_1904 = properties is not None and properties.get("date1904") in _ON
        sheets = ((sheet, related.get(_relation(sheet), ("", ""))) for sheet in root.iterfind("{*}sheets/{*}sheet"))
        self.sheets = [
            (_clean(sheet.get("name", "")), target)
            for sheet, (kind, target) in sheets
            if kind == "worksheet" and sheet.get("state", "visible") == "visible"
        ]
        parts = {kind: target for kind, target in related.values() if target.lower() in self._names}
        self._texts = list(self._shared(parts["sharedStrings"])) if "sharedStrings" in parts else []
        self._formats = self._codes(parts["styles"]) if "styles" in parts else []

    def grid(self, part: str) -> Grid:
        """The cells of a sheet, by its part of the file."""
        rows: dict[int, dict[int, str]] = {}
        merged: list[Merged] = []
        number = 0
        for element in self._elements(part, "row", "mergeCell"):
            if not element.tag.endswith("}row"):
                merged += _merged(element.get("ref", ""))
                continue
            given = element.get("r", "")
            number = int(given) if given.isdecimal() else number + 1
            cells = self._cells(element)
            if cells and number <= LAST_ROW:
                rows.setdefault(number, {}).update(cells)
        return Grid(rows, merged)

    def _cells(self, row: Any) -> dict[int, str]:
        found: dict[int, str] = {}
        column = 0
        space = row.tag.removesuffix("row")
        for cell in row.iterchildren(f"{space}c"):
            place = _CELL.fullmatch(cell.get("r", ""))
            column = _column(place[1]) if place else column + 1
            if column <= LAST_COLUMN and (text := self._text(cell, space)):
                found[column] = text
        return found

    def _text(self, cell: Any, space: str) -> str:
        """What a cell shows: the last result of a formula, or the formula where no program has reckoned it yet."""
        kind, value = cell.get("t", "n"), str(cell.findtext(f"{space}v") or "")
        if kind == "inlineStr":
            return _clean(_rich(cell))
        if not value:
            formula = cell.findtext(f"{space}f")
            return f"={_clean(formula)}" if formula else ""
        match kind:
            case "s":
                return self._texts[int(value)]
            case "n":
                style = int(cell.get("s") or 0)
                code = self._formats[style] if style < len(self._formats) else GENERAL
                return shown(value.strip(), code, self._from_1904)
            case "b":
                return "TRUE" if value in _ON else "FALSE"
            case "d":
                return value.removesuffix(_MIDNIGHT).replace("T", " ")
        return _clean(value)

    def _shared(self, part: str) -> Iterator[str]:
        return (_clean(_rich(element)) for element in self._elements(part, "si"))

    def _codes(self, part: str) -> list[str]:
        """The format code of each style that a cell may have."""
        root = self._root(part)
        own = {one.get("numFmtId"): one.get("formatCode", "") for one in root.iterfind("{*}numFmts/{*}numFmt")}
        known = {str(number): code for number, code in BUILT_IN.items()} | own
        return [known.get(style.get("numFmtId"), GENERAL) for style in root.iterfind("{*}cellXfs/{*}xf")]

    def _relations(self, part: str) -> dict[str, tuple[str, str]]:
        """What a part refers to within the file: kinds and parts, by id."""
        folder, file = posixpath.split(part)
        name = posixpath.join(folder, "_rels", f"{file}.rels")
        return {
            relation.get("Id"): (
                relation.get("Type", "").rsplit("/", 1)[-1],
                posixpath.normpath(posixpath.join("/", folder, relation.get("Target", ""))).lstrip("/"),
            )
            for relation in self._root(name)
            if relation.get("TargetMode") != "External"
        }

    def _root(self, part: str) -> Any:
        parser = XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
        return fromstring(self._archive.read(self._names[part.lower()]), parser)

    def _elements(self, part: str, *tags: str) -> Iterator[Any]:
        """The elements with these tags, each forgotten when the next one is asked for."""
        with self._archive.open(self._names[part.lower()]) as stream:
            wanted = [f"{{*}}{tag}" for tag in tags]
            for _, element in iterparse(stream, tag=wanted, resolve_entities=False, no_network=True, collect_ids=False):
                yield element
                element.clear()
                while element.getprevious() is not None:
                    del element.getparent()[0]


def _relation(element: Any) -> str:
    return next((value for name, value in element.attrib.items() if name.endswith("}id")), "")


def _rich(element: Any) -> str:
    """The text of a cell whose parts may look different, without how it is pronounced."""
    texts = element.iterfind(".//{*}t")
    return "".join(text.text or "" for text in texts if not text.getparent().tag.endswith(_PHONETIC))


def _clean(text: str) -> str:
    if "_x" in text:
        text = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
    return clean_cell(text)


def _merged(reference: str) -> Iterator[Merged]:
    corners = [_CELL.fullmatch(corner) for corner in reference.split(":")]
    if len(corners) == 2 and corners[0] and corners[1]:
        (left, top), (right, bottom) = ((_column(corner[1]), int(corner[2])) for corner in corners if corner)
        yield Merged(top, left, bottom, right)


@lru_cache(maxsize=LAST_COLUMN)
def _column(letters: str) -> int:
    number = 0
    for letter in letters.upper():
        number = 26 * number + ord(letter) - ord("A") + 1
    return number
