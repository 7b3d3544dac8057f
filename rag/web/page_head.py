"""What the page needs before Gradio's own scripts run, and what its browser may never do."""

import json
from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from loaders.kind import SUFFIXES
from rag import i18n
from rag.i18n import Language
from rag.settings import Settings

# Whatever slipped through the escaping could still load nothing from elsewhere, and send nothing there.
# Gradio's templates are evaluated in the browser, hence 'unsafe-eval'.
_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; worker-src 'self' blob:; object-src 'none'; base-uri 'self'; "
    "form-action 'self'"
)
_ASSETS = Path(__file__).parent / "assets"
# In their order: all others use what page.js gives, and of two rules that weigh the same the later one holds.
_SCRIPTS = "page reload thread list composer sources trace clipboard keyboard history files uploads settings"
_STYLES = "frame thread sources trace files settings"
# The few sentences that the scripts say by themselves, by where they stand.
_SAID = {
    "web.bar": "cancel confirm connection_lost lose_answer",
    "web.chat": "answered copied copy copy_failed question send stop",
    "web.leaf": "hide",
    "web.upload": "again arrived broken dismiss dismiss_all sending skipped unreadable waiting",
    "error": "empty_file file_too_large quota_exceeded unsupported_file",
}


class PageHead:
    """ASGI middleware that puts a script and a stylesheet first into the page.

    Gradio inserts its `head` argument only after it has chosen a language by the browser's, which is too late, and
    confines its `css` argument to its own container, which leaves out the classes on the root and the dialogs.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        script, style = _joined(_SCRIPTS, "js"), _joined(_STYLES, "css")
        values = {
            "language": settings.server.language,  # of those who have chosen none
            "sentences": {language: _sentences(language) for language in Language},
            "suffixes": list(SUFFIXES),
            "file_mb": settings.loaders.max_file_mb,
            "quota_mb": settings.store.session_quota_mb,
        }
        data = json.dumps(values, ensure_ascii=False).replace("<", "\\u003c")
        lines = ("<head>", f"<style>{style}</style>", f"<script>window.wenquValues = {data};\n{script}</script>")
        self._head = "\n".join(lines).encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on, the page itself with its new head."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if scope["path"] != "/":
            await self._app(scope, receive, _unsniffed(send))
            return
        started: list[Message] = []
        body = bytearray()

        async def send_page(message: Message) -> None:
            if message["type"] == "http.response.start":
                started.append(message)
                return
            body.extend(message.get("body", b""))
            if message.get("more_body"):
                return
            page = bytes(body).replace(b"<head>", self._head, 1)
            headers = MutableHeaders(scope=started[0])
            headers["content-length"] = str(len(page))
            headers["content-security-policy"] = _POLICY
            headers["referrer-policy"] = "no-referrer"
            headers["cache-control"] = "no-cache"
            await send(started[0])
            await send({"type": "http.response.body", "body": page})

        # A page that came compressed could not be changed.
        plain = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
        await self._app({**scope, "headers": plain}, receive, _unsniffed(send_page))


def _unsniffed(send: Send) -> Send:
    """Lets no browser take what it is sent for another kind of thing than it is said to be."""

    async def send_so(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message)["x-content-type-options"] = "nosniff"
        await send(message)

    return send_so


def _joined(names: str, kind: str) -> str:
    return "".join((_ASSETS / f"{name}.{kind}").read_text(encoding="utf-8") for name in names.split())


def _sentences(language: Language) -> dict[str, str]:
    catalogue = i18n.catalogue(language)
    return {name: catalogue[f"{group}.{name}"] for group, names in _SAID.items() for name in names.split()}
