"""`python -m bench NAME|all --data DIR --out PATH`: measure, print the figures and write them."""

import argparse
import logging
import sys
from importlib import import_module
from pathlib import Path

from bench.harness import NotMeasured, write
from rag.errors import WenquError

_log = logging.getLogger("bench")
NAMES = {
    "startup": "from `python app.py` to a served page; memory without and with a model",
    "page": "in Chromium: seconds until it can be used, what a streaming answer costs browser and server",
    "ingest": "from the upload of the longest PDF to search by words, and to complete vectors",
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
    parser.add_argument("--data", type=Path, required=True, help="a folder as bench/README.md describes it")
    parser.add_argument("--out", type=Path, required=True, help="a JSON file; with `all`, a folder")
    arguments = parser.parse_args()
    # Measurements that need no data would run for minutes before the first that does tells of it.
    if not arguments.data.is_dir():
        parser.error(f"there is no folder {arguments.data}")
    if arguments.out.exists() and arguments.out.is_dir() is not (arguments.name == "all"):
        parser.error(f"{arguments.out} is {'a folder' if arguments.out.is_dir() else 'a file'}")
    logging.basicConfig(level=logging.WARNING)
    if arguments.name == "all":
        files = {name: arguments.out / f"{name}.json" for name in NAMES}
    else:
        files = {arguments.name: arguments.out}
    failed = [name for name, out in files.items() if not _measured(name, arguments.data, out)]
    if failed:
        sys.exit(f"not measured: {', '.join(failed)}")


def _measured(name: str, data: Path, out: Path) -> bool:
    """Run one measurement; where it fails, the error is told, an earlier result stays, and the others are still run."""
    try:
        outcome = import_module(f"bench.{name}").measure(data)
        write(outcome, name, out)
    except (NotMeasured, WenquError, OSError) as error:
        _log.error("%s: %s", name, error)
        return False
    except Exception:  # noqa: BLE001
        _log.exception("%s", name)
        return False
    for figure, value in outcome.figures.items():
        print(f"{name}.{figure}: {value:.3g}")
    return True


if __name__ == "__main__":
    main()
