"""The embedded model's prefix cache: what llama.cpp reads before a prompt, so that each conversation keeps its state.

llama.cpp saves the state of a prompt that it leaves, and goes on from the saved state that is most like the next
prompt. Two things go wrong where conversations are held side by side. A state that it goes on from is saved no more: a
new conversation, which has its role in common with the others, would take one of theirs. And where the next prompt
shares half of the present state, that is overwritten, and none is looked for; only with a `slot_prompt_similarity` of 0
is it always saved, and one looked for.

What only goes on from the present prompt is not to look: to save 2,000 tokens takes 0.1 s, more with each, and the
state of a role alone would be taken for that of a conversation whose last answer was shortened.
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
        """What to read before a prompt, and whether the prompt then goes on from that, or from the one before it.

        Before a new conversation its role alone is read. Where others of the same role have come between, something
        unlike any prompt is read, behind which the right state is looked for. Else nothing: the present conversation
        goes on, or what came between is unlike it.
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
