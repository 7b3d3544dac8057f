"""Questions that a model was asked for, one a line."""

import re

_MAX_LENGTH = 80
_NUMBERING = re.compile(r"^\s*(?:[-*•·]|[（(]?\d{1,2}[.)、．）:：]|问题\s*\d*[:：])\s*")


def read_questions(reply: str) -> tuple[str, ...]:
    """The questions of a reply, one a line, whatever numbers or quotes the model put around them; each once."""
    lines = (_NUMBERING.sub("", line).strip(" \t*\"'“”「」") for line in reply.splitlines())
    return tuple(dict.fromkeys(line for line in lines if line.endswith(("？", "?")) and len(line) <= _MAX_LENGTH))
