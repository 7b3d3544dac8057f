"""PDFs that are broken, or made to harm: each ends as text or as one sentence within its time, and the next is read."""

import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption

from rag import i18n
from rag.events import IngestFailed, Searchable
from rag.types import DocumentStatus
from tests.ingesting import Build
from tests.pdf_files import write_pdf

# The bomb takes more when it has gone off, a reader that works takes less.
_MEMORY_MB, _BOMB_MB = 300, 400
_SECONDS = 60
_CATALOGUE = b"<</Type/Catalog/Pages 2 0 R>>"
_PAGE = (
    b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R"
    b"/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>"
)
_TREE = b"<</Type/Pages/Kids[3 0 R]/Count 1>>"
_TABLE_END = b"startxref\n%d\n%%%%EOF\n"


def stream(data: bytes, entries: bytes = b"") -> bytes:
    return b"<</Length %d%s>>stream\n%s\nendstream" % (len(data), entries, data)


_TEXT = stream(b"BT /F 12 Tf 20 200 Td (The robot charges at its dock.) Tj ET")


def placed(objects: dict[int, bytes]) -> tuple[bytes, dict[int, int]]:
    """The beginning of a PDF with these objects by their numbers, and where each stands in it."""
    file, places = b"%PDF-1.7\n", {}
    for number, body in objects.items():
        places[number] = len(file)
        file += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    return file, places


def of_tree(tree: bytes) -> bytes:
    """A PDF with one page of text, numbered 3, and this tree of pages, numbered 2."""
    file, places = placed({1: _CATALOGUE, 2: tree, 3: _PAGE, 4: _TEXT})
    rows = b"".join(b"%010d 00000 n \n" % place for place in places.values())
    table = b"xref\n0 5\n0000000000 65535 f \n%strailer\n<</Size 5/Root 1 0 R>>\n" % rows
    return file + table + _TABLE_END % len(file)


def bomb() -> bytes:
    """Its tree of pages stands in a stream of objects that is a thousand bytes, deflated twice."""
    deflating = zlib.compressobj(9)
    once = deflating.compress(b"2 0 " + _TREE)
    once += b"".join(deflating.compress(bytes(1 << 20)) for _ in range(_BOMB_MB)) + deflating.flush()
    entries = b"/Type/ObjStm/N 1/First 4/Filter[/FlateDecode/FlateDecode]"
    file, places = placed({1: _CATALOGUE, 3: _PAGE, 4: _TEXT, 5: stream(zlib.compress(once, 9), entries)})
    places[6] = len(file)
    # What each object is: free, in its own place, or in the stream numbered 5.
    rows = [(0, 0), *((1, places[number]) if number in places else (2, 5) for number in range(1, 7))]
    packed = b"".join(kind.to_bytes(1, "big") + place.to_bytes(4, "big") + b"\0" for kind, place in rows)
    table = stream(packed, b"/Type/XRef/Size 7/W[1 4 1]/Root 1 0 R")
    return file + b"6 0 obj\n%s\nendobj\n" % table + _TABLE_END % places[6]


def whole(folder: Path, encryption: StandardEncryption | None = None) -> bytes:
    return write_pdf(folder / "whole", [["机器人在充电座上充电。"] * 20] * 4, encryption=encryption).read_bytes()


def without_table(folder: Path) -> bytes:
    """Where its objects stand is not told."""
    file = whole(folder)
    return file[: file.index(b"\nxref")] + file[file.index(b"\ntrailer") :]


def first_half(folder: Path) -> bytes:
    file = whole(folder)
    return file[: len(file) // 2]


@pytest.mark.parametrize(
    ("make", "error"),
    [
        pytest.param(lambda _: of_tree(b"<</Type/Pages/Kids[2 0 R]/Count 1>>"), "damaged_file", id="a loop of pages"),
        pytest.param(lambda _: of_tree(b"<</Type/Pages/Kids[2 0 R 3 0 R]/Count 2>>"), None, id="a page beside a loop"),
        pytest.param(lambda _: of_tree(b"<</Type/Pages/Kids[]/Count 0>>"), "damaged_file", id="no pages"),
        pytest.param(lambda _: of_tree(_TREE.replace(b"1>>", b"2147483647>>")), None, id="2147483647 pages, it says"),
        pytest.param(without_table, None, id="no table of its objects"),
        pytest.param(first_half, "damaged_file", id="its first half"),
        pytest.param(lambda folder: whole(folder, StandardEncryption("秘密")), "password_needed", id="encrypted"),
        pytest.param(
            lambda _: bomb(),
            "reader_crashed",
            id="a bomb",
            marks=pytest.mark.skipif(sys.platform != "linux", reason="the limit on memory is Linux's"),
        ),
    ],
)
def test_an_odd_pdf_ends_as_text_or_as_one_sentence_and_the_next_file_is_read(
    build: Build, manual: Path, tmp_path: Path, make: Callable[[Path], bytes], error: str | None
) -> None:
    odd = tmp_path / "奇怪.pdf"
    odd.write_bytes(make(tmp_path))
    rig = build(time_limit_seconds=_SECONDS, memory_limit_mb=_MEMORY_MB)
    rig.ingest.start()
    last = rig.take_in(odd)[-1]
    if error is None:
        assert isinstance(last, Searchable) and last.document.chunks > 0
    else:
        assert isinstance(last, IngestFailed) and last.document.status is DocumentStatus.FAILED
        message = last.document.message
        assert message is not None and message.key == f"error.{error}"
        said = i18n.sentence(i18n.Language.ZH, message)
        assert odd.name in said and said.endswith("。") and "\n" not in said
    assert isinstance(rig.take_in(manual)[-1], Searchable)
