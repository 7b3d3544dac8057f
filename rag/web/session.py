"""Who is at the page: the session that the browser keeps for itself, and the language it asked for."""

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import tzinfo
from typing import TypeGuard
from zoneinfo import ZoneInfo

import gradio as gr
from starlette.requests import HTTPConnection

from rag.i18n import Language

STORAGE_KEY = "wenqu"
LANGUAGE_COOKIE = "wenqu_language"
ZONE_COOKIE = "wenqu_zone"
_TOKEN_BYTES = 24
# Exactly what `secrets.token_urlsafe(24)` makes: a browser cannot claim the shared collection or a client's session.
_SESSION_ID = re.compile(r"[A-Za-z0-9_-]{32}")


@dataclass(frozen=True, slots=True)
class Visitor:
    """A session (secret: it is what opens its files and turns) and the conversation in view, None for its latest."""

    session_id: str
    conversation_id: str | None = None

    def stored(self) -> dict[str, str | None]:
        """What the browser keeps."""
        return {"session_id": self.session_id, "conversation_id": self.conversation_id}


def new_visitor() -> Visitor:
    """A visitor with a session that nobody can guess."""
    return Visitor(secrets.token_urlsafe(_TOKEN_BYTES))


def is_visitors(session_id: object) -> TypeGuard[str]:
    """Whether this can be the session of a visitor at the page."""
    return isinstance(session_id, str) and bool(_SESSION_ID.fullmatch(session_id))


def known_visitor(stored: object) -> Visitor | None:
    """The visitor whom a browser's stored value names, if it names one."""
    if not isinstance(stored, Mapping):
        return None
    session_id, conversation_id = stored.get("session_id"), stored.get("conversation_id")
    if not is_visitors(session_id):
        return None
    return Visitor(session_id, conversation_id if isinstance(conversation_id, str) else None)


def visitor(stored: object) -> Visitor:
    """The visitor whom a browser's stored value names; a new one where it names none."""
    return known_visitor(stored) or new_visitor()


def client_session(request: gr.Request) -> str:
    """The session of a program that calls the API: one client, one session."""
    return f"client-{request.session_hash or secrets.token_urlsafe(_TOKEN_BYTES)}"


def language_of(request: gr.Request | HTTPConnection, default: Language) -> Language:
    """The language chosen on the page, by its cookie."""
    chosen = request.cookies.get(LANGUAGE_COOKIE)
    return Language(chosen) if chosen in set(Language) else default


def zone_of(request: gr.Request | HTTPConnection) -> tzinfo | None:
    """The browser's time zone, by its cookie; None, which stands for the server's, where that names none."""
    try:
        return ZoneInfo(request.cookies.get(ZONE_COOKIE, ""))
    except (KeyError, ValueError, OSError):
        return None
