"""What is said of a session's own model that does not answer."""

import pytest

from rag.errors import ModelUnreachable
from rag.llm.pool import ModelPool
from rag.model_store import ModelStore
from rag.types import Message, ModelState, ModelStatus, Provider
from tests.model_server import Reply, serving, tags
from tests.preferring import NOWHERE, FixedManager, chosen_of, pool_of, settings_with
from tests.waiting import wait_for


class Missing(ModelStore):
    """Models whose files are gone."""

    def is_there(self, name: str) -> bool:
        return False


def test_a_chosen_model_whose_file_is_gone_is_not_said_to_be_displaced() -> None:
    settings = settings_with(llm={"ollama_host": NOWHERE})
    pool = ModelPool(settings, Missing(settings.models), FixedManager())  # type: ignore[arg-type]
    chosen = chosen_of(settings, 0)
    assert pool.status(chosen).reason == Message("model.own_gone", {"model": chosen.model})


def test_a_chosen_model_that_is_gone_is_said_to_be_gone_also_where_the_server_has_none() -> None:
    settings = settings_with(llm={"ollama_host": NOWHERE})
    manager = FixedManager(Provider.EXTRACTIVE, "extractive")
    pool = ModelPool(settings, Missing(settings.models), manager)  # type: ignore[arg-type]
    chosen = chosen_of(settings, 0)
    status = pool.status(chosen)
    assert (status.reason, status.failed) == (Message("model.own_gone", {"model": chosen.model}), True)


def test_a_model_that_came_after_all_is_not_said_to_have_failed() -> None:
    refused = Reply(('{"error": "no space left"}',), status=500)
    replies = {"/api/tags": tags("qwen3:8b"), "/api/pull": refused}
    with serving(replies) as server:
        settings = settings_with(llm={"ollama_host": server.url})
        pool = pool_of(settings)
        chosen = settings.llm.model_copy(update={"provider": "ollama", "model": "large:70b"})
        pool.pull("mine", chosen.model)
        assert wait_for(lambda: bool(pool.failures("mine")))
        assert pool.status(chosen).reason.key == "model.own_failed"
        replies["/api/tags"] = tags("large:70b")
        pool.pull("mine", "another")  # after which Ollama is asked again what it has
        assert wait_for(lambda: not pool.pulling("mine"))
        assert pool.status(chosen).reason == Message("model.own", {"model": chosen.model})
        pool.close()


def test_an_ollama_that_answers_for_the_server_and_is_gone_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rag.llm.served._LIST_SECONDS", 0.0)
    with serving({"/api/tags": tags("qwen3:8b")}) as server:
        settings = settings_with(llm={"ollama_host": server.url})
        manager = FixedManager(Provider.OLLAMA, "qwen3:8b")
        pool = ModelPool(settings, Missing(settings.models), manager)  # type: ignore[arg-type]
        assert pool.trouble() is None
    assert pool.trouble() == ModelUnreachable(base_url=server.url).message


@pytest.mark.parametrize("failed", [False, True])
def test_why_quotations_answer_for_the_server_is_told_where_a_model_was_to(failed: bool) -> None:
    settings = settings_with(llm={"ollama_host": NOWHERE})
    why = Message("model.extractive_chosen")
    status = ModelStatus(Provider.EXTRACTIVE, "extractive", ModelState.READY, why, failed=failed)
    manager = FixedManager(Provider.EXTRACTIVE, "extractive", told=lambda: status)
    pool = ModelPool(settings, Missing(settings.models), manager)  # type: ignore[arg-type]
    assert pool.trouble() == (why if failed else None)
