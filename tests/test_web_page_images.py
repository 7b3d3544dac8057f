"""Addresses of page images: for whom they were made, for as long as they last, and for nothing else."""

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from itsdangerous import URLSafeSerializer

from rag.errors import UnknownDocument
from rag.signing import Purpose, SigningKey
from rag.web.page_images import PageImages
from tests.fakes_pages import FakePages

HOUR = 3600


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0 * HOUR + 60

    def __call__(self) -> float:
        return self.now


class Site:
    """The route over fake pages, a clock that a test moves, and a browser."""

    def __init__(self, secret: bytes = b"secret") -> None:
        self.pages = FakePages()
        self.clock = Clock()
        self.images = PageImages(self.pages, SigningKey(secret), self.clock)  # type: ignore[arg-type]
        app = FastAPI()
        self.images.serve(app)
        self.browser = TestClient(app)

    def url(self, document_id: str = "doc", page: int = 2) -> str:
        url = self.images.url(self.pages.view("session", document_id, page))
        assert url is not None
        return url


def signer() -> URLSafeSerializer:
    return URLSafeSerializer(SigningKey(b"secret").key(Purpose.PAGE_IMAGE), salt=Purpose.PAGE_IMAGE)


@pytest.fixture
def site() -> Site:
    return Site()


def test_an_address_serves_its_page_for_its_own_browser_to_keep(site: Site) -> None:
    reply = site.browser.get(site.url())
    assert reply.status_code == 200 and reply.content.startswith(b"\xff\xd8")
    assert reply.headers["content-type"] == "image/jpeg"
    assert reply.headers["cache-control"] == f"private, max-age={2 * HOUR - 60}"


def test_it_is_relative_and_tells_nothing_of_the_session(site: Site) -> None:
    assert site.url().startswith("page/")
    assert "session" not in str(signer().loads(site.url().removeprefix("page/")))


def test_within_an_hour_it_stays_the_same(site: Site) -> None:
    first = site.url()
    site.clock.now += HOUR - 120
    assert site.url() == first
    site.clock.now += 120
    assert site.url() != first


def test_it_ends_with_its_time(site: Site) -> None:
    url = site.url()
    site.clock.now += 2 * HOUR - 61
    assert site.browser.get(url).status_code == 200
    site.clock.now += 1
    assert site.browser.get(url).status_code == 410


def test_another_installations_signature_is_none(site: Site) -> None:
    assert site.browser.get(Site(b"another").url()).status_code == 404


def test_a_changed_address_is_none(site: Site) -> None:
    payload, signature = site.url(page=2).removeprefix("page/").split(".")
    other, _ = site.url(page=3).removeprefix("page/").split(".")
    for address in (f"{other}.{signature}", payload, f"{payload}.", f"{payload}.{signature[:-2]}", f".{signature}"):
        assert site.browser.get(f"page/{address}").status_code == 404
    assert site.pages.drawn == 0


@pytest.mark.parametrize(
    "path",
    ["page/", "page/..%2f..%2fconfig.yaml", "page/doc/2", "page/%00", "page/" + "a" * 5000, "page/[1]", "page/.."],
)
def test_what_was_never_signed_finds_nothing(site: Site, path: str) -> None:
    assert site.browser.get(path).status_code == 404


@pytest.mark.parametrize("key", [b"secret", SigningKey(b"secret").key(Purpose.UPLOAD)])
def test_only_the_key_for_pages_signs_them(site: Site, key: bytes) -> None:
    address = URLSafeSerializer(key, salt=Purpose.PAGE_IMAGE).dumps(["doc", 2, 2_000_000_000])
    assert site.browser.get(f"page/{address}").status_code == 404


def test_a_deleted_document_is_gone_for_its_addresses(site: Site) -> None:
    url = site.url()
    site.pages.deleted.add("doc")
    assert site.browser.get(url).status_code == 404
    with pytest.raises(UnknownDocument):
        site.url()


def test_a_store_that_refuses_is_told_as_such(site: Site) -> None:
    assert site.browser.get(site.url("磁盘已满")).status_code == 503


def test_a_page_without_an_image_has_no_address(site: Site) -> None:
    assert site.images.url(site.pages.view("session", "加密", 1)) is None
