"""Who answers, and how conversations are held and kept."""

import re
from typing import Annotated, Literal
from urllib.parse import urlsplit, urlunsplit

from pydantic import Field, field_validator, model_validator

from rag.settings.base import Address, Positive, Section, ServiceKey, checked_address, needs, refusal

# A date so long ago must still be one that every database and system knows.
_MOST_DAYS = 10_000
# Tokens that are kept for evidence, as much as one passage cut, before turns leave the prompt.
LEAST_EVIDENCE = 100
_NUMBER = re.compile(r"-?\d+")
_DURATION = r"^-?(\d+(\.\d+)?(h|m|s|ms))+$"
_DATABASE_URL = r"^$|^sqlite:///.+$|^postgresql\+psycopg://(.+@)?(\[.+\]|[^/:@]*)(:\d+)?/[^/?]+(\?.*)?$"


class LLMSettings(Section):
    provider: Literal["auto", "ollama", "openai", "embedded", "extractive"] = "auto"
    model: str = ""
    base_url: Address = ""
    ollama_host: str = "http://127.0.0.1:11434"
    api_key: ServiceKey = ""
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.1
    max_tokens: Positive = 512
    num_ctx: Annotated[int, Field(ge=512)] = 8192
    keep_alive: Annotated[str, Field(pattern=_DURATION)] = "30m"
    reasoning: bool = False
    threads: Annotated[int, Field(ge=0)] = 0
    cache_ram_mib: Annotated[int, Field(ge=0)] = 384
    concurrency: Positive = 1

    @field_validator("ollama_host")
    @classmethod
    def _with_scheme(cls, host: str) -> str:
        # In OLLAMA_HOST, Ollama accepts "host", ":port", a bare IPv6 address and the listening address 0.0.0.0 too. Its
        # own port is meant only where no scheme is given.
        has_scheme = "://" in host
        if not has_scheme:
            is_bare_ipv6 = host.count(":") > 1 and not host.startswith("[")
            host = f"http://[{host}]" if is_bare_ipv6 else f"http://{host}"
        try:
            url = urlsplit(host)
            has_port = url.port is not None
        except ValueError as error:
            raise refusal("address") from error
        address = re.sub(r"^(0\.0\.0\.0)?(?=:|$)", "127.0.0.1", url.netloc)
        port = "" if has_scheme or has_port else ":11434"
        return checked_address(urlunsplit(url._replace(netloc=address + port)))

    @field_validator("keep_alive", mode="before")
    @classmethod
    def _with_unit(cls, duration: object) -> object:
        # Ollama takes a number for seconds, but a text only with its unit: it would refuse each question.
        return f"{duration}s" if _NUMBER.fullmatch(str(duration)) else duration

    @model_validator(mode="after")
    def _addressed(self) -> "LLMSettings":
        if self.provider == "openai":
            needs(self, "provider", "base_url", "model")
        return self


class ConversationSettings(Section):
    url: Annotated[str, Field(pattern=_DATABASE_URL)] = Field(default="", repr=False)
    expire_days: Annotated[int, Field(ge=0, le=_MOST_DAYS)] = 30
    qa_log: bool = False


class DialogueSettings(Section):
    estimate_token_fun: str = "avg"
    llm_max_token: Annotated[int, Field(ge=512)] = 8192
    cut_dialogue_scale: Annotated[int, Field(ge=2)] = 2
    max_token_threshold: Annotated[float, Field(gt=0, le=2)] = 0.9
    max_recent_turns: Annotated[int, Field(ge=2)] = 20
    max_relevant_turns: Annotated[int, Field(ge=0)] = 2
    evidence_tokens: Positive = 360
    evidence_enough: Annotated[float, Field(gt=0, le=1)] = 0.95
    evidence_tokens_served: Positive = 1500
    limit_served: Positive = 10
    decide_by: Literal["auto", "rules", "llm"] = "auto"
    max_question_length: Positive = 2000
    console_debug: bool = False
    thinking_in_context: bool = False
    suggest_questions: bool = False
