"""Texts cut into words, and these made postings: few here, many in a process of their own, beside which this one
answers: `python -m rag.knowledge.words`, the texts on standard input, how far it is and their postings on standard
output, one JSON object a line."""

import json
from base64 import b64decode
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Event

from loaders import wire
from loaders.process import WorkerProcess, private_output, received
from rag.knowledge.postings import Segment, build, merge
from rag.knowledge.tokenizer import Tokenizer

# So many take a second, hardly less than the process takes to start. Of more, the tokens are not in memory at once:
# those of a long book take half a gigabyte.
_AT_ONCE = 500
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
    with WorkerProcess("rag.knowledge.words") as process:
        process.send(_encode_job(tokenizer, texts))
        # Each in its time: all those of a long document take minutes.
        while "segment" not in (message := next(process.replies(document_name, _SILENT_SECONDS, cancel))):
            if on_progress:
                on_progress(message["done"], message["total"])
        return Segment.from_bytes(b64decode(message["segment"]))


def _encode_job(tokenizer: Tokenizer, texts: Sequence[str]) -> Iterator[bytes]:
    cache, dictionary = str(tokenizer.cache.absolute()), str(tokenizer.dictionary.absolute())
    yield wire.to_line({"cache": cache, "dictionary": dictionary, "words": tokenizer.own_words, "texts": texts})


def _work() -> None:
    """What the process does."""
    with private_output() as output:
        job = json.loads(next(received()))

        def report(done: int, total: int) -> None:
            output.write(wire.progress(done, total))
            output.flush()

        tokenizer = Tokenizer(Path(job["cache"]), Path(job["dictionary"]), job["words"])
        output.write(wire.to_line({"segment": cut(tokenizer, job["texts"], report).to_bytes()}))


if __name__ == "__main__":
    _work()
