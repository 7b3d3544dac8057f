"""Which addresses share the server's places, and which may stand for anybody."""

from contextlib import nullcontext

import pytest
from starlette.requests import HTTPConnection

from rag.errors import ServerBusy, TooManyHere, TooManyQuestions, WenquError
from rag.web.networks import check_place, network_of, places_of_network


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


HERE, THERE = "8.8.8.8", "9.9.9.9"


@pytest.mark.parametrize(
    ("askers", "elsewhere", "network", "error"),
    [
        (["me", "me", "other"], 4, HERE, None),
        (["me", "me", "me"], 0, HERE, TooManyQuestions),
        (["me", "me", "me"], 0, "", TooManyQuestions),
        (["me", "other", "another", "fourth"], 0, HERE, TooManyHere),
        (["me", "other", "another", "fourth"], 3, "", None),  # an address that may be anybody's
        (["me"], 7, HERE, ServerBusy),
    ],
)
def test_of_eight_places_an_asker_has_three_and_a_network_four(
    askers: list[str], elsewhere: int, network: str, error: type[WenquError] | None
) -> None:
    taken = [*((asker, HERE) for asker in askers), *((f"far {number}", THERE) for number in range(elsewhere))]
    with pytest.raises(error) if error else nullcontext():
        check_place("me", network, taken, places=8, own=3)
