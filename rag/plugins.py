"""Developers' own modules, which register prompts and token estimators."""

from collections.abc import Sequence
from importlib import import_module

from rag.errors import ConfigError


def load_plugins(modules: Sequence[str]) -> None:
    """Import the modules, in their order. Raises ConfigError naming the one that cannot be imported."""
    for module in modules:
        try:
            import_module(module)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            raise ConfigError(file="config.yaml", problems=f"plugins: {module} ({reason})") from error
