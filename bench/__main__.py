"""`python -m bench NAME|all --data DIR --out PATH`: measure, print the figures and write them."""

import argparse
import logging
from importlib import import_module
from pathlib import Path

from bench.harness import write

NAMES = {
    "startup": "from `python app.py` to a served page; memory without and with a model",
    "page": "in Chromium: seconds until it can be used, what a streaming answer costs browser and server",
    "ingest": "from an uploaded PDF to search by words, and to complete vectors",
    "ocr": "a scanned PDF, and a mixed one: pages that can be searched, pages lost",
    "pages": "from a citation to its place: boxes that cover the passage, and milliseconds until the page is there",
    "answers": "the hand-written questions over real PDFs through the whole engine",
    "everyday": "everyday questions about small documents: told, refused, unknown to the model",
    "turns": "conversations of several turns over real PDFs through the whole engine",
    "second": "everyday questions asked after another one: found, and refused, as they are when asked first",
    "latency": "first token of follow-ups beside LangChain's own chain",
    "refusal": "whether nothing relevant is found where there is nothing, and only there; reranking",
    "decision": "what a turn does about evidence, decided without a model",
    "citations": "mistakes planted in sentences that cite real passages: found, and right sentences flagged",
    "pdf": "hand-written questions over real PDFs, as far as the search goes",
    "retrieval": "our search, whole and without each of its parts, beside well-known systems, with one embedder",
    "haystack": "what our search loses among thousands of passages from elsewhere",
    "bm25": "our BM25 beside rank_bm25 over 100,000 chunks: scores, a query, a file added",
    "scale": "a whole search, and opening a collection, at 1,000 and 100,000 chunks",
    "rewrite": "which questions lean on the conversation, and which rewrites of them are refused; those of the model",
}


def main() -> None:
    """Run one measurement into a file, or all of them into a folder."""
    parser = argparse.ArgumentParser(
        prog="python -m bench", description="; ".join(f"{k}: {v}" for k, v in NAMES.items())
    )
    parser.add_argument("name", choices=[*NAMES, "all"])
    parser.add_argument("--data", type=Path, required=True, help="a folder as described in the README")
    parser.add_argument("--out", type=Path, required=True, help="a JSON file; with `all`, a folder")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.WARNING)
    for name in NAMES if arguments.name == "all" else [arguments.name]:
        outcome = import_module(f"bench.{name}").measure(arguments.data)
        write(outcome, name, arguments.out / f"{name}.json" if arguments.name == "all" else arguments.out)
        for figure, value in outcome.figures.items():
            print(f"{name}.{figure}: {value:.3g}")


if __name__ == "__main__":
    main()
