"""The endpoints for programs, through the real client."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gradio as gr
import httpx
import pytest
from gradio.utils import get_upload_folder
from gradio_client import Client, handle_file
from gradio_client.exceptions import AppError

from rag.i18n import Language
from rag.types import TurnStatus
from rag.web.api import Api
from rag.web.readers import Readers
from rag.web.view import TurnView
from tests.fakes_web import FakeServices
from tests.samples_web import evidence, turn
from tests.web.conftest import Served


@pytest.fixture
def client(served: Served) -> Client:
    return Client(served.url, verbose=False)


def test_only_the_two_stable_endpoints_are_offered(client: Client) -> None:
    offered = client.view_api(return_format="dict", print_info=False)
    assert set(offered["named_endpoints"]) == {"/upload", "/chat"}
    assert offered["unnamed_endpoints"] == {}


def test_upload_tells_of_each_file_once_it_can_be_searched_or_has_failed(client: Client, tmp_path: Path) -> None:
    for name in ("手册 一.pdf", "照片.png", "加密.pdf"):
        (tmp_path / name).write_bytes(b"content")
    files = [handle_file(str(tmp_path / name)) for name in ("手册 一.pdf", "照片.png", "加密.pdf", "手册 一.pdf")]
    reports = client.predict(files, api_name="/upload")
    assert reports[0] == {"file": "手册 一.pdf", "status": "ready", "pages": 12, "chunks": 48, "message": ""}
    assert reports[1]["status"] == "failed" and "不是支持的类型" in reports[1]["message"]
    assert reports[2]["status"] == "failed" and "有密码保护" in reports[2]["message"]
    assert reports[3] == reports[0]


def test_a_protected_file_is_opened_by_the_password_that_came_with_it(client: Client, tmp_path: Path) -> None:
    (tmp_path / "加密.pdf").write_bytes(b"content")
    (locked,) = client.predict([handle_file(str(tmp_path / "加密.pdf"))], api_name="/upload")
    files = [handle_file(str(tmp_path / "加密.pdf"))]
    (opened,) = client.predict(files, password="1234", api_name="/upload")
    assert (locked["status"], opened["status"]) == ("failed", "ready")
    assert client.predict(files, "1234", api_name="/upload") == [opened]


def test_a_program_is_told_whose_content_its_file_has(client: Client, tmp_path: Path) -> None:
    (tmp_path / "副本.pdf").write_bytes(b"content")
    (report,) = client.predict([handle_file(str(tmp_path / "副本.pdf"))], api_name="/upload")
    assert report["status"] == "ready"
    assert report["message"] == "“副本.pdf”与已有的“手册.pdf”内容相同，没有再存一份。"


def test_two_clients_that_send_the_same_file_do_not_take_it_from_each_other(served: Served) -> None:
    with httpx.Client(base_url=f"{served.url}gradio_api/") as http:
        first, second = (http.post("upload", files={"files": ("共用.txt", b"content")}).json()[0] for _ in range(2))
        reports = [_reports(http, path) for path in (first, second)]
    assert first == second
    assert [report["status"] for report in reports] == ["ready", "ready"]


def _reports(http: httpx.Client, path: str) -> Any:
    """What a program is told that names a file of its own, and no password, in a plain request."""
    event = http.post("call/upload", json={"data": [[{"path": path, "orig_name": Path(path).name}]]}).json()["event_id"]
    kind, data = http.get(f"call/upload/{event}", timeout=30).text.splitlines()[:2]
    assert kind == "event: complete", data
    return json.loads(data.removeprefix("data: "))[0][0]


def test_chat_streams_and_ends_with_the_whole_answer_and_its_sources(client: Client) -> None:
    job = client.submit("错误码的格式是怎样的？", api_name="/chat")
    final = job.result(timeout=60)
    partial = [reply["answer"] for reply in job.outputs()]
    assert len(partial) > 3 and partial[0] == ""
    assert all(final["answer"].startswith(answer) for answer in partial)
    assert final["answer"].endswith("不能直接输出给用户 [9]。")
    assert (final["status"], final["message"], final["model"]) == ("finished", "", "qwen2.5-1.5b-instruct")
    assert {"queued", "reading", "writing"} <= {reply["status"] for reply in job.outputs()[:-1]}
    assert final["sources"][0] | {"text": ""} == {
        "number": 1,
        "file": "Java开发手册（黄山版）.pdf",
        "page": 27,
        "last_page": 27,
        "page_label": "25",
        "score": 0.96,
        "relevant": True,
        "relevance": 0.9,
        "verified": True,
        "reason": None,
        "text": "",
    }
    assert "错误码" in final["sources"][0]["text"]
    assert (final["sources"][1]["verified"], final["sources"][1]["reason"]) == (False, "所引资料中没有“0001”这个数")


def replied(view: TurnView) -> dict[str, Any]:
    """What a program is told of a turn."""
    services = FakeServices()
    readers = Readers(services.engine, Language.ZH, gr.BrowserState())
    return Api(services, readers)._reply(view, Language.ZH)  # type: ignore[arg-type]


def test_what_came_of_an_answer_that_broke_off_is_kept_and_said_to_be_broken_off(client: Client) -> None:
    broken = client.predict("中断", api_name="/chat")
    assert broken["answer"] and broken["status"] == "failed"
    assert broken["message"] == "模型 qwen2.5-1.5b-instruct 的回答中途断开，已保留收到的部分，可以重试。"


@pytest.mark.parametrize(
    ("status", "words"), [(TurnStatus.CUT, "回答到了长度上限"), (TurnStatus.STOPPED, "以上是停止前的内容")]
)
def test_an_answer_that_is_not_whole_says_so(status: TurnStatus, words: str) -> None:
    reply = replied(TurnView("问", turn=turn(status=status)))
    assert reply["status"] == status and words in reply["message"]


def test_an_answer_that_quotes_and_a_passage_that_only_came_nearest_are_told_apart() -> None:
    quoted = turn(model="extractive", sources=(evidence(1), evidence(2, relevant=False)))
    reply = replied(TurnView("问", turn=quoted))
    assert reply["model"] == "extractive"
    assert [source["relevant"] for source in reply["sources"]] == [True, False]


def test_one_client_is_one_session(served: Served, client: Client) -> None:
    other = Client(served.url, verbose=False)
    client.predict("第一问", api_name="/chat")
    client.predict("第二问", api_name="/chat")
    other.predict("别人的问题", api_name="/chat")
    engine = served.services.engine
    sessions = [f"client-{each.session_hash}" for each in (client, other)]
    assert [len(engine.store.conversations(session)) for session in sessions] == [1, 1]
    assert [engine.store.conversations(session)[0].turns for session in sessions] == [2, 1]


def test_a_question_that_cannot_be_answered_raises_its_sentence(client: Client) -> None:
    with pytest.raises(AppError, match="问题是空的"):
        client.predict("  ", api_name="/chat")


@pytest.mark.parametrize("message", [5, None, ["a"], {"text": "a"}, True])
def test_what_is_no_text_is_an_empty_question(client: Client, message: object) -> None:
    with pytest.raises(AppError, match="问题是空的"):
        client.predict(message, api_name="/chat")


@pytest.mark.parametrize(
    "named",
    [
        lambda path: {"path": path},
        lambda path: {"path": path, "meta": {"_type": "gradio.FileData"}},
        lambda path: {"path": path, "orig_name": "a.txt", "meta": {"_type": "other"}},
        lambda path: {"path": f"{get_upload_folder()}/../{path}"},
        lambda path: {"path": f"{get_upload_folder()}"},
        lambda path: {"files": [{"path": path}]},
        lambda path: path,
        lambda path: {"orig_name": path},
        lambda path: None,
    ],
)
def test_a_path_on_the_server_is_not_a_file_of_the_client(
    served: Served, tmp_path: Path, named: Callable[[str], object]
) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("火箭预算是三千万元。", encoding="utf-8")
    assert _refused(served, [named(str(secret))])
    assert _refused(served, named(str(secret)))
    assert secret.exists()


@pytest.mark.parametrize("meta", [{}, {"meta": {"_type": "gradio.FileData"}}])
def test_no_address_that_a_client_names_is_fetched(
    served: Served, monkeypatch: pytest.MonkeyPatch, meta: dict[str, object]
) -> None:
    fetched: list[str] = []
    monkeypatch.setattr("gradio.processing_utils.async_ssrf_protected_download", fetched.append)
    monkeypatch.setattr("gradio.processing_utils.ssrf_protected_download", fetched.append)
    assert _refused(served, [{"path": "https://files.test/a.txt", **meta}])
    assert fetched == []


def _refused(served: Served, files: object) -> bool:
    """Whether the server tells a program so that names these files for `/upload`."""
    event = httpx.post(f"{served.url}gradio_api/call/upload", json={"data": [files]}).json()["event_id"]
    kind, data = httpx.get(f"{served.url}gradio_api/call/upload/{event}", timeout=30).text.splitlines()[:2]
    return kind == "event: error" and "只接受先上传到本服务的文件" in str(json.loads(data.removeprefix("data: ")))


@pytest.mark.parametrize(("endpoint", "words"), [("chat", "问题是空的"), ("upload", "只接受先上传到本服务的文件")])
def test_a_plain_request_that_says_nothing_is_told_what_it_lacks(served: Served, endpoint: str, words: str) -> None:
    address = f"{served.url}gradio_api/call/{endpoint}"
    event = httpx.post(address, json={"data": []}).json()["event_id"]
    kind, data = httpx.get(f"{address}/{event}", timeout=30).text.strip().splitlines()[-2:]
    assert kind == "event: error" and words in json.loads(data.removeprefix("data: "))["error"]


def test_the_page_may_load_nothing_from_elsewhere(served: Served) -> None:
    reply = httpx.get(served.url)
    assert "default-src 'self'" in reply.headers["content-security-policy"]
    assert reply.text.index("wenquValues") < reply.text.index("gradio_config")


def test_the_words_of_page_js_are_safe_inside_a_script(served: Served) -> None:
    start = httpx.get(served.url).text.split("window.wenquValues = ", 1)[1]
    values, _ = json.JSONDecoder().raw_decode(start)
    assert values["sentences"]["en"]["cancel"] == "Cancel"
