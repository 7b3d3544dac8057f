"""Fields, routes and their fusion."""

from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from rag.settings.base import Address, Positive, Section, ServiceKey, needs, refusal


class MilvusSettings(Section):
    uri: Annotated[str, Field(pattern=r"^$|^https?://\S+$|^([A-Za-z]:)?[^:]+\.db$")] = ""
    token: str = Field(default="", repr=False)
    collection_name: Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,99}$")] = "wenqu"
    timeout: Annotated[float, Field(gt=0)] = 3

    @property
    def is_lite(self) -> bool:
        """Whether the address is a file that Milvus Lite opens in this process."""
        return self.uri.endswith(".db") and "://" not in self.uri


class DenseFieldSettings(Section):
    provider: Literal["auto", "embedded", "ollama", "openai"] = "auto"
    model: str = ""
    base_url: Address = ""
    dimension: Annotated[int, Field(ge=0)] = 0
    api_key: ServiceKey = ""

    @model_validator(mode="after")
    def _named(self) -> "DenseFieldSettings":
        if self.provider in ("auto", "embedded") and (self.model or self.base_url):
            raise refusal("served_only", provider=self.provider)
        if self.provider == "ollama":
            needs(self, "provider", "model")
        if self.provider == "openai":
            needs(self, "provider", "base_url", "model")
        return self


class SparseFieldSettings(Section):
    provider: Literal["self"] = "self"
    algorithm: Literal["BM25"] = "BM25"
    k1: Annotated[float, Field(ge=0)] = 1.5
    b: Annotated[float, Field(ge=0, le=1)] = 0.75


class DenseFields(Section):
    chunk: DenseFieldSettings = DenseFieldSettings()
    parent_chunk: DenseFieldSettings | None = None
    questions: DenseFieldSettings | None = None


class SparseFields(Section):
    chunk: SparseFieldSettings = SparseFieldSettings()


class RouteSettings(Section):
    anns_field: Literal["chunk_dense", "parent_chunk_dense", "questions_dense", "chunk_sparse"]
    limit: Positive = 50


class FuseSettings(Section):
    method: Literal["weighted", "rrf"] = "weighted"
    weights: Annotated[tuple[Annotated[float, Field(ge=0)], ...], Field(min_length=1)] = (0.7, 0.3)
    k: Positive = 60

    @field_validator("weights")
    @classmethod
    def _some_weight(cls, weights: tuple[float, ...]) -> tuple[float, ...]:
        if sum(weights) <= 0:
            raise refusal("no_weight")
        return weights


class RerankSettings(Section):
    kind: Literal["none", "features", "http", "llm"] = "features"
    input_top_n: Positive = 50
    score_threshold: Annotated[float, Field(ge=0, le=1)] = 0.15
    base_url: Address = ""
    model: str = ""
    api_key: ServiceKey = ""
    timeout: Annotated[float, Field(gt=0)] = 10
    insert_block: bool = False

    @model_validator(mode="after")
    def _addressed(self) -> "RerankSettings":
        if self.kind == "http":
            needs(self, "kind", "base_url")
        return self
