"""What programs are told of an answer's evidence: whether it says what is cited, and how relevant it is."""

import json
from pathlib import Path

import httpx
from openai import OpenAI

from tests.http_rig import services_in, serving, settings_with
from tests.web.conftest import Served
from tests.web.programs import QUESTION, ask, said


def test_a_source_tells_whether_it_says_what_the_answer_cites_it_for(tmp_path: Path) -> None:
    wrong = ("年假为三十天 [1]。",)
    with services_in(tmp_path, wrong) as services, serving(services, settings_with()) as url:
        client = httpx.Client(base_url=url)
        [doubted, *_] = json.loads(said(ask(client, "年假有几天？"), "SOURCE:"))
        [verified, *_] = json.loads(said(ask(client, "年假有几天？"), "SOURCE:"))
    assert (doubted["verified"], doubted["reason"]) == (False, "所引资料中没有“三十”这个数")
    assert (verified["verified"], verified["reason"], verified["relevance"]) == (True, None, None)


def test_an_annotation_tells_whether_its_passage_says_what_the_sentence_does(tmp_path: Path) -> None:
    script = ("资料里的说法如下 [1]：\n\n年假为十天 [1]。\n\n年假为三十天 [1]。",)
    with services_in(tmp_path, script, script) as services, serving(services, settings_with()) as url:
        client = OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0)
        whole = client.chat.completions.create(model="wenqu", messages=QUESTION).choices[0].message.to_dict()
        *_, last = client.chat.completions.create(model="wenqu", messages=QUESTION, stream=True)
    for annotations in (whole["annotations"], last.choices[0].delta.to_dict()["annotations"]):
        found = [annotation["file_citation"] for annotation in annotations]  # type: ignore[attr-defined]
        assert [item["verified"] for item in found] == [None, True, False]
        assert [bool(item["reason"]) for item in found] == [False, False, True]
        assert found[2]["reason"] == "所引资料中没有“三十”这个数"


def test_an_annotation_has_the_relevance_that_the_page_shows(served: Served) -> None:
    client = OpenAI(base_url=f"{served.url}v1", api_key="none", max_retries=0)
    message = client.chat.completions.create(model="wenqu", messages=QUESTION).choices[0].message.to_dict()
    assert message["annotations"][0]["file_citation"]["relevance"] == 0.9  # type: ignore[index]
