"""The comparison of searches as a table and as a plot, beside its result file."""

from collections.abc import Mapping, Sequence
from pathlib import Path

METRICS = {"r1": "R@1", "r5": "R@5", "r10": "R@10", "mrr10": "MRR@10", "ndcg10": "nDCG@10"}
_COSTS = {"ms": "ms", "mb": "MB"}
_PLOTTED = ("r1", "r5")
_OVER_OURS = "_over_ours"
_SYSTEMS = (
    "Systems other than ours are rewritten by us after their sources, on our embedder and without their rerankers. "
    "The order of ours is fitted on CMRC and DuReader, DRCD and DomainRAG, up to 900 questions of each: where these "
    "are asked, some of the questions are among them, of DomainRAG all. "
    "R@10 is bounded by how many passages each gives: ours 10, the others as told below."
)
_MEGABYTES = (
    "MB is what a process with code and models loaded takes more of its own memory to file a corpus and be asked."
)
_OURS, _THEIRS = "#0f766e", "#b8b2a4"
Figures = Mapping[str, float]


def write_table(figures: Figures, corpora: Sequence[str], told: Mapping[str, str], path: Path) -> None:
    """A Markdown table for each corpus: every system's means with their 95 % intervals, and what some systems are."""
    parts = [_SYSTEMS, ""]
    for corpus in corpora:
        compared = _decisive(figures, corpus)
        less = [f"{METRICS[metric]} less ours" for metric in compared]
        head = ["system", *METRICS.values(), *less, *_COSTS.values()]
        names = [*METRICS, *(f"{metric}{_OVER_OURS}" for metric in compared), *_COSTS]
        rows = [[arm, *(_cell(figures, f"{corpus}.{arm}", name) for name in names)] for arm in _arms(figures, corpus)]
        table = [head, ["---", *["---:"] * len(names)], *rows]
        parts += [f"## {corpus}", "", *(f"| {' | '.join(cells)} |" for cells in table), ""]
    parts += [_MEGABYTES, "", *(f"- `{arm}`: {sentence}" for arm, sentence in told.items())]
    path.write_text("\n".join([*parts, ""]), encoding="utf-8")


def plot(figures: Figures, corpora: Sequence[str], path: Path) -> None:
    """R@1 and R@5 of every system as bars with their intervals, a row for each corpus."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    heights = [0.8 + 0.23 * len(_arms(figures, corpus)) for corpus in corpora]
    chart, axes = pyplot.subplots(
        len(corpora), len(_PLOTTED), figsize=(11, sum(heights)), height_ratios=heights, squeeze=False
    )
    for row, corpus in zip(axes, corpora, strict=True):
        arms = _arms(figures, corpus)[::-1]
        for axis, metric in zip(row, _PLOTTED, strict=True):
            values = [figures[f"{corpus}.{arm}.{metric}"] for arm in arms]
            spread = [_spread(figures, f"{corpus}.{arm}.{metric}") for arm in arms]
            colours = [_OURS if arm.startswith("ours") else _THEIRS for arm in arms]
            axis.barh(arms, values, color=colours, xerr=list(zip(*spread, strict=True)), error_kw={"lw": 0.8})
            axis.set_title(f"{corpus}: {METRICS[metric]}", fontsize=10)
            axis.set_xlim(max(0.0, min(values) - 0.1), 1.0)
            axis.tick_params(labelsize=8)
    chart.tight_layout()
    chart.savefig(path, dpi=110)
    pyplot.close(chart)


def _arms(figures: Figures, corpus: str) -> list[str]:
    """The systems measured on a corpus, in the order of the run."""
    parts = [name.split(".") for name in figures]
    return list(dict.fromkeys(part[1] for part in parts if part[0] == corpus and part[2:] == ["r1"]))


def _decisive(figures: Figures, corpus: str) -> list[str]:
    """The metric in which the systems on a corpus are compared with ours; none where ours stands alone."""
    named = (name.split(".")[-1] for name in figures if name.startswith(f"{corpus}.") and name.endswith(_OVER_OURS))
    return list(dict.fromkeys(name.removesuffix(_OVER_OURS) for name in named))


def _cell(figures: Figures, arm: str, metric: str) -> str:
    value = figures.get(f"{arm}.{metric}")
    if value is None:
        return ""
    if metric in _COSTS:
        return f"{value:.1f}"
    return f"{value:.3f} ({figures[f'{arm}.{metric}.low']:.3f}–{figures[f'{arm}.{metric}.high']:.3f})"


def _spread(figures: Figures, name: str) -> tuple[float, float]:
    return figures[name] - figures[f"{name}.low"], figures[f"{name}.high"] - figures[name]
