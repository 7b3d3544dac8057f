"""The network that a request comes from, and whether there is a place for one more question from there."""

from collections.abc import Collection
from ipaddress import IPv6Address, ip_address, ip_network

from starlette.requests import HTTPConnection

from rag.errors import ServerBusy, TooManyHere, TooManyQuestions

# Of IPv6, whoever has one address has all those that begin with the same bits.
_OWN_BITS = 64


def network_of(connection: HTTPConnection) -> str:
    """The client's network; empty for an address within an organisation, which may be a proxy that all come through."""
    try:
        address = ip_address(connection.client.host if connection.client else "")
    except ValueError:
        return ""
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    if not address.is_global:
        return ""
    return str(ip_network((address, _OWN_BITS), strict=False) if isinstance(address, IPv6Address) else address)


def places_of_network(places: int, least: int) -> int:
    """How many places one network may take: half of them, so that others find some, and no less than `least`."""
    return max(least, places // 2)


def check_place(asker: str, network: str, taken: Collection[tuple[str | None, str]], places: int, own: int) -> None:
    """Check that there is a place for one more question beside those `taken`, which are askers with their networks.

    One asker may take `own` places. An empty network is not limited. Raises TooManyQuestions, TooManyHere, ServerBusy.
    """
    if sum(other == asker for other, _ in taken) >= own:
        raise TooManyQuestions(limit=own)
    most = places_of_network(places, own)
    if network and sum(other == network for _, other in taken) >= most:
        raise TooManyHere(limit=most)
    if len(taken) >= places:
        raise ServerBusy()
