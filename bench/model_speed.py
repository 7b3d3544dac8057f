"""How fast the model alone reads and writes here, so that first-token figures of different machines can be compared."""

import threading
import time

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import HumanMessage

from rag.llm.stream import Done, stream_parts
from rag.llm.think import Text, Thought
from rag.types import Usage

_LINES = 60
_WRITTEN = 48


def model_speed(model: BaseChatModel) -> dict[str, float]:
    """Tokens a second of one prompt that the model has not in its cache, and of what it writes after it."""
    # The time makes it a prompt that was never read before.
    text = f"{time.time_ns()}\n" + "\n".join(f"第 {line} 条：员工应当遵守公司的各项规定。" for line in range(_LINES))
    usage, begun, first = Usage(), time.perf_counter(), 0.0
    request = [HumanMessage(f"{text}\n请逐条复述以上规定。")]
    for part in stream_parts(model, request, threading.Event(), max_tokens=_WRITTEN, temperature=0.0):
        match part:
            case Text() | Thought():
                first = first or time.perf_counter()
            case Done(told):
                usage = told
    ended = time.perf_counter()
    if not (first and usage.completion > 1):
        return {}
    return {
        "prefill_tokens_per_second": (usage.prompt - usage.cached) / (first - begun),
        "decode_tokens_per_second": (usage.completion - 1) / (ended - first),
    }
