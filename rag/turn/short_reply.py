"""A short word of the model on the way to the answer: an opinion, a rewrite."""

import logging
from collections.abc import Generator
from typing import Any

from langchain_core.messages import BaseMessage

from rag import events
from rag.errors import ModelError
from rag.llm.replier import Replier
from rag.llm.stream import Done, Heartbeat, PromptProgress
from rag.llm.think import said_with
from rag.turn.context import TurnContext
from rag.turn.draft import Draft

# A translation is as long as the question, which may be no short one.
MOST_TOKENS, MOST_TRANSLATED = 80, 160
_log = logging.getLogger(__name__)


def short_reply(
    draft: Draft, context: TurnContext, request: BaseMessage, most_tokens: int = MOST_TOKENS, **arguments: Any
) -> Generator[events.TurnEvent, None, str]:
    """What the model says to a request on top of the conversation's prefix; nothing where it fails or only thinks.

    Of a reply that is cut only its whole lines count: half of a question asks something else. A turn can do without:
    not every server takes a schema. That the model is gone shows at the answer.
    """
    reply = ""
    replier = Replier.of(context.answering, context.profile.habits)
    try:
        for part in replier.parts([*context.transcript.prefix(), request], draft.cancel, most_tokens, **arguments):
            match part:
                case PromptProgress(processed, total):
                    yield events.Reading(processed, total)
                case Heartbeat():
                    yield events.Waiting()
                case Done(usage, cut):
                    draft.add_usage(usage)
                    reply = reply.rpartition("\n")[0] if cut else reply
                case _:
                    reply = said_with(reply, part)
    except ModelError as error:
        _log.warning("the rules do without the model: %s", error)
        return ""
    return reply
