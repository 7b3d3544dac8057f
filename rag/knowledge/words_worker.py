"""The process that cuts the texts of one document into words: `python -m rag.knowledge.words_worker`, the texts on
standard input, how far it is and their postings on standard output."""

from loaders import wire
from loaders.process import private_output, received
from rag.knowledge.words import cut, decode_job


def main() -> None:
    """Takes the texts, cuts them, and tells their postings."""
    with private_output() as output:
        tokenizer, texts = decode_job(next(received()))

        def report(done: int, total: int) -> None:
            output.write(wire.progress(done, total))
            output.flush()

        output.write(wire.to_line({"segment": cut(tokenizer, texts, report).to_bytes()}))


if __name__ == "__main__":
    main()
