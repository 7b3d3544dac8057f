"""What a visitor may set: everything that is not listed here belongs to the operator alone."""

from dataclasses import dataclass
from enum import StrEnum

from rag.knowledge.request import configured_fields, from_settings
from rag.prompts import Prompts
from rag.settings import Settings

Value = bool | int | float | str | dict[str, float]

# The routes of a search and their weights are one field: a weight without its route means nothing.
ROUTES = "requests"
# Those of its routes that have one; in config.yaml each stands with its route.
LIMITS = "request_limits"
PROVIDER, MODEL, ADDRESS, KEY = "llm.provider", "llm.model", "llm.base_url", "llm.api_key"
OPENAI = "openai"
EMBEDDING = "dense_fields.chunk.model"
# What a form sends in a key's place to have it removed; no key is so short.
FORGET_KEY = "-"
RERANK, BY_GRADES = "rerank.kind", "llm"
PROMPTS = "prompts"
# What has a number of its own for when a server answers; a session's number holds for both.
SERVED = {
    "limit": "multi_dialogue_rag.limit_served",
    "multi_dialogue_rag.evidence_tokens": "multi_dialogue_rag.evidence_tokens_served",
}
# The form's own value for "whatever the server uses".
SERVER_MODEL = ""
PROMPT_NAMES = (
    "answer",
    "question",
    "read",
    "follow_up",
    "no_evidence",
    "refusal",
    "condense",
    "decide",
    "summarise",
    "suggest",
)


class Group(StrEnum):
    """The parts of the form, in order."""

    MODEL = "model"
    RETRIEVAL = "retrieval"
    DECISION = "decision"
    MEMORY = "memory"
    PROMPTS = "prompts"


class Kind(StrEnum):
    """What the value of a field is."""

    MODEL = "model"
    ADDRESS = "address"
    SECRET = "secret"
    ROUTES = "routes"
    LIMITS = "limits"
    WHOLE = "whole"
    NUMBER = "number"
    SWITCH = "switch"
    CHOICE = "choice"
    PROMPT = "prompt"


@dataclass(frozen=True, slots=True)
class Field:
    """One setting, named as in config.yaml, and the bounds that keep one visitor from using up the server."""

    path: str
    group: Group
    kind: Kind
    least: float = 0
    most: float = 0
    choices: tuple[str, ...] = ()

    @property
    def covers(self) -> tuple[str, ...]:
        """The keys of config.yaml that it stands for: a lock on one of them locks it."""
        together = {
            MODEL: (PROVIDER, MODEL),
            # Who may not choose who answers may not have a server load another model for this either.
            EMBEDDING: ("dense_fields.chunk.provider", EMBEDDING, PROVIDER, MODEL),
            ROUTES: (ROUTES, "fuse.weights"),
            LIMITS: (ROUTES,),
        }
        return together.get(self.path, (self.path,))


_EMBEDDING_FIELD = Field(EMBEDDING, Group.RETRIEVAL, Kind.MODEL)


def may_choose_model(settings: Settings) -> bool:
    """Whether a session may choose who answers it, or have another model brought."""
    return not any(is_path_locked(path, settings) for path in (PROVIDER, MODEL))


def may_have_service(settings: Settings) -> bool:
    """Whether a session may name an address that is asked for answers.

    Only who sits at this machine: elsewhere it would let strangers have the server call what only the server reaches.
    """
    kept = any(is_path_locked(path, settings) for path in (ADDRESS, KEY))
    return may_choose_model(settings) and not settings.server.public and not kept


def fields_of(settings: Settings) -> tuple[Field, ...]:
    """The fields that these settings have, in the order of the form."""
    dialogue = "multi_dialogue_rag"
    rerank = ("none", "features", BY_GRADES, *(("http",) if settings.rerank.base_url else ()))
    memory, retrieval = Group.MEMORY, Group.RETRIEVAL
    most = max(settings.llm.num_ctx, settings.multi_dialogue_rag.llm_max_token)
    whole, number, switch, choice = Kind.WHOLE, Kind.NUMBER, Kind.SWITCH, Kind.CHOICE
    service = (Field(ADDRESS, Group.MODEL, Kind.ADDRESS), Field(KEY, Group.MODEL, Kind.SECRET))
    return (
        Field(MODEL, Group.MODEL, Kind.MODEL),
        *(service if may_have_service(settings) else ()),
        Field("llm.temperature", Group.MODEL, number, 0, 2),
        Field("llm.reasoning", Group.MODEL, switch),
        _EMBEDDING_FIELD,
        Field(ROUTES, retrieval, Kind.ROUTES, 0, 10, configured_fields(settings)),
        Field("fuse.method", retrieval, choice, choices=("weighted", "rrf")),
        Field("fuse.k", retrieval, whole, 1, 1000),
        Field("top_k", retrieval, whole, 1, 200),
        Field(LIMITS, retrieval, Kind.LIMITS, 1, 200, configured_fields(settings)),
        Field("limit", retrieval, whole, 1, 20),
        Field(RERANK, retrieval, choice, choices=rerank),
        Field("rerank.input_top_n", retrieval, whole, 1, max(200, settings.rerank.input_top_n)),
        Field("rerank.score_threshold", retrieval, number, 0, 1),
        Field("rerank.insert_block", retrieval, switch),
        Field(f"{dialogue}.decide_by", Group.DECISION, choice, choices=("auto", "rules", "llm")),
        Field(f"{dialogue}.suggest_questions", Group.DECISION, switch),
        Field(f"{dialogue}.llm_max_token", memory, whole, 1024, most),
        Field(f"{dialogue}.max_token_threshold", memory, number, 0.3, 1),
        Field(f"{dialogue}.max_recent_turns", memory, whole, 2, 100),
        Field(f"{dialogue}.max_relevant_turns", memory, whole, 0, 10),
        Field(f"{dialogue}.evidence_tokens", memory, whole, 50, 4000),
        Field(f"{dialogue}.thinking_in_context", memory, switch),
        *(Field(f"{PROMPTS}.{name}", Group.PROMPTS, Kind.PROMPT) for name in PROMPT_NAMES),
    )


def is_locked(field: Field, settings: Settings) -> bool:
    """Whether the operator keeps a field, by its own key or by that of a section that it is in.

    With Milvus everybody shares one embedding model.
    """
    is_single = field.path == EMBEDDING and bool(settings.milvus.uri)
    return is_single or any(is_path_locked(path, settings) for path in field.covers)


def may_choose_embedding(settings: Settings) -> bool:
    """Whether a session may have its vectors made by another model than the server's own."""
    return not is_locked(_EMBEDDING_FIELD, settings)


def is_path_locked(path: str, settings: Settings) -> bool:
    """Whether the operator keeps a key of config.yaml, or a section that it is in."""
    return any(path == lock or path.startswith(f"{lock}.") for lock in settings.server.locked)


def server_value(settings: Settings, field: Field, served: bool = False) -> Value:
    """What holds where a session has nothing of its own; `served` tells that a server answers, which reads faster."""
    if field.kind is Kind.PROMPT:
        return Prompts(settings.server.language).fill(field.path.removeprefix(f"{PROMPTS}."))
    if field.kind is Kind.MODEL:
        return SERVER_MODEL
    if field.kind in (Kind.ADDRESS, Kind.SECRET):
        return ""  # the operator's are not the visitors' to see
    if field.kind is Kind.ROUTES:
        return weights_of(settings)
    if field.kind is Kind.LIMITS:
        return limits_of(settings)
    value: object = settings
    path = SERVED.get(field.path, field.path) if served else field.path
    for name in path.split("."):
        value = getattr(value, name)
    assert isinstance(value, bool | int | float | str), field.path
    return value


def weights_of(settings: Settings) -> dict[str, float]:
    """The routes that are searched with these settings, with their weights."""
    request = from_settings(settings)
    weights = (*request.fuse.weights, *[1.0] * len(request.requests))
    return {route.anns_field: weight for route, weight in zip(request.requests, weights, strict=False)}


def limits_of(settings: Settings) -> dict[str, float]:
    """The routes that have a limit of their own, with it."""
    return {route.anns_field: route.limit for route in settings.requests}
