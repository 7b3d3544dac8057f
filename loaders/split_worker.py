"""The process that splits one document: `python -m loaders.split_worker`, the document on standard input, its sections
on standard output.

Text that is split slowly, or into more than fits, takes only this process with it.
"""

from loaders import split_wire
from loaders.process import limit_memory, private_output, received
from loaders.sections import split_document


def main() -> None:
    """Takes the document, splits it, and tells its sections."""
    lines = received()
    lengths, memory_limit_mb = split_wire.decode_limits(next(lines))
    with private_output() as output:
        limit_memory(memory_limit_mb)
        document = split_wire.decode_document(lines)
        sections = split_document(document, lengths.max_len, lengths.overlap, lengths.parent_max_len)
        output.writelines(split_wire.encode_sections(sections))


if __name__ == "__main__":
    main()
