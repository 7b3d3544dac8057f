"""What programs are told of requests that cannot be served: whole sentences, in the server's language."""

import json
import re
from functools import cache
from typing import Any

import pytest
from fastapi.testclient import TestClient

from rag.i18n import Language
from rag.web.http.routes import http_app
from tests.fakes_web import FakeServices
from tests.http_rig import settings_with

TALK, CHAT = "/knowledge_chat_conversation", "/v1/chat/completions"
JSON = "application/json"
ASKED = {"model": "wenqu", "messages": [{"role": "user", "content": "年假？"}]}


@cache
def client(language: Language) -> TestClient:
    settings = settings_with(language=language)
    return TestClient(http_app(FakeServices(settings)), base_url="http://127.0.0.1")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("path", "body", "zh", "en"),
    [
        (TALK, {}, "question 不合要求：缺少这个键", "question in the request is not valid: this key is missing"),
        (TALK, [], "body 不合要求：应为 JSON 对象（{…}）", "has to be a JSON object ({…})"),
        (TALK, {"question": 1}, "question 不合要求：应为文字", "has to be text"),
        (
            TALK,
            {"question": "?", "model_id": "m" * 201},
            "model_id 不合要求：最多 200 个字符",
            "at most 200 characters",
        ),
        (TALK, {"question": "?", "rerank_top_n": 0}, "rerank_top_n 不合要求：应不小于 1", "has to be at least 1"),
        (TALK, {"question": "?", "rerank_top_n": 99}, "应不大于 50", "has to be at most 50"),
        (TALK, {"question": "?", "rerank_top_n": 1.5}, "应为整数", "has to be a whole number"),
        (TALK, {"question": "?", "thinking": "?"}, "应为 true 或 false", "has to be true or false"),
        (TALK, {"question": "?", "documents": []}, "至少要有 1 项", "has to have at least 1 item"),
        (TALK, {"question": "?", "documents": "x"}, "应为列表", "has to be a list"),
        (CHAT, {**ASKED, "messages": ASKED["messages"] * 10_001}, "最多 10000 项", "has to have at most 10000 items"),  # type: ignore[operator]
        (CHAT, {**ASKED, "messages": ["x"]}, "messages.0 不合要求：应为 JSON 对象", "has to be a JSON object"),
        (CHAT, {**ASKED, "messages": [{"role": "me"}]}, "只能是 system、developer", "one of system, developer"),
        (CHAT, {**ASKED, "stop": ["。"] * 5}, "stop 不合要求：最多 4 项", "has to have at most 4 items"),
        (CHAT, {**ASKED, "temperature": "x"}, "应为数字", "has to be a number"),
    ],
)
def test_what_is_wrong_with_a_field_is_told_in_the_servers_language(path: str, body: object, zh: str, en: str) -> None:
    replies = {language: client(language).post(path, json=body) for language in Language}
    assert {reply.status_code for reply in replies.values()} == {400}
    told = {language: reply.json()["error"]["message"] for language, reply in replies.items()}
    assert zh in told[Language.ZH] and not re.search("[a-z]{2,} [a-z]{2,}", told[Language.ZH])
    assert en in told[Language.EN]


def test_a_body_that_is_not_sent_as_json_is_told_what_it_lacks() -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded"}  # curl's, where none is named
    reply = client(Language.EN).post(CHAT, content=json.dumps(ASKED), headers=headers)
    assert (reply.status_code, "Content-Type" in reply.json()["error"]["message"]) == (400, True)


@pytest.mark.parametrize(
    ("path", "sent", "zh", "en"),
    [
        (
            CHAT,
            {"content": json.dumps(ASKED, ensure_ascii=False).encode("gbk"), "headers": {"content-type": JSON}},
            "body 不合要求：应为 UTF-8 编码",
            "body in the request is not valid: it has to be encoded in UTF-8",
        ),
        ("/v1/files", {"data": {"file": "a.pdf"}}, "要在文件名前写 @", "an @ stands before its name"),
    ],
)
def test_what_curl_is_often_made_to_send_is_told_in_the_servers_language(
    path: str, sent: dict[str, Any], zh: str, en: str
) -> None:
    for language, words in ((Language.ZH, zh), (Language.EN, en)):
        reply = client(language).post(path, **sent)
        assert reply.status_code == 400 and words in reply.json()["error"]["message"]


@pytest.mark.parametrize(
    ("method", "path", "status", "zh", "en"),
    [
        ("GET", "/v1/nothing", 404, "没有这个地址", "There is nothing at this address"),
        ("GET", CHAT, 405, "不接受 GET 请求", "does not take GET requests"),
        ("POST", "/healthz", 405, "不接受 POST 请求", "does not take POST requests"),
    ],
)
def test_an_address_or_a_method_that_there_is_not_is_told_in_the_servers_language(
    method: str, path: str, status: int, zh: str, en: str
) -> None:
    for language, words in ((Language.ZH, zh), (Language.EN, en)):
        reply = client(language).request(method, path)
        assert reply.status_code == status and words in reply.json()["error"]["message"]


def test_what_is_seldom_wrong_is_told_with_the_frameworks_words() -> None:
    reply = client(Language.ZH).post("/v1/files", content=b"x", headers={"content-type": "multipart/form-data"})
    assert reply.status_code == 400 and "无法处理这样的内容（" in reply.json()["error"]["message"]
