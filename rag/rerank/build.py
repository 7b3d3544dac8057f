"""Which reranker the configuration asks for."""

from collections.abc import Callable
from typing import assert_never

from rag.llm.replier import Replier
from rag.prompts import Prompts
from rag.rerank import Reranker
from rag.rerank.features import FeatureReranker
from rag.rerank.http import HttpReranker
from rag.rerank.judge import GradingReranker, InsertBlock, Judge
from rag.rerank.question import Words
from rag.rerank.sentences import SentenceCosines
from rag.settings import RerankSettings


def build_reranker(
    settings: RerankSettings,
    words: Words,
    sentence_cosines: SentenceCosines,
    replier: Callable[[], Replier],
    prompts: Prompts,
) -> Reranker | None:
    """The configured reranker, or None to keep the order of the search. `words` cuts a text into words."""
    match settings.kind:
        case "none":
            return None
        case "features":
            return FeatureReranker(words, sentence_cosines)
        case "http":
            return HttpReranker(settings)
        case "llm":
            return GradingReranker(Judge(replier, settings.timeout), prompts)
        case _:
            assert_never(settings.kind)


def build_filter(settings: RerankSettings, replier: Callable[[], Replier], prompts: Prompts) -> Reranker | None:
    """What has a model drop hits of no use behind the reranker, or None where they all stay."""
    return InsertBlock(Judge(replier, settings.timeout), prompts) if settings.insert_block else None
