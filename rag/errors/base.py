"""The root of the errors, and those that belong to no branch."""

import re
from typing import ClassVar

from rag import i18n
from rag.types import Message


class WenquError(Exception):
    """The root. `values` fill the sentence that the locale files hold under `error.<key>`."""

    key: ClassVar[str]

    def __init_subclass__(cls) -> None:
        """What names no key of its own has its class's name for one."""
        if "key" not in vars(cls):
            cls.key = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()

    def __init__(self, **values: object) -> None:
        super().__init__(values)
        self.values = values

    @property
    def message(self) -> Message:
        """The error as a sentence for the reader, in whatever language they read."""
        return Message(f"error.{self.key}", self.values)

    def __str__(self) -> str:
        return i18n.sentence(i18n.Language.ZH, self.message)


class ConfigError(WenquError):
    """config.yaml cannot be used. Values: file, problems."""

    key = "config"


class UnfitPrompt(WenquError):
    """A developer's prompt cannot stand in a shipped one's place. Values: name, problem."""


class CannotListen(WenquError):
    """The server's address cannot be had: another program listens there, or it is not this machine's.

    Values: host, port, reason.
    """


class UnfitProxy(WenquError):
    """No proxy can be reached as the system has it set. Values: names."""


class InternalError(WenquError):
    """What nobody foresaw has ended a turn; the log holds what it was. No values."""

    key = "internal"
