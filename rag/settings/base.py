"""What every section of the configuration is made of."""

from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

OWN = "config."
Positive = Annotated[int, Field(gt=0)]


def refusal(sentence: str, **values: object) -> PydanticCustomError:
    """To be raised where values do not go together: the name of the sentence that says so, and what fills it.

    A value `path` names the key where the validator's own place does not.
    """
    kind = f"{OWN}{sentence}"
    return PydanticCustomError(kind, kind, values)


def _is_address(address: str) -> str:
    try:
        url = urlsplit(address)
        is_one = url.scheme in {"http", "https"} and bool(url.hostname) and url.port != 0
    except ValueError as error:
        raise refusal("address") from error
    if address and not is_one:
        raise refusal("address")
    return address


# A service's address, or nothing.
Address = Annotated[str, AfterValidator(_is_address)]


class Section(BaseModel):
    """A part of the configuration: unknown keys are refused, values do not change after reading."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def needs(section: Section, choice: str, *keys: str) -> None:
    """Raises what is told of a section whose choice needs keys that are empty."""
    if missing := [key for key in keys if not getattr(section, key)]:
        raise refusal("needs", choice=f"{choice}: {getattr(section, choice)}", keys="、".join(missing))
