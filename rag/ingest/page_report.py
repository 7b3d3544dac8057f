"""Which pages of a document can be searched, and why the others cannot. Pure."""

from collections import defaultdict
from collections.abc import Mapping

from loaders.health import ranges
from loaders.ocr import OCR_COMMAND
from rag.errors import (
    DocumentError,
    EmptyFile,
    NoTextLayer,
    NothingRecognised,
    OcrNeeded,
    PasswordNeeded,
    RecognitionStopped,
)
from rag.page_names import kind_of_page
from rag.types import READABLE, Message, PageGroup, PageHealth, Recognition


def page_report(
    file: str, health: Mapping[int, PageHealth], outcomes: Mapping[int, Recognition]
) -> tuple[PageGroup, ...]:
    """The pages of a file in groups of one kind, in the order of their first pages.

    `health` is that of every page, `outcomes` how far those are that had no readable text, both by number.
    """
    groups: dict[str, list[int]] = defaultdict(list)
    for number in sorted(health):
        groups[_kind(health[number], outcomes.get(number))].append(number)
    return tuple(_group(file, kind, numbers) for kind, numbers in groups.items())


def without_text(name: str, outcomes: Mapping[int, Recognition], enabled: bool) -> DocumentError:
    """What to say of a document without a page that can be searched; `enabled`: they are recognised here."""
    pages = ranges(sorted(outcomes))
    if Recognition.LOCKED in outcomes.values():
        return PasswordNeeded(name=name)
    if Recognition.STOPPED in outcomes.values():
        return RecognitionStopped(name=name)
    if Recognition.MISSING in outcomes.values():
        missing = OcrNeeded(name=name, pages=pages, command=OCR_COMMAND)
        return missing if enabled else NoTextLayer(name=name, pages=pages)
    if set(outcomes.values()) == {Recognition.BLANK}:
        return EmptyFile(name=name)
    return NothingRecognised(name=name, pages=pages)


def _kind(health: PageHealth, outcome: Recognition | None) -> str:
    if health in READABLE or outcome is None:
        return health.value
    # What was recognised is searched together with what follows.
    return Recognition.WAITING.value if outcome is Recognition.READ else outcome.value


def _group(file: str, kind: str, numbers: list[int]) -> PageGroup:
    which = Message(f"page_report.which_{kind_of_page(file)}", {"pages": ranges(numbers), "count": len(numbers)})
    values = {"which": which, "count": len(numbers), "command": OCR_COMMAND}
    return PageGroup(Message(f"page_report.{kind}", values), kind in READABLE)
