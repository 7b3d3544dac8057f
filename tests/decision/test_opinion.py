"""What a model says of a turn, in every form that it may take."""

import pytest

from rag.decision.opinion import Opinion, constraint, read_opinion
from rag.llm.constraint import by_markers
from rag.types import Decision, Provider


@pytest.mark.parametrize(
    ("reply", "opinion"),
    [
        ("[REUSE]", Opinion(Decision.REUSE, "")),
        (" [NO_RETRIEVE]\n谢谢", Opinion(Decision.NO_RETRIEVE, "")),
        ("[RETRIEVE] 病假有几天？\n解释", Opinion(Decision.RETRIEVE, "病假有几天？")),
        ("[RETRIEVE]：病假有几天？ ", Opinion(Decision.RETRIEVE, "病假有几天？")),
        ("[RETRIEVE]", Opinion(Decision.RETRIEVE, "")),
        ('{"decision": "RETRIEVE", "question": "病假有几天？"}', Opinion(Decision.RETRIEVE, "病假有几天？")),
        ('{"decision": "REUSE"}', Opinion(Decision.REUSE, "")),
        (r'{"decision": "RETRIEVE", "question": "\ud83d 病假？"}', Opinion(Decision.RETRIEVE, "? 病假？")),
    ],
)
def test_an_opinion_is_read_as_label_or_json(reply: str, opinion: Opinion) -> None:
    assert read_opinion(reply) == opinion


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "应该检索",
        "[SEARCH] 病假",
        "[]",
        "17",
        '{"decision": "MAYBE"}',
        '{"question": "q"}',
        "RETRIEVE is not needed",
        "RETRIEVE：病假有几天？",
        "REUSEABLE",
        "[REUSE",
        "[REUSE]ABLE",
        "[REUSE] 或 [RETRIEVE]",
        "[REUSE] 上面已给出的资料足够回答它。",
        "[REUSE]\n[NO_RETRIEVE]",
        "[RETRIEVE] 或 [REUSE]",
        "[NO_RETRIEVE] 谢谢",
        "1" * 5000,
        "[" * 100_000,
    ],
    ids=lambda reply: reply[:20],
)
def test_a_reply_of_another_form_is_none(reply: str) -> None:
    assert read_opinion(reply) is None


def test_every_provider_that_can_be_held_to_a_form_is() -> None:
    assert "[NO_RETRIEVE]" in constraint(Provider.EMBEDDED)["grammar"]
    assert constraint(Provider.OLLAMA)["format"]["required"] == ["decision"]
    assert constraint(Provider.OPENAI)["response_format"]["type"] == "json_schema"
    assert constraint(Provider.EXTRACTIVE) == {}


def test_only_a_model_with_grammars_is_held_to_the_markers_there_are() -> None:
    assert 'number ::= "2" | "11"' in by_markers(Provider.EMBEDDED, {11, 2})["grammar"]
    assert by_markers(Provider.EMBEDDED, ()) == by_markers(Provider.OLLAMA, {1}) == {}
