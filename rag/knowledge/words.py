"""Texts cut into words, and these made postings: few here, many in a process of their own, beside which this one
answers. What the two say to each other is one JSON object a line."""

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Event
from typing import Any

from loaders import wire
from loaders.process import WorkerProcess
from rag.database import batches
from rag.knowledge.postings import Segment, build, merge
from rag.knowledge.tokenizer import Tokenizer

# So many take a second, hardly less than the process takes to start. Of more, the tokens are not in memory at once:
# those of a long book take half a gigabyte.
_AT_ONCE = 500
# A segment is sent in parts: to read a long line holds this process up.
_PART_BYTES = 2**20
# 500 texts take a second, on a busy machine perhaps ten.
_SILENT_SECONDS = 120.0
OnProgress = Callable[[int, int], None]


def cut(tokenizer: Tokenizer, texts: Sequence[str], on_progress: OnProgress | None = None) -> Segment:
    """The postings of texts, numbered from 0. `on_progress` is told how many are done, of how many."""
    tell, parts = on_progress or (lambda *_: None), [build([], [])]
    for done in range(0, len(texts), _AT_ONCE):
        tell(done, len(texts))
        tokens = [tokenizer.tokens(text) for text in texts[done : done + _AT_ONCE]]
        parts.append(build(range(done, done + len(tokens)), tokens))
    tell(len(texts), len(texts))
    return merge(parts)


def cut_beside(
    tokenizer: Tokenizer,
    texts: Sequence[str],
    document_name: str,
    cancel: Event | None = None,
    on_progress: OnProgress | None = None,
) -> Segment:
    """What `cut` makes of a document's texts, where they are many in a worker process.

    Raises ReadingTimedOut where that falls silent, ReaderCrashed where it ends early, and CancelledError as soon as
    `cancel` is set.
    """
    if len(texts) <= _AT_ONCE:
        return cut(tokenizer, texts, on_progress)
    with WorkerProcess("rag.knowledge.words_worker") as process:
        process.send(_encode_job(tokenizer, texts))

        def reply() -> dict[str, Any]:
            # Each in its time: all those of a long document take minutes.
            return next(process.replies(document_name, _SILENT_SECONDS, cancel))

        while "done" in (message := reply()):
            if on_progress:
                on_progress(message["done"], message["total"])
        return Segment.from_bytes(b"".join(b64decode(reply()["part"]) for _ in range(message["parts"])))


def decode_job(lines: Iterator[bytes]) -> tuple[Tokenizer, list[str]]:
    """What cuts, and the texts."""
    job, texts = json.loads(next(lines)), list[str]()
    while len(texts) < job["texts"]:
        texts += json.loads(next(lines))["texts"]
    return Tokenizer(Path(job["cache"]), Path(job["dictionary"]), job["words"]), texts


def encode_segment(segment: Segment) -> Iterator[bytes]:
    """How many lines follow, and the segment in these."""
    data = segment.to_bytes()
    parts = [data[start : start + _PART_BYTES] for start in range(0, len(data), _PART_BYTES)]
    yield wire.to_line({"parts": len(parts)})
    for part in parts:
        yield wire.to_line({"part": b64encode(part).decode("ascii")})


def _encode_job(tokenizer: Tokenizer, texts: Sequence[str]) -> Iterator[bytes]:
    cache, dictionary = str(tokenizer.cache.absolute()), str(tokenizer.dictionary.absolute())
    yield wire.to_line({"cache": cache, "dictionary": dictionary, "words": tokenizer.own_words, "texts": len(texts)})
    for batch in batches(texts, _AT_ONCE):
        yield wire.to_line({"texts": batch})
