"""`python app.py` as somebody starts and ends it."""

import signal
import socket
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

import app
from rag.errors import PackageMissing
from tests.model_server import ThinkingServer
from tests.program import free_port, running, told_address
from tests.waiting import wait_for

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")


def is_taken(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT])
def test_it_serves_where_it_says_and_closes_in_order_although_a_page_is_open(
    tmp_path: Path, end: signal.Signals
) -> None:
    port = free_port()
    with running(tmp_path, port) as process:
        url = told_address(process)
        assert url == f"http://127.0.0.1:{port}"
        assert httpx.get(f"{url}/healthz", trust_env=False).status_code == httpx.codes.OK
        with httpx.stream("GET", f"{url}/gradio_api/heartbeat/page", trust_env=False, timeout=30) as heartbeat:
            next(heartbeat.iter_raw())
            process.send_signal(end)
            assert process.wait(30) == 0
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()


def test_an_answer_that_is_waited_for_as_a_whole_does_not_hold_up_the_end(tmp_path: Path) -> None:
    with ThinkingServer() as model, running(tmp_path, free_port(), **served_by(model)) as process:
        url = told_address(process)
        assert wait_for(lambda: httpx.get(f"{url}/healthz", trust_env=False).json()["model"] == "m")
        with ThreadPoolExecutor() as client:
            asked = {"model": "wenqu", "messages": [{"role": "user", "content": "你好"}]}
            reply = client.submit(httpx.post, f"{url}/v1/chat/completions", json=asked, trust_env=False, timeout=60)
            assert model.asked.wait(60)
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0
            assert reply.result().json()["choices"][0]["finish_reason"] == "length"


def served_by(model: ThinkingServer) -> dict[str, str]:
    """The environment in which a server's model answers."""
    return {"WENQU_LLM_PROVIDER": "openai", "WENQU_LLM_MODEL": "m", "WENQU_LLM_BASE_URL": f"{model.url}/v1"}


def test_of_a_port_that_the_system_is_to_choose_the_one_is_told_that_it_chose(tmp_path: Path) -> None:
    with running(tmp_path, 0) as process:
        assert httpx.get(f"{told_address(process)}/healthz", trust_env=False).status_code == httpx.codes.OK


def test_an_interrupt_ends_the_start_at_once_and_without_a_traceback(tmp_path: Path) -> None:
    with running(tmp_path, port := free_port()) as process:
        while process.poll() is None and not is_taken(port):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)  # while the packages are loaded, which takes seconds
        _, said = process.communicate(timeout=30)
    # 0: the interrupt came between the taking of the port and the loading.
    assert process.returncode in (-signal.SIGINT, 0)
    assert "Traceback" not in said and "页面已就绪" not in said


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="no IPv6")
@pytest.mark.parametrize(("host", "told"), [("::", "127.0.0.1"), ("::1", "[::1]"), ("0.0.0.0", "127.0.0.1")])
def test_the_address_that_is_told_can_be_opened(host: str, told: str) -> None:
    assert app._seen_from_here(host) == told
    with app._listening(host, 0) as listener:
        socket.create_connection((told.strip("[]"), listener.getsockname()[1]), timeout=10).close()


def test_where_ipv6_stands_alone_its_own_address_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "has_dualstack_ipv6", lambda: False)
    assert app._seen_from_here("::") == "[::1]"


def test_a_port_that_another_program_has_is_told_in_a_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with running(tmp_path, port) as process:
            _, said = process.communicate(timeout=30)
    assert process.returncode == 1
    assert f"不能在 127.0.0.1:{port} 上提供服务" in said
    assert "Traceback" not in said and said.count("127.0.0.1") == 1


def test_a_proxy_that_cannot_be_used_is_told_in_a_sentence(tmp_path: Path) -> None:
    with running(tmp_path, free_port(), ALL_PROXY="socks://127.0.0.1:1080") as process:
        _, said = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "all_proxy：代理的地址应以" in said and "Traceback" not in said


def test_a_socks_proxy_without_its_package_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:1080")
    monkeypatch.setitem(sys.modules, "socksio", None)
    with pytest.raises(PackageMissing, match=r"httpx\[socks\]"):
        app._check_proxies()


def test_after_a_kill_the_store_can_be_had_and_what_was_uploaded_and_not_yet_stored_is_gone(tmp_path: Path) -> None:
    files = {"files": ("合同.txt", b"secret")}
    with running(tmp_path, free_port()) as process:
        reply = httpx.post(f"{told_address(process)}/gradio_api/upload", files=files, trust_env=False)
        (lying,) = map(Path, reply.json())
        process.kill()
    assert lying.read_bytes() == b"secret" and lying.is_relative_to(tmp_path / "store")
    with running(tmp_path, free_port()) as process:
        told_address(process)
        assert not lying.exists()


def test_a_store_that_another_process_has_is_told_in_a_sentence(tmp_path: Path) -> None:
    with running(tmp_path, free_port()) as process:
        told_address(process)
        with running(tmp_path, free_port()) as second:
            _, said = second.communicate(timeout=60)
    assert second.returncode == 1
    assert "存储目录“store”正由另一个问渠进程使用" in said and "Traceback" not in said


def test_a_mistake_in_the_configuration_is_told_in_the_language_that_is_set(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GRADIO_SERVER_PORT", "http")
    for language, said in (("en", "server.port: has to be a whole number"), ("zh", "server.port：应为整数")):
        monkeypatch.setenv("WENQU_LANGUAGE", language)
        assert app.main() == 1
        assert said in capsys.readouterr().err
