"""Who answers programs, how it is told to, and where its thoughts go."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from openai import OpenAI

from tests.http_rig import services_in, serving, settings_with
from tests.scripted import ScriptedChatModel
from tests.web.programs import PATH, QUESTION, ask, prefixes, said


def test_thoughts_that_the_prompt_began_go_out_as_thoughts_once_the_model_is_known_for_it(tmp_path: Path) -> None:
    thinking = ("先看", "第一章。\n</thi", "nk>\n十天 [1]。")
    with services_in(tmp_path, thinking, thinking) as services, serving(services, settings_with()) as url:
        client = httpx.Client(base_url=url)
        session_id = said(ask(client, "年假有几天？"), "SESSION:")
        events = ask(client, "病假有几天？", session_id=session_id)
    assert (said(events, "THINK:"), said(events, "CONTENT:")) == ("先看第一章。\n", "十天 [1]。")


def test_thoughts_that_the_prompt_began_are_no_content(tmp_path: Path) -> None:
    thinking = ("先看第一章 [1]。\n</think>", "十天 [1]。")
    with services_in(tmp_path, *[thinking] * 3) as services, serving(services, settings_with()) as url:
        client = OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0)
        first = list(client.chat.completions.create(model="wenqu", messages=QUESTION, stream=True))
        whole = client.chat.completions.create(model="wenqu", messages=QUESTION).choices[0].message
        streamed = list(client.chat.completions.create(model="wenqu", messages=QUESTION, stream=True))
    assert whole.content == "十天 [1]。" and whole.to_dict()["reasoning_content"] == "先看第一章 [1]。"
    assert "".join(chunk.choices[0].delta.content or "" for chunk in streamed) == "十天 [1]。"
    content = "".join(chunk.choices[0].delta.content or "" for chunk in first)
    last: Any = first[-1].choices[0].delta.to_dict()
    [cited] = last["annotations"]
    assert cited["url_citation"]["start_index"] == content.rindex("[1]")


def wanted(model: ScriptedChatModel) -> list[dict[str, object]]:
    """What a request can want of each call."""
    names = ("temperature", "max_tokens")
    return [{name: call[name] for name in names if name in call} for call in model.arguments]


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ({"temperature": 1.5, "max_tokens": 5}, {"temperature": 1.5, "max_tokens": 5}),
        ({"temperature": 0, "max_completion_tokens": 6, "max_tokens": 5}, {"temperature": 0, "max_tokens": 6}),
        ({"max_tokens": 10**9}, {"max_tokens": 512}),
        ({"max_tokens": -1}, {}),
    ],
)
def test_temperature_and_a_smaller_limit_hold_for_the_call_for_the_answer(
    tmp_path: Path, asked: dict[str, float], given: dict[str, float]
) -> None:
    with services_in(tmp_path) as services, serving(services, settings_with()) as url:
        client = OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0)
        client.chat.completions.create(model="wenqu", messages=QUESTION, **asked)  # type: ignore[call-overload]
        assert wanted(services.model) == [given]


def test_a_model_that_can_answer_does_where_a_request_names_it(tmp_path: Path) -> None:
    other = ScriptedChatModel(scripts=[["别的模型说十天 [1]。"]])
    with services_in(tmp_path, others={"qwen3:8b": other}) as services, serving(services, settings_with()) as url:
        client = httpx.Client(base_url=url)
        assert said(ask(client, "年假有几天？", model_id="qwen3:8b"), "CONTENT:") == "别的模型说十天 [1]。"
        for own in ("scripted", "default", ""):
            assert prefixes(ask(client, "年假有几天？", model_id=own))[-1] == "DONE"
        assert len(services.model.calls) == 3
        for field in ("model_id", "insert_block_llm_id"):
            refused = client.post(PATH, json={"question": "问", field: "gpt-9"})
            assert refused.status_code == 404 and "default, scripted, qwen3:8b" in refused.json()["error"]["message"]


def test_passages_are_judged_by_the_model_that_a_request_names_for_it(tmp_path: Path) -> None:
    kept = {"usable": [{"number": 1, "key_passage": "年假为十天", "reason": "直接回答"}]}
    judge = ScriptedChatModel(scripts=[[json.dumps(kept)]])
    with services_in(tmp_path, others={"judge": judge}) as services, serving(services, settings_with()) as url:
        client = httpx.Client(base_url=url)
        events = ask(client, "年假有几天？", use_insert_block=True, insert_block_llm_id="judge")
        assert prefixes(events)[-1] == "DONE"
        assert (len(judge.calls), len(services.model.calls)) == (1, 1)


def test_where_the_operator_keeps_the_model_no_request_has_another(tmp_path: Path) -> None:
    with services_in(tmp_path, others={"qwen3:8b": ScriptedChatModel(scripts=[])}) as services:
        for lock in ("llm", "llm.model"):
            with serving(services, settings_with(locked=(lock,))) as url:
                refused = httpx.post(f"{url}{PATH}", json={"question": "问", "model_id": "qwen3:8b"})
                assert refused.status_code == 404


def test_where_the_operator_keeps_the_temperature_it_holds(tmp_path: Path) -> None:
    with services_in(tmp_path) as services, serving(services, settings_with(locked=("llm.temperature",))) as url:
        client = OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0)
        client.chat.completions.create(model="wenqu", messages=QUESTION, temperature=1.5, max_tokens=5)
        assert wanted(services.model) == [{"max_tokens": 5}]


def test_a_request_for_a_model_that_is_not_there_prepares_none_of_those_that_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with services_in(tmp_path, others={"qwen3:8b": ScriptedChatModel(scripts=[])}) as services:
        asked: list[str] = []
        monkeypatch.setattr(services.pool, "named", asked.append)
        with serving(services, settings_with()) as url:
            assert httpx.post(f"{url}{PATH}", json={"question": "问", "model_id": "gpt-9"}).status_code == 404
        assert "qwen3:8b" not in asked
