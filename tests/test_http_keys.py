"""Keys of programs, before anything else of a request is looked at."""

from typing import Any

from starlette.types import Message

from rag.i18n import Language
from rag.signing import SigningKey
from rag.web.http.keys import Guarded, Keys
from tests.http_rig import KEYS


async def test_without_a_key_no_byte_of_a_file_is_read() -> None:
    async def nothing(*_: object) -> Any:
        raise AssertionError("it was read, or passed on")

    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    guarded = Guarded(nothing, Keys(KEYS, SigningKey(b"secret")), ("/v1/",), Language.ZH)
    await guarded({"type": "http", "path": "/v1/files", "headers": []}, nothing, send)
    assert sent[0]["status"] == 401


def test_keys_that_share_a_network_do_not_share_its_slots() -> None:
    signing = SigningKey(b"secret")
    assert Keys(KEYS, signing).caller(KEYS[0], network="8.8.8.8").network == ""
    assert Keys((), signing).caller("", network="8.8.8.8").network == "8.8.8.8"
