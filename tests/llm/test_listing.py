"""What an OpenAI-compatible service says of its models, and what it may do to who asks."""

from collections.abc import Callable, Iterator

import httpx
import pytest

from rag.errors import ModelsNotListed, ModelUnreachable, OwnKeyRefused, WenquError
from rag.llm import listing
from rag.llm.listing import listed_models

ADDRESS, KEY = "https://models.example/v1", "sk-listing-0123456789"
Answer = Callable[[httpx.Request], httpx.Response]


def listed(answer: Answer) -> tuple[str, ...]:
    return listed_models(ADDRESS, KEY, httpx.MockTransport(answer))


def replying(status: int = 200, **content: object) -> Answer:
    return lambda _: httpx.Response(status, **content)  # type: ignore[arg-type]


def test_a_service_is_asked_once_at_its_address_and_with_its_key() -> None:
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(200, json={"data": [{"id": "chat"}]})

    assert listed(answer) == ("chat",)
    assert [(one.method, str(one.url), one.headers["Authorization"]) for one in asked] == [
        ("GET", f"{ADDRESS}/models", f"Bearer {KEY}")
    ]


def test_without_a_key_none_is_sent() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        assert "Authorization" not in request.headers
        return httpx.Response(200, json=[{"id": "chat"}])

    assert listed_models(ADDRESS, "", httpx.MockTransport(answer)) == ("chat",)


def test_only_what_can_be_a_chat_models_name_is_taken_and_once() -> None:
    rows = [{"id": "b"}, {"id": "a"}, {"id": "b"}, {"id": "text-embedding-v3"}, {"id": ""}, {"id": 7}, {}, "c"]
    rows += [{"id": "x" * 201}, {"id": "line\nbreak"}, {"id": " blank"}]
    assert listed(replying(json={"data": rows})) == ("b", "a")


def test_what_embeds_ranks_hears_speaks_or_draws_is_no_chat_model() -> None:
    others = ["paraphrase-multilingual", "bge-reranker-v2-m3", "whisper-1", "gpt-4o-transcribe", "tts-1-hd"]
    others += ["gpt-4o-mini-tts", "dall-e-3", "gpt-image-1", "omni-moderation-latest"]
    rows = [{"id": name} for name in [*others, "gpt-4o-mini", "qwen-plus"]]
    assert listed(replying(json={"data": rows})) == ("gpt-4o-mini", "qwen-plus")


def test_a_redirect_is_not_followed_with_the_key() -> None:
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(str(request.url))
        return httpx.Response(302, headers={"Location": "http://169.254.169.254/latest"})

    with pytest.raises(ModelsNotListed):
        listed(answer)
    assert asked == [f"{ADDRESS}/models"]


class Pieces(httpx.SyncByteStream):
    """A body without end."""

    def __init__(self, piece: bytes) -> None:
        self.piece, self.sent = piece, 0

    def __iter__(self) -> Iterator[bytes]:
        while self.sent < 100_000_000:
            self.sent += len(self.piece)
            yield self.piece


def test_a_list_without_end_is_not_read_to_it() -> None:
    body = Pieces(b" " * 10_000)
    with pytest.raises(ModelsNotListed):
        listed(replying(stream=body))
    assert body.sent < 1_100_000


def test_a_list_that_drips_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "_SECONDS", 0.0)
    body = Pieces(b" ")
    with pytest.raises(ModelUnreachable):
        listed(replying(stream=body))
    assert body.sent < 1000


def refuse(_: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError("refused")


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (refuse, ModelUnreachable),
        (replying(401), OwnKeyRefused),
        (replying(403), OwnKeyRefused),
        (replying(404), ModelsNotListed),
        (replying(500), ModelsNotListed),
        (replying(text="<html>"), ModelsNotListed),
        (replying(json={"models": 1}), ModelsNotListed),
        (replying(json="text"), ModelsNotListed),
        (replying(content=b"[" * 100_000), ModelsNotListed),
        (replying(content=b"\xff\xfe"), ModelsNotListed),
    ],
    ids=["unreachable", "401", "403", "404", "500", "a page", "no list", "a text", "too deep", "no text"],
)
def test_each_failure_is_told_in_a_sentence_of_its_own_without_the_key(answer: Answer, error: type[WenquError]) -> None:
    with pytest.raises(error) as caught:
        listed(answer)
    assert ADDRESS in str(caught.value) and KEY not in str(caught.value)


def test_an_address_that_no_client_takes_is_none_that_answers() -> None:
    with pytest.raises((ModelUnreachable, ModelsNotListed)):
        listed_models("http://" + "a" * 70 + ".example:80", KEY)
