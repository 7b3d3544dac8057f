"""What llama.cpp is to read before a prompt, so that every conversation finds its own state again.

llama.cpp keeps the states of the prompts that it leaves, and goes on from the one most like the next prompt. But that
one is taken from its conversation: a new one would take an older one's state. And where the next prompt shares half of
what was read last, as short conversations share their role, that is overwritten and no other is looked for: only with a
`slot_prompt_similarity` of 0 is all kept and looked for each time. What only goes on is not to look:
the state of a role would be kept too, and taken for that of a conversation whose last answer was shortened; and to keep
one of 2,000 tokens takes 0.1 s, more with each.
"""

from collections.abc import Sequence

from cachetools import LRUCache
from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

_ANYTHING = HumanMessage("好")
# Like no prompt: behind it, the state that fits the next one best is looked for.
_NOTHING_ALIKE = (SystemMessage("。"), HumanMessage("。"))
_KNOWN = 64
# Of two roles that differ in these characters nothing but the form is the same.
_ALIKE = 10


class States:
    """Tells conversations by how their prompts begin: by what the model is told as its role, and the first question.

    Asked by one prompt at a time, when its turn has come: what was read last has to be known.
    """

    def __init__(self) -> None:
        self._known: LRUCache[tuple[str, ...], None] = LRUCache(_KNOWN)
        self._read: tuple[str, ...] = ()

    def before(self, messages: Sequence[BaseMessage]) -> tuple[list[BaseMessage], bool]:
        """What to read before a prompt, and whether the prompt then goes on from that, or from the one before.

        Of a new conversation its role is read alone, of one that others of its role came between something unlike any;
        where the present one goes on, or what came between is unlike it, nothing.
        """
        texts = tuple(message.text for message in messages)
        has_role = isinstance(messages[0], SystemMessage)
        present, self._read = self._read, texts if has_role else ("",)
        if len(texts) < 2 or not has_role:
            return [], False
        begun = texts[:2]
        is_known, self._known[begun] = begun in self._known, None
        if begun == present[:2]:
            return [], _grows_from(present, texts)
        if not is_known:
            return [messages[0], _ANYTHING], True
        is_unlike = present != () and present[0][:_ALIKE] != texts[0][:_ALIKE]
        return [] if is_unlike else list(_NOTHING_ALIKE), False

    def lose(self) -> None:
        """Note that the last prompt was not read after all."""
        self._read = ()


def _grows_from(present: tuple[str, ...], texts: tuple[str, ...]) -> bool:
    """Whether a prompt puts another question in the place of the last one, or goes on behind its answer.

    Whatever else has the same beginning is another branch, or another conversation that began alike.
    """
    last = len(present) - 1
    grown = len(texts) - len(present)
    return texts[:last] == present[:last] and (grown == 0 or (grown == 2 and texts[last] == present[last]))
