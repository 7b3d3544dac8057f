"""What every section of the configuration is made of."""

import re
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

OWN = "config."
_KEY = re.compile("[!-~]*")
Positive = Annotated[int, Field(gt=0)]


def refusal(sentence: str, **values: object) -> PydanticCustomError:
    """To be raised where values do not go together: the name of the sentence that says so, and what fills it.

    A value `path` names the key where the validator's own place does not.
    """
    kind = f"{OWN}{sentence}"
    return PydanticCustomError(kind, kind, values)


def checked_address(address: str) -> str:
    """An address as it is, or nothing. Raises what is told of any other."""
    try:
        url = urlsplit(address)
        is_one = url.scheme in {"http", "https"} and bool(url.hostname) and url.port != 0
    except ValueError as error:
        raise refusal("address") from error
    if address and not is_one:
        raise refusal("address")
    return address


def _is_key(key: str) -> str:
    key = key.strip()
    if not _KEY.fullmatch(key):
        raise refusal("key")
    return key


# A service's address, or nothing.
Address = Annotated[str, AfterValidator(checked_address)]
# A service's key, or nothing. No header can hold another; a line's end comes with what is read from a file.
ServiceKey = Annotated[str, AfterValidator(_is_key), Field(repr=False)]


class Section(BaseModel):
    """A part of the configuration: unknown keys are refused, values do not change after reading."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


def needs(section: Section, choice: str, *keys: str) -> None:
    """Raises what is told of a section whose choice needs keys that are empty."""
    if missing := [key for key in keys if not getattr(section, key)]:
        raise refusal("needs", choice=f"{choice}: {getattr(section, choice)}", keys="、".join(missing))
