"""Which addresses share the server's places, and which may stand for anybody."""

import pytest
from starlette.requests import HTTPConnection

from rag.web.networks import network_of, places_of_network


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("8.8.8.8", "8.8.8.8"),
        ("::ffff:8.8.8.8", "8.8.8.8"),
        ("2600:1f18:1:2:3:4:5:6", "2600:1f18:1:2::/64"),
        ("127.0.0.1", ""),
        ("::1", ""),
        ("10.16.3.4", ""),
        ("192.168.1.7", ""),
        ("fd00::1", ""),
        ("testclient", ""),
    ],
)
def test_only_a_public_address_names_a_network(address: str, network: str) -> None:
    assert network_of(HTTPConnection({"type": "http", "client": (address, 1), "headers": []})) == network


def test_who_has_no_address_is_in_no_network() -> None:
    assert network_of(HTTPConnection({"type": "http", "client": None, "headers": []})) == ""


def test_a_network_has_half_of_the_places_and_no_less_than_a_session() -> None:
    assert (places_of_network(32, 8), places_of_network(4, 3)) == (16, 3)
