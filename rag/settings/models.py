"""The model files that can be fetched."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, model_validator

from rag.settings.base import Positive, Section, refusal


class HubSource(Section):
    kind: Literal["huggingface", "modelscope"]
    repository: str


class PackageSource(Section):
    """A file carried in parts by Python packages `<package>1` … `<package>N`, each holding `data/partNN.bin`."""

    kind: Literal["packages"]
    package: str
    version: str
    parts: Positive


class ModelFile(Section):
    name: str
    file: Annotated[str, Field(pattern=r"^[\w.-]+\.gguf$")]
    size: Positive
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    licence: str
    sources: tuple[Annotated[HubSource | PackageSource, Field(discriminator="kind")], ...]


class ModelSettings(Section):
    folder: Path = Path("~/.cache/wenqu/models")
    offline: bool = False
    source_timeout_seconds: Annotated[float, Field(gt=0)] = 5
    default: tuple[str, ...]
    catalogue: tuple[ModelFile, ...]

    @model_validator(mode="after")
    def _known(self) -> "ModelSettings":
        names = {model.name for model in self.catalogue}
        if unknown := [name for name in self.default if name not in names]:
            known = "、".join(model.name for model in self.catalogue)
            raise refusal("no_such_model", path="models.default", names="、".join(unknown), known=known)
        return self
