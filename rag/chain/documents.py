"""LangChain's four ways from documents to an answer, with our prompts, parser and token counts."""

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from langchain_classic.chains.base import Chain
from langchain_classic.chains.combine_documents.base import BaseCombineDocumentsChain
from langchain_classic.chains.combine_documents.map_reduce import MapReduceDocumentsChain
from langchain_classic.chains.combine_documents.map_rerank import MapRerankDocumentsChain
from langchain_classic.chains.combine_documents.reduce import ReduceDocumentsChain
from langchain_classic.chains.combine_documents.refine import RefineDocumentsChain
from langchain_classic.chains.combine_documents.stuff import StuffDocumentsChain
from langchain_classic.chains.llm import LLMChain
from langchain_classic.output_parsers.regex import RegexParser
from langchain_core.documents import Document
from langchain_core.language_models import BaseLanguageModel
from langchain_core.output_parsers import StrOutputParser
from pydantic import Field

from rag.language.han_numerals import HAN_NUMERALS, whole_number
from rag.llm.embedded import EmbeddedChatModel
from rag.llm.think import answer_of
from rag.prompts import Prompts
from rag.tokens import average_estimate, fit_texts

# Two of them cannot do without a document; what the caller has made of them may.
LANGCHAINS = (MapReduceDocumentsChain, MapRerankDocumentsChain, RefineDocumentsChain, StuffDocumentsChain)
# The prompts of each chain type: `load_qa_chain`'s parameter and the prompt's name.
_PROMPTS = {
    "stuff": {"prompt": "stuff"},
    "map_reduce": {"question_prompt": "map_question", "combine_prompt": "map_combine"},
    "refine": {"question_prompt": "refine_question", "refine_prompt": "refine"},
    "map_rerank": {"prompt": "map_rerank"},
}


class WithoutThoughts(StrOutputParser):
    """A reply without its thoughts: of several calls, each would have those of the one before in its prompt."""

    def parse(self, text: str) -> str:
        """What the reply says."""
        return answer_of(text)


class OfflineLLMChain(LLMChain):
    """An LLMChain whose token counts need no file from the network."""

    def _get_num_tokens(self, text: str) -> int:
        return count_tokens(self.llm, text)


def count_tokens(model: object, text: str) -> int:
    """The tokens of a text: the model's own count where it has one, else by average rates.

    LangChain's default and its OpenAI models fetch a tokenizer at run time; neither is asked.
    """
    model = getattr(model, "bound", model)
    if isinstance(model, BaseLanguageModel):
        counts = type(model).get_num_tokens is not BaseLanguageModel.get_num_tokens
        if counts or model.custom_get_token_ids or isinstance(model, EmbeddedChatModel):
            return model.get_num_tokens(text)
    return average_estimate(text)


def fit_documents(documents: Sequence[Document], limit: int, count: Callable[[str], int]) -> list[Document]:
    """The first documents that fit into `limit` tokens; the last one cut at a sentence end."""
    texts = fit_texts([document.page_content for document in documents], limit, count)
    return [
        document if text == document.page_content else document.model_copy(update={"page_content": text})
        for document, text in zip(documents, texts, strict=False)
    ]


def with_prompts(
    chain_type: str, llm: BaseLanguageModel[Any], prompts: Prompts, arguments: Mapping[str, Any]
) -> dict[str, Any]:
    """The arguments for `load_qa_chain`, our prompts where none is given."""
    given = {name: value for name, value in arguments.items() if value is not None}
    defaults = {
        parameter: prompts.selector(name).get_prompt(llm)
        for parameter, name in _PROMPTS.get(chain_type, {}).items()
        if parameter not in given
    }
    filled = {**defaults, **given}
    if chain_type == "map_rerank" and filled["prompt"].output_parser is None:
        filled["prompt"] = filled["prompt"].model_copy(update={"output_parser": ScoreParser()})
    return filled


def is_ours(asking: LLMChain, prompts: Prompts, *names: str) -> bool:
    """Whether what asks a model has one of our prompts, as that was made: callers change prompts where they stand."""
    prompt = asking.prompt.model_copy(update={"output_parser": None})
    selectors = map(prompts.selector, names)
    return any(prompt in (one.default_prompt, *(chat for _, chat in one.conditionals)) for one in selectors)


def has_own_prompt(chain: BaseCombineDocumentsChain, prompts: Prompts) -> bool:
    """Whether a prompt for documents is the caller's, or is not known."""
    names = {name for parameters in _PROMPTS.values() for name in parameters.values()}
    asking = asking_chains(chain)
    return not asking or not all(is_ours(one, prompts, *names) for one in asking)


def adapt(chain: BaseCombineDocumentsChain) -> None:
    """Let a chain that LangChain has just built count its tokens without the network, and hand on no thoughts."""
    for asking in asking_chains(chain):
        asking.output_parser = WithoutThoughts()
    reducing = getattr(chain, "reduce_documents_chain", None)
    for name in ("combine_documents_chain", "collapse_documents_chain"):
        if isinstance(reducer := getattr(reducing, name, None), StuffDocumentsChain):
            built = reducer.llm_chain
            reducer.llm_chain = OfflineLLMChain(
                llm=built.llm,
                prompt=built.prompt,
                verbose=built.verbose,
                callbacks=built.callbacks,
                output_parser=WithoutThoughts(),
            )


def asking_chains(chain: BaseCombineDocumentsChain) -> list[LLMChain]:
    """What asks a model in a chain of a known kind, but for what collapses documents; first what reads these."""
    reducing = getattr(chain, "reduce_documents_chain", None)
    names = ("llm_chain", "initial_llm_chain", "refine_llm_chain")
    parts = (chain, getattr(reducing, "combine_documents_chain", None))
    found = (getattr(part, name, None) for part in parts for name in names)
    return [one for one in found if isinstance(one, LLMChain)]


def answering_call(chain: Chain, documents: int) -> int | None:
    """Which of a chain's own model calls writes the answer, from 1, less those that collapse documents.

    None where that cannot be known before, or where a parser makes something else of what is written.
    """
    match chain:
        case LLMChain() as writer:
            call = 1
        case StuffDocumentsChain(llm_chain=writer):
            call = 1
        case MapReduceDocumentsChain(
            reduce_documents_chain=ReduceDocumentsChain(combine_documents_chain=StuffDocumentsChain(llm_chain=writer))
        ):
            call = 2
        case RefineDocumentsChain(initial_llm_chain=first, refine_llm_chain=last):
            writer, call = (last if documents > 1 else first), documents
        case _:
            return None
    return call if isinstance(writer.output_parser, StrOutputParser) else None


# How models write the score that map_rerank asks for, in Chinese too.
_LABEL = r"(?:分[数數]|得分|[评評]分|打分|\bScore)"
_NUMBER = rf"(?P<score>\d+(?:\.\d+)?|[{HAN_NUMERALS}]{{1,5}})\s*"
_OUT_OF = r"(?:[/／]\s*(?P<most>[1-9]\d*))?"
# Surest first: a label that begins a line or clause, one with a colon at a line's end, a last line of nothing else.
_SCORES = tuple(
    re.compile(pattern, re.IGNORECASE | re.MULTILINE)
    for pattern in (
        rf"(?:^|(?<=\W)){_LABEL}\W{{0,4}}(?:[是为為]|is|of)?\W{{0,4}}(?:大?[约約]|about)?\s*{_NUMBER}分?\s*{_OUT_OF}(?!\w)",
        rf"[^\n，。；:：]{{0,10}}{_LABEL}\W{{0,2}}[:：]\W{{0,4}}{_NUMBER}分?\s*{_OUT_OF}\W*$",
        rf"^[^\w\n]*+(?:[^\n]{{0,20}}[，,；;] ?)?[给給得打评評]?[^\S\n]*+{_NUMBER}分\s*{_OUT_OF}\W*\Z",
    )
)
_ANSWER_LABEL = re.compile(r"^\W{0,3}(?:回答|答案|Helpful Answer|Answer)\W{0,3}[：:]\W{0,3}", re.IGNORECASE)


class ScoreParser(RegexParser):
    """Reads an answer and its score from 0 to 100; a reply without a score is an answer of score 0."""

    regex: str = ""
    output_keys: list[str] = Field(default_factory=lambda: ["answer", "score"])

    def parse(self, text: str) -> dict[str, str]:
        """The answer and its score, as strings. What is no answer has no score: beside others it must not win."""
        reply = answer_of(text).strip()
        found = next((matches[-1] for pattern in _SCORES if (matches := list(pattern.finditer(reply)))), None)
        if found is None:
            return {"answer": _stripped(reply), "score": "0"}
        answer = _stripped(reply[: found.start()]) or _stripped(reply[found.end() :])
        return {"answer": answer, "score": str(_score(found) if answer else 0)}


def _stripped(text: str) -> str:
    return _ANSWER_LABEL.sub("", text.strip()).rstrip("*#（( \n").lstrip("*)） \n")


def _score(found: re.Match[str]) -> int:
    written = found["score"]
    value = Decimal(written if written[0].isdecimal() else whole_number(written))
    return round(min(Decimal(100), value * 100 / Decimal(found["most"] or 100)))
