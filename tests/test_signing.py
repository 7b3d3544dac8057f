"""What signs stays on the server, and what every client is sent signs nothing."""

import base64
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from itsdangerous import URLSafeSerializer

from rag.errors import DiskFull
from rag.signing import Purpose, SigningKey, kept_secret
from rag.web.application import create_app
from rag.web.http.keys import SESSION_HEADER, Keys
from tests.fakes_web import FakeServices
from tests.serving import on_a_port

SIGNING = b"what signs everything in these tests"
MINE = "m" * 32


@pytest.fixture(scope="module")
def site() -> Iterator[tuple[httpx.Client, FakeServices]]:
    services = FakeServices(signing=SigningKey(SIGNING))
    app = create_app(services)  # type: ignore[arg-type]
    with on_a_port(app) as url, httpx.Client(base_url=url) as client:
        yield client, services


def test_nothing_that_signs_is_sent_to_anybody(site: tuple[httpx.Client, FakeServices]) -> None:
    client, services = site
    paths = ["/", "/config", "/gradio_api/info", "/gradio_api/app_id", "/openapi.json", "/docs", "/theme.css"]
    sent = [client.get(path).content for path in [*paths, "/healthz", "/readyz", "/manifest.json", "/v1/models"]]
    assert services.public_browser_secret.encode() in sent[1], "this is what tells that the key would be found"
    for key in (SIGNING, *(services.signing.key(purpose) for purpose in Purpose)):
        for spelt in (key, key.hex().encode(), base64.b64encode(key), base64.urlsafe_b64encode(key)):
            assert not any(spelt in content for content in sent)


@pytest.mark.parametrize("salt", [Purpose.UPLOAD, "upload"])
@pytest.mark.parametrize("session_id", [MINE, "shared"])
def test_the_public_secret_makes_no_ticket(site: tuple[httpx.Client, FakeServices], session_id: str, salt: str) -> None:
    client, services = site
    ticket = URLSafeSerializer(services.public_browser_secret, salt=salt).dumps(session_id)
    reply = client.post("/file", content=b"text", headers={"x-wenqu-ticket": ticket, "x-wenqu-name": "a.txt"})
    assert reply.status_code == 403


def test_the_public_secret_makes_no_address_and_no_session(site: tuple[httpx.Client, FakeServices]) -> None:
    client, services = site
    public = services.public_browser_secret.encode()
    address = URLSafeSerializer(public, salt=Purpose.PAGE_IMAGE).dumps(["doc", 1, 2_000_000_000])
    assert client.get(f"/page/{address}").status_code == 404
    minted = Keys((), SigningKey(public)).caller("").known_as
    assert minted and client.get("/v1/models", headers={SESSION_HEADER: minted}).headers[SESSION_HEADER] != minted


def test_a_session_id_is_ours_as_long_as_the_key_is() -> None:
    given = Keys((), SigningKey(SIGNING)).caller("").known_as
    assert given and Keys((), SigningKey(SIGNING)).caller("", given).known_as == given


def test_each_purpose_has_a_key_of_its_own() -> None:
    keys = {SigningKey(SIGNING).key(purpose) for purpose in Purpose}
    assert len(keys) == len(Purpose) and SIGNING not in keys


def test_a_secret_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "signing_key"
    made = kept_secret(path)
    assert len(made) == 64 and kept_secret(path) == made
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["signing_key"]


@pytest.mark.parametrize("left", ["", "abc", "\n"])
def test_half_a_secret_is_none(tmp_path: Path, left: str) -> None:
    path = tmp_path / "signing_key"
    path.write_text(left, encoding="utf-8")
    assert len(kept_secret(path)) == 64 and kept_secret(path) == path.read_text(encoding="utf-8")


def test_a_secret_of_an_earlier_version_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "browser_secret"
    path.write_text("a" * 64, encoding="utf-8")
    assert kept_secret(path) == "a" * 64


def test_a_disk_that_refuses_leaves_no_half_of_a_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as full:
        full.setattr("os.fsync", refuse)
        with pytest.raises(DiskFull):
            kept_secret(tmp_path / "signing_key")
    assert list(tmp_path.iterdir()) == []
