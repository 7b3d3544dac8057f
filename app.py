"""问渠 Wenqu: `python app.py` reads config.yaml and serves the page and its API on one port."""

import gc
import logging
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.request import getproxies

import uvicorn

from rag import i18n
from rag.errors import CannotListen, PackageMissing, UnfitProxy, WenquError
from rag.settings import Settings, language_of, read_settings

# Streams that are open when the server is told to end: a page's, or those of an answer.
_PATIENCE_SECONDS = 5
_ANY_IPV6 = "::"
_log = logging.getLogger("wenqu")


def main() -> int:
    """Serve until interrupted. Returns the process's exit status."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s: %(message)s", datefmt="%H:%M:%S")
    for chatty in ("httpx", "faiss", "mcp"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    path = Path(__file__).parent / "config.yaml"
    try:
        with suppress(KeyboardInterrupt):
            serve(read_settings(path))
    except WenquError as error:
        sys.stderr.write(f"{i18n.sentence(language_of(path), error.message)}\n")
        return 1
    return 0


def serve(settings: Settings) -> None:
    """Build everything and serve it until interrupted. Raises WenquError, and KeyboardInterrupt at the end."""
    host = settings.server.host
    with closing(_listening(host, settings.server.port)) as listener:
        port = listener.getsockname()[1]  # of 0, the system makes one that is free
        with _ended_by_interrupt():
            _check_proxies()
            # Only now: to load all this takes seconds, and a port that is taken is told at once.
            from rag.build import build_services
            from rag.files import keep_temporary_files_in, only_user
            from rag.web.application import create_app

        with only_user(settings.store.path), closing(build_services(settings)) as services:
            keep_temporary_files_in(settings.store.path)
            app = create_app(services)
            address = i18n.text(settings.server.language, "web.served", url=f"http://{_seen_from_here(host)}:{port}")
            config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=_PATIENCE_SECONDS)
            # When the server has shut down, it raises the signal that ended it once more.
            signal.signal(signal.SIGTERM, signal.default_int_handler)
            services.start()
            _Server(config, address, services.engine.close).run([listener])


@contextmanager
def _ended_by_interrupt() -> Iterator[None]:
    """An interrupt ends the process meanwhile: packages may swallow what Python raises of it while they are loaded."""
    raising = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, raising)


def _seen_from_here(host: str) -> str:
    """The host of an address that a browser on this machine can open."""
    if host == "0.0.0.0" or _is_dual(host):  # noqa: S104
        return "127.0.0.1"
    return _bracketed("::1" if host == _ANY_IPV6 else host)


def _is_dual(host: str) -> bool:
    """Whether IPv4 is served along with IPv6."""
    return host == _ANY_IPV6 and socket.has_dualstack_ipv6()


def _bracketed(host: str) -> str:
    """A host as it stands before a port."""
    return f"[{host}]" if ":" in host else host


def _listening(host: str, port: int) -> socket.socket:
    """A socket at the address, taken before anything is built. Raises CannotListen."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, dualstack_ipv6=_is_dual(host))
    except OSError as error:
        # Python repeats the address behind the system's reason.
        reason = (error.strerror or str(error)).partition(" (while attempting")[0]
        raise CannotListen(host=_bracketed(host), port=port, reason=reason) from error


def _check_proxies() -> None:
    """Raises UnfitProxy or PackageMissing where no client can be made, as Gradio makes one when it is loaded."""
    if not getproxies():
        return
    import httpx

    try:
        httpx.Client().close()
    except ImportError as error:
        raise PackageMissing(package="socksio", command='pip install "httpx[socks]"') from error
    except (ValueError, httpx.InvalidURL) as error:
        raise UnfitProxy(names="、".join(f"{kind}_proxy" for kind in getproxies())) from error


class _Server(uvicorn.Server):
    """A server that tells its address once it answers there, and has answers end before it does."""

    def __init__(self, config: uvicorn.Config, address: str, end_answers: Callable[[], None]) -> None:
        super().__init__(config)
        self._address = address
        self._end_answers = end_answers

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        if self.started:
            # What the start has built stays. To go through all of it again holds up every answer, for 0.3 s at a time.
            gc.freeze()
            _log.info("%s", self._address)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End what is being answered, and stop serving."""
        # What waits in a thread for the whole of an answer would keep the process for as long as that takes.
        self._end_answers()
        await super().shutdown(sockets)


if __name__ == "__main__":
    sys.exit(main())
