"""问渠 Wenqu: `python app.py` reads config.yaml and serves the page and its API on one port."""

import logging
import socket
import sys
from contextlib import suppress
from pathlib import Path

import uvicorn

from rag import i18n
from rag.errors import WenquError
from rag.settings import Settings, read_settings

_log = logging.getLogger("wenqu")


def main() -> int:
    """Serve until interrupted. Returns the process's exit status."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s: %(message)s", datefmt="%H:%M:%S")
    for chatty in ("httpx", "faiss"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    try:
        serve(read_settings(Path(__file__).parent / "config.yaml"))
    except WenquError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def serve(settings: Settings) -> None:
    """Build everything and serve it. Raises WenquError."""
    from rag.build import build_services
    from rag.web.application import create_app

    services = build_services(settings)
    app = create_app(services, settings)
    host, port = settings.server.host, settings.server.port
    seen_from_here = "127.0.0.1" if host in ("0.0.0.0", "::") else host  # noqa: S104
    address = i18n.text(settings.server.language, "web.served", url=f"http://{seen_from_here}:{port}")
    try:
        services.start()
        # Ctrl-C has done its work when the server has shut down.
        with suppress(KeyboardInterrupt):
            _Server(uvicorn.Config(app, host=host, port=port, log_level="warning"), address).run()
    finally:
        services.close()


class _Server(uvicorn.Server):
    """A server that tells its address once it answers there."""

    def __init__(self, config: uvicorn.Config, address: str) -> None:
        super().__init__(config)
        self._address = address

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        if self.started:
            _log.info("%s", self._address)


if __name__ == "__main__":
    sys.exit(main())
