"""Pages of stored documents, and a viewer of which is known what it was asked."""

from pathlib import Path

from loaders.viewer import Look, Sight, Viewer
from rag.errors import ReaderCrashed
from rag.knowledge.catalog import Catalog
from rag.knowledge.contents import Contents
from rag.pages import Pages
from tests.ingesting import rig_settings


class CountingViewer(Viewer):
    """A real viewer that notes what it was asked to see, or one that crashes."""

    def __init__(self, crashes: bool = False) -> None:
        super().__init__(time_limit_seconds=30, memory_limit_mb=2000)
        self.looks: list[Look] = []
        self._crashes = crashes

    def see(self, look: Look) -> Sight:
        self.looks.append(look)
        if self._crashes:
            raise ReaderCrashed(name=look.name)
        return super().see(look)


def pages_over(folder: Path, catalog: Catalog, viewer: Viewer) -> Pages:
    """The pages of what a catalog has, whose files are in a folder."""
    return Pages(rig_settings(folder), catalog, Contents(catalog.engine), viewer)
