"""Documents of programs: isolation, limits, and that they can be asked about."""

from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import openai
import openpyxl
import pptx
import pytest
from openai import OpenAI

from tests.http_rig import KEYS, Services, serving, settings_with, uploaded, with_key

CONTRACT = "合同编号为甲零零七，租期三年，押金两个月。".encode()


def workbook(folder: Path) -> Path:
    book = openpyxl.Workbook()
    sheet = book.create_sheet("门店业绩", 0)
    for row in (["门店", "销售额"], ["上海一店", 1234.5], ["杭州店", 980]):
        sheet.append(row)
    sheet["B2"].number_format = "#,##0.00"
    book.save(folder / "业绩.xlsx")
    return folder / "业绩.xlsx"


def presentation(folder: Path) -> Path:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "门店业绩"
    slide.placeholders[1].text = "上海一店的销售额为 1,234.50 万元\n杭州店的销售额为 980 万元"
    deck.save(str(folder / "汇报.pptx"))
    return folder / "汇报.pptx"


def web_page(folder: Path) -> Path:
    text = "<html><h1>门店业绩</h1><p>上海一店的销售额为 1,234.50 万元。</p><script>alert(1)</script></html>"
    (folder / "业绩.htm").write_text(text, encoding="gb18030")
    return folder / "业绩.htm"


@pytest.fixture
def url(services: Services) -> Iterator[str]:
    with serving(services, settings_with(api_keys=KEYS)) as url:
        yield url


@pytest.fixture
def client(url: str) -> OpenAI:
    return OpenAI(base_url=f"{url}/v1", api_key=KEYS[0], max_retries=0)


def test_a_file_is_taken_in_listed_asked_about_and_deleted(client: OpenAI, services: Services) -> None:
    added = client.files.create(file=("合同.txt", CONTRACT), purpose="user_data")
    assert (added.filename, added.bytes, added.object) == ("合同.txt", len(CONTRACT), "file")
    assert client.files.wait_for_processing(added.id, poll_interval=0.05).status == "processed"
    assert [file.id for file in client.files.list()] == [added.id]
    client.chat.completions.create(model="wenqu", messages=[{"role": "user", "content": "租期多久？"}])
    assert any("租期三年" in str(message.content) for message in services.model.calls[-1])
    assert client.files.delete(added.id).deleted
    assert list(client.files.list()) == []
    with pytest.raises(openai.NotFoundError):
        client.files.retrieve(added.id)


@pytest.mark.parametrize("write", [workbook, presentation, web_page])
def test_office_files_and_web_pages_are_taken_in_and_asked_about(
    client: OpenAI, services: Services, tmp_path: Path, write: Callable[[Path], Path]
) -> None:
    sent = client.files.create(file=write(tmp_path), purpose="user_data")
    added = client.files.wait_for_processing(sent.id, poll_interval=0.05)
    assert added.status == "processed"
    client.chat.completions.create(model="wenqu", messages=[{"role": "user", "content": "上海一店的销售额是多少？"}])
    asked = str([message.content for message in services.model.calls[-1]])
    assert "1,234.50" in asked and "门店业绩" in asked


def test_content_that_is_there_already_is_told_with_the_name_it_is_there_under(client: OpenAI) -> None:
    first = client.files.create(file=("合同.txt", CONTRACT), purpose="assistants")
    assert first.status_details is None
    again = client.files.create(file=("合同（副本）.txt", CONTRACT), purpose="assistants")
    assert again.id == first.id
    assert "合同.txt" in str(again.status_details)


def test_another_key_neither_sees_nor_deletes_a_file_nor_hears_of_it(
    url: str, client: OpenAI, services: Services
) -> None:
    file_id = client.files.create(file=("合同.txt", CONTRACT), purpose="assistants").id
    client.files.wait_for_processing(file_id, poll_interval=0.05)
    other = OpenAI(base_url=f"{url}/v1", api_key=KEYS[1], max_retries=0)
    assert list(other.files.list()) == []
    for attempt in (other.files.retrieve, other.files.delete):
        with pytest.raises(openai.NotFoundError):
            attempt(file_id)
    other.chat.completions.create(model="wenqu", messages=[{"role": "user", "content": "租期多久？"}])
    assert not any("租期三年" in str(message.content) for message in services.model.calls[-1])
    assert client.files.retrieve(file_id).status == "processed"


def test_the_shared_document_cannot_be_deleted(client: OpenAI, services: Services) -> None:
    [shared] = services.ingest.documents("nobody")
    with pytest.raises(openai.NotFoundError):
        client.files.delete(shared.document_id)
    assert services.ingest.documents("nobody") == (shared,)


def test_the_content_of_a_file_is_not_given_out(client: OpenAI) -> None:
    file_id = client.files.create(file=("合同.txt", CONTRACT), purpose="assistants").id
    with pytest.raises(openai.NotFoundError):
        client.files.content(file_id)


def test_a_file_that_cannot_be_taken_says_why(url: str) -> None:
    with httpx.Client(base_url=url, headers=with_key(KEYS[0])) as client:
        for name, content in (("照片.png", b"\x89PNG\r\n\x1a\n"), ("假的.pdf", b"no pdf at all")):
            found = client.get(f"/v1/files/{uploaded(client, name, content)}").json()
            assert found["status"] == "error" and name in found["status_details"]
        assert client.post("/v1/files", files={"file": ("空.txt", b"")}).status_code == 400
        assert client.post("/v1/files", data={"purpose": "assistants"}).json()["error"]["param"] == "file"
        other_purpose = client.post("/v1/files", files={"file": ("a.txt", b"a")}, data={"purpose": "fine-tune"})
        assert other_purpose.status_code == 400


@pytest.mark.parametrize("name", ["../../etc/passwd.txt", "C:\\x\\passwd.txt", "folder/passwd.txt"])
def test_a_path_in_a_name_leads_nowhere(url: str, name: str) -> None:
    with httpx.Client(base_url=url, headers=with_key(KEYS[0])) as client:
        reply = client.post("/v1/files", files={"file": (name, CONTRACT)})
        assert reply.status_code == 200 and reply.json()["filename"] == "passwd.txt"


def test_more_than_the_limit_is_refused_while_it_is_read(url: str, services: Services) -> None:
    def endless() -> Iterator[bytes]:
        yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
        for _ in range(200):
            yield b"x" * 1_000_000

    headers = with_key(KEYS[0]) | {"Content-Type": "multipart/form-data; boundary=x"}
    try:
        reply = httpx.post(f"{url}/v1/files", content=endless(), headers=headers)
        assert reply.status_code == 413 and reply.json()["error"]["code"] == "request_too_large"
    except httpx.WriteError:
        pass  # the server answered and closed before the client had sent all
    assert len(services.ingest.documents("nobody")) == 1


def test_a_long_body_of_another_kind_is_refused_too(url: str) -> None:
    reply = httpx.post(f"{url}/v1/chat/completions", content=b" " * 5_000_000, headers=with_key(KEYS[0]))
    assert reply.status_code == 413


def test_without_keys_each_request_without_a_session_stands_alone(services: Services) -> None:
    with serving(services, settings_with()) as url, httpx.Client(base_url=url) as client:
        added = client.post("/v1/files", files={"file": ("合同.txt", CONTRACT)})
        session = {"X-Session-Id": added.headers["x-session-id"]}
        assert client.get("/v1/files").json()["data"] == []
        assert [file["id"] for file in client.get("/v1/files", headers=session).json()["data"]] == [added.json()["id"]]
        forged = {"X-Session-Id": added.headers["x-session-id"].upper()}
        assert client.get("/v1/files", headers=forged).json()["data"] == []
