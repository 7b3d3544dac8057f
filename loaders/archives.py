"""Files of Office programs as archives: a guard against zip bombs, and what shows that one is damaged."""

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lxml.etree import LxmlError

from rag.errors import DamagedFile, FileTooLarge

_MEGABYTE = 1024 * 1024
# What the parts of a file may unpack to: far above any real document's XML.
_MAX_UNPACKED_MB = 300
# RuntimeError: a part has a password of its own; NotImplementedError: it is packed as no Office program does.
_DAMAGE = (zipfile.BadZipFile, zlib.error, LxmlError, LookupError, ValueError, OSError, EOFError, RuntimeError)


@contextmanager
def unpacking(path: Path, name: str, *also: type[Exception]) -> Iterator[zipfile.ZipFile]:
    """A file's archive. What fails within the block, also in these ways, raises DamagedFile. Raises FileTooLarge."""
    try:
        with zipfile.ZipFile(path) as archive:
            unpacked = sum(member.file_size for member in archive.infolist()) // _MEGABYTE
            if unpacked > _MAX_UNPACKED_MB:
                raise FileTooLarge(name=name, size_mb=unpacked, limit_mb=_MAX_UNPACKED_MB)
            yield archive
    except (*_DAMAGE, *also) as error:
        raise DamagedFile(name=name) from error
