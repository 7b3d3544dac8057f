"""Imports point one way; only the web knows the web; every sentence has its twin."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from rag import i18n
from rag.errors import WenquError
from rag.i18n import Language

ROOT = Path(__file__).parent.parent
LONGEST_FILE, LONGEST_FUNCTION = 250, 40
# Lower layers must not import from higher ones.
LAYERS = [
    {"rag", "rag.types", "rag.errors", "rag.i18n"},
    {
        "loaders",
        "rag.settings",
        "rag.events",
        "rag.database",
        "rag.prompts",
        "rag.plugins",
        "rag.tokens",
        "rag.citations",
        "rag.language",
        "rag.message_json",
        "rag.background",
        "rag.quotable_units",
        "rag.quoting",
    },
    {
        "rag.knowledge",
        "rag.embeddings",
        "rag.llm",
        "rag.model_store",
        "rag.model_sources",
        "rag.preferences",
        "rag.conversation",
        "rag.files",
        "rag.signing",
    },
    {
        "rag.rerank",
        "rag.retrieval",
        "rag.turn",
        "rag.retriever",
        "rag.evidence",
        "rag.metrics",
        "rag.opening",
        "rag.transcript",
        "rag.decision",
        "rag.rewriting",
        "rag.memory",
        "rag.recall",
        "rag.profile",
        "rag.trace",
    },
    {"rag.engine", "rag.export", "rag.ingest", "rag.pages", "rag.chain", "rag.profiles"},
    {"rag.retention", "rag.shared_parts"},
    {"rag.build"},
    {"rag.web"},
    {"app"},
]


def _module(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:2]) if (parts[0] == "rag" and parts[-1] != "__init__") or len(parts) > 2 else parts[0]


def _layer(module: str) -> int | None:
    for depth in (2, 1):
        name = ".".join(module.split(".")[:depth])
        for number, names in enumerate(LAYERS):
            if name in names:
                return number
    return None


@cache
def _imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


def _sources() -> list[Path]:
    return [ROOT / "app.py", *sorted((ROOT / "rag").rglob("*.py")), *sorted((ROOT / "loaders").rglob("*.py"))]


def test_a_module_imports_only_from_its_own_layer_or_below() -> None:
    for path in _sources():
        own = _layer(_module(path))
        assert own is not None, f"{path} is in no layer"
        assert not [name for name in _imports(path) if (layer := _layer(name)) is not None and layer > own], path


@pytest.mark.parametrize("package", ["citations", "language", "web"])
def test_no_file_reads_what_its_package_lists_below_it(package: str) -> None:
    text = (ROOT / "rag" / package / "__init__.py").read_text(encoding="utf-8")
    rows = text.split('"""')[1].split(":\n\n")[1].splitlines()
    ranks = {name: rank for rank, row in enumerate(rows) for name in row.split("  ")[0].split(", ")}
    for path in sorted((ROOT / "rag" / package).rglob("[!_]*.py")):
        own = path.relative_to(ROOT / "rag" / package).parts[0].removesuffix(".py")
        read = {name.split(".")[2] for name in _imports(path) if name.startswith(f"rag.{package}.")}
        of = {name: ranks["wrong_*" if name.startswith("wrong_") else name] for name in {own, *read}}
        assert all(of[name] <= of[own] for name in read), path


def test_only_the_web_imports_gradio_or_fastapi() -> None:
    for path in _sources():
        if "web" not in path.relative_to(ROOT).parts:
            assert not {name.split(".")[0] for name in _imports(path)} & {"gradio", "fastapi"}, path


def test_no_file_and_no_function_is_longer_than_one_can_hold_in_mind() -> None:
    for path in [*_sources(), *sorted((ROOT / "bench").rglob("*.py"))]:
        text = path.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= LONGEST_FILE, path
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno:
                assert node.end_lineno - node.lineno < LONGEST_FUNCTION, f"{path}: {node.name}"


def test_both_languages_have_the_same_keys_and_placeholders() -> None:
    chinese, english = i18n.catalogue(Language.ZH), i18n.catalogue(Language.EN)
    assert chinese.keys() == english.keys()
    # Not those that only choose a word by a number, for which Chinese has no other word.
    placeholder = re.compile(r"{(\w+)(?!\w|:[^}]*\|)")
    for key, sentence in chinese.items():
        assert set(placeholder.findall(sentence)) == set(placeholder.findall(english[key])), key


def test_every_error_has_its_sentence_and_every_branch_is_drawn_in_the_tree() -> None:
    import rag.errors

    def leaves(error: type[WenquError]) -> list[type[WenquError]]:
        below = error.__subclasses__()
        return [leaf for child in below for leaf in leaves(child)] if below else [error]

    for error in leaves(WenquError):
        assert f"error.{error.key}" in i18n.catalogue(Language.ZH)
    for branch in WenquError.__subclasses__():
        assert branch.__name__ in (rag.errors.__doc__ or "")


def test_prompts_have_the_same_placeholders_in_both_languages() -> None:
    folder = ROOT / "rag" / "prompts"
    names = {path.name for path in (folder / "zh").glob("*.md")}
    assert names == {path.name for path in (folder / "en").glob("*.md")}
    for name in names:
        chinese, english = ((folder / language / name).read_text(encoding="utf-8") for language in ("zh", "en"))
        assert set(re.findall(r"{(\w+)}", chinese)) == set(re.findall(r"{(\w+)}", english)), name
