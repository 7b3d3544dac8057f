"""What programs ask: the conversation stream, and OpenAI's protocol."""

import httpx
from httpx_sse import ServerSentEvent, connect_sse
from openai.types.chat import ChatCompletionMessageParam

PATH = "/knowledge_chat_conversation"
SEARCHING = "CONTENT:正在进行混合检索..."
QUESTION: list[ChatCompletionMessageParam] = [{"role": "user", "content": "年假有几天？"}]


def ask(client: httpx.Client, question: str, **fields: object) -> list[ServerSentEvent]:
    with connect_sse(client, "POST", PATH, json={"question": question, **fields}) as source:
        return list(source.iter_sse())


def prefixes(events: list[ServerSentEvent]) -> list[str]:
    return list(dict.fromkeys(event.data.split(":", 1)[0] for event in events))


def said(events: list[ServerSentEvent], prefix: str) -> str:
    """What stands behind a prefix, without what only tells of progress."""
    own = [event.data for event in events if event.data != SEARCHING]
    return "".join(data.removeprefix(prefix) for data in own if data.startswith(prefix))
