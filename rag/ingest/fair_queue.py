"""A queue in which nobody's items wait for all of somebody else's."""

import threading
from collections import OrderedDict, deque
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
            self._changed.notify()

    def get(self) -> Item | None:
        """The next item, as soon as there is one; None once the queue is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or bool(self._waiting))
            if self._closed:
                return None
            owner, items = self._waiting.popitem(last=False)
            item = items.popleft()
            if items:
                self._waiting[owner] = items
            return item

    def close(self) -> None:
        """Give out nothing any more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
