"""A queue in which nobody's items wait for all of somebody else's."""

import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Generic, TypeVar

Item = TypeVar("Item")


class FairQueue(Generic[Item]):
    """Gives out one item of each owner in turn, those of one owner in the order in which they came."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[Item]] = OrderedDict()
        self._closed = False
        self._changed = threading.Condition()

    def put(self, owner: str, item: Item) -> None:
        """Add an item; an owner who has none waits behind those who have."""
        with self._changed:
            self._waiting.setdefault(owner, deque()).append(item)
            # Not everybody who waits may take it.
            self._changed.notify_all()

    def get(self, fits: Callable[[Item], bool]) -> Item | None:
        """The next item that fits, as soon as there is one; None once the queue is closed."""
        with self._changed:
            while not self._closed:
                for owner, items in self._waiting.items():
                    if (item := next(filter(fits, items), None)) is not None:
                        self._take(owner, item)
                        return item
                self._changed.wait()
            return None

    def close(self) -> None:
        """Give out nothing any more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _take(self, owner: str, item: Item) -> None:
        items = self._waiting.pop(owner)
        items.remove(item)
        if items:
            self._waiting[owner] = items
