"""What llama.cpp is to read before a prompt, so that every conversation finds its own state again.

llama.cpp keeps the states of the prompts that it leaves, and goes on from the one most like the next prompt. But that
one is taken from its conversation: a new one would take an older one's state. And where the next prompt shares half of
what was read last, as short conversations share their role, that is overwritten and no other is looked for: only with a
`slot_prompt_similarity` of 0 is all kept and looked for each time. What goes on behind its role is not to look: the
role's state would be kept too, and taken for that of a conversation whose last answer was shortened.
"""

import threading
from collections.abc import Sequence

from cachetools import LRUCache
from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

_ANYTHING = HumanMessage("好")
# Like no prompt: behind it, the state that fits the next one best is looked for.
_NOTHING_ALIKE = (SystemMessage("。"), HumanMessage("。"))
_KNOWN = 64


class States:
    """Tells conversations by how their prompts begin: by what the model is told as its role, and the first question."""

    def __init__(self) -> None:
        self._known: LRUCache[tuple[str, str], None] = LRUCache(_KNOWN)
        self._present: tuple[str, str] | None = None
        # A turn that was stopped may still be at this when the next one begins.
        self._lock = threading.Lock()

    def read_first(self, messages: Sequence[BaseMessage]) -> list[BaseMessage]:
        """What to read before a prompt: a new conversation's role alone; nothing where the present one goes on."""
        with self._lock:
            present, self._present = self._present, None
            if len(messages) < 2 or not isinstance(messages[0], SystemMessage):
                return []
            begun = self._present = (messages[0].text, messages[1].text)
            is_known, self._known[begun] = begun in self._known, None
        if begun == present:
            return []
        return list(_NOTHING_ALIKE) if is_known else [messages[0], _ANYTHING]
