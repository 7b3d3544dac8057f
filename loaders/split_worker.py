"""The process that splits one document: `python -m loaders.split_worker`, the document on standard input, with what
was recognised of its pages; these and its sections on standard output.

Text that is split slowly, or into more than fits, takes only this process with it.
"""

import json

from loaders.ocr_text import with_recognised
from loaders.process import limit_memory, private_output, received
from loaders.sections import split_document
from loaders.wire import SplitJob, decode_document, encode_split, failure, from_line
from rag.errors import TooManyPassages
from rag.types import RecognisedPage


def main() -> None:
    """Takes the document, splits it, and tells its sections."""
    lines = received()
    job = from_line(SplitJob, next(lines))
    with private_output() as output:
        limit_memory(job.memory_limit_mb)
        document = decode_document(map(json.loads, lines))
        recognised = {number: from_line(RecognisedPage, next(lines)) for number in job.recognised}
        whole = with_recognised(document, recognised) if recognised else document
        sections = split_document(whole, job.lengths.max_len, job.lengths.overlap, job.lengths.parent_max_len)
        chunks = sum(len(section.children) for section in sections)
        if chunks > job.max_chunks:
            output.write(failure(TooManyPassages(name=job.name, chunks=chunks, limit=job.max_chunks)))
            return
        read = (page for before, page in zip(document.pages, whole.pages, strict=True) if page is not before)
        output.writelines(encode_split(read, sections))


if __name__ == "__main__":
    main()
