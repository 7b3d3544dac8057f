"""Wrong methods of routes that there are, above a page that would answer that there is no such thing."""

from collections.abc import Sequence

from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


class OtherMethods(BaseRoute):
    """Takes what the routes before it have the path for but not the method."""

    def __init__(self, routes: Sequence[BaseRoute]) -> None:
        self._routes = tuple(routes)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Fully where a route matches in part: those that match fully stand before it."""
        in_part = any(route.matches(scope)[0] is Match.PARTIAL for route in self._routes)
        return (Match.FULL if in_part else Match.NONE), {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - Starlette's signature
        """Raises HTTPException, which tells the methods of all routes of that path: each knows but its own."""
        scopes = {method: {**scope, "method": method} for method in METHODS}
        allowed = [
            method
            for method, other in scopes.items()
            if any(route.matches(other)[0] is Match.FULL for route in self._routes)
        ]
        raise HTTPException(405, headers={"Allow": ", ".join(allowed)})
