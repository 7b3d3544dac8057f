"""Wrong methods of routes that there are, above a page that would answer that there is no such thing."""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send


class OtherMethods(BaseRoute):
    """Takes what one of the routes before it has the path for but not the method; that one answers 405."""

    def __init__(self, routes: Sequence[BaseRoute]) -> None:
        self._routes = tuple(routes)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Fully where a route matches in part: those that match fully stand before it."""
        route, found = self._in_part(scope)
        return (Match.NONE, {}) if route is None else (Match.FULL, found)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let that route answer."""
        route, _ = self._in_part(scope)
        if route is not None:
            await route.handle(scope, receive, send)

    def _in_part(self, scope: Scope) -> tuple[BaseRoute | None, Scope]:
        for route in self._routes:
            match, found = route.matches(scope)
            if match is Match.PARTIAL:
                return route, found
        return None, {}
