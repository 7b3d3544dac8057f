"""The connection to Milvus, made when it is first needed, and its errors in our own terms."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

from rag.errors import KnowledgeUnavailable, PackageMissing, told_address
from rag.settings import MilvusSettings

# Those who come while nobody answers need not each wait for the timeout.
_PAUSE_SECONDS = 1.0
_LITE_SECONDS = 60.0
_log = logging.getLogger(__name__)


class Connection:
    """A server or cluster at an address, or a file of Milvus Lite. Its client connects again by itself."""

    def __init__(self, settings: MilvusSettings) -> None:
        """Raises PackageMissing."""
        for module in ("pymilvus", "milvus_lite") if settings.is_lite else ("pymilvus",):
            if find_spec(module) is None:
                package = module.replace("_", "-")
                raise PackageMissing(package=package, command=f"pip install {package}")
        # Milvus Lite is in this process: it is never out of reach, but it is slow.
        self.is_lite = settings.is_lite
        self.timeout = _LITE_SECONDS if settings.is_lite else settings.timeout
        self._settings = settings
        self._client: Any = None
        self._refused: tuple[float, KnowledgeUnavailable] | None = None
        self._connecting = Lock()

    @contextmanager
    def open(self) -> Iterator[Any]:
        """A `pymilvus.MilvusClient`. Raises KnowledgeUnavailable, also for what its use raises."""
        from grpc import RpcError
        from pymilvus import MilvusException

        try:
            yield self._connect()
        except (MilvusException, RpcError) as error:
            raise self._unavailable(error) from error

    def close(self) -> None:
        """Free a file of Milvus Lite for other processes, or end the connection to a server."""
        with self._connecting:
            client, self._client = self._client, None
            if client is None:
                return
            client.close()
            if self._settings.is_lite:
                from milvus_lite.server_manager import server_manager_instance

                server_manager_instance.release_server(self._settings.uri)

    def _connect(self) -> Any:
        from pymilvus import MilvusClient, MilvusException

        # It writes every error with its traceback before raising it; what is raised is told of by who handles it.
        logging.getLogger("pymilvus").setLevel(logging.CRITICAL)
        with self._connecting:
            if self._client is None:
                if self._refused and time.monotonic() - self._refused[0] < _PAUSE_SECONDS:
                    raise KnowledgeUnavailable(**self._refused[1].values) from self._refused[1]
                try:
                    self._client = MilvusClient(
                        self._settings.uri, token=self._settings.token, timeout=self.timeout, dedicated=True
                    )
                except MilvusException as error:
                    refused = self._unavailable(error)
                    self._refused = time.monotonic(), refused
                    raise refused from error
            return self._client

    def _unavailable(self, error: Exception) -> KnowledgeUnavailable:
        address = told_address(self._settings.uri)
        _log.warning("Milvus at %s: %s", address, getattr(error, "message", "") or error)
        # A file's folder would tell readers of the machine.
        return KnowledgeUnavailable(address=Path(address).name if self.is_lite else address)
