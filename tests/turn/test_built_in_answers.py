"""What the program answers itself: which files there are, and what can be done here."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from rag import events
from rag.i18n import Language
from rag.knowledge.base import SHARED_COLLECTION
from rag.language.english import spoken_language
from rag.language.meta_questions import about_abilities, about_files
from rag.language.whole_document import points_to_document
from rag.language.words import plainly
from rag.retrieval import Retrieval
from rag.types import EVERYTHING, Decision, Document, Message, Scope, Turn
from tests.knowledge import Store
from tests.turn.rig import engine_over
from tests.waiting import within_cpu_seconds


def asked(
    store: Store,
    folder: Path,
    question: str,
    scope: Scope = EVERYTHING,
    decision: Decision | None = None,
    while_answering: Callable[[], object] = lambda: None,
) -> Turn:
    """A turn of an engine over the store, whose model says only 模型; `while_answering` is called before it is done."""
    engine = engine_over(store, folder, "模型", scope=scope)
    for event in engine.stream(question, "me", decision=decision):
        if isinstance(event, events.Token):
            while_answering()
    assert isinstance(event, events.Finished | events.Failed) and event.turn is not None
    return event.turn


@pytest.mark.parametrize(
    "question",
    [
        "我上传了什么",
        "我都上传了什么？",
        "我刚上传的是什么",
        "我上传了哪些文件",
        "我上传的文件有哪些",
        "有哪些文件",
        "都有哪些文档？",
        "现在有几份文件",
        "我有多少文件",
        "你有哪些资料",
        "你能看到哪些文件",
        "列出所有文件",
        "知识库里有什么",
        "知识库里有哪些文件",
        "請問我上傳了什麼",
        "What did I upload?",
        "which documents have I uploaded",
        "what files are there?",
        "How many documents do I have?",
        "文件列表",
        "list my files",
        "List all the documents in the knowledge base",
        # How long they are, too.
        "这份文件有多少页",
        "有多少页？",
        "这两份资料各有几页",
        "一共几页",
        "这份PPT有多少张幻灯片",
        "How many pages does it have?",
    ],
)
def test_which_files_there_are_is_asked_in_everyday_words(question: str) -> None:
    assert about_files(question)


@pytest.mark.parametrize(
    "question",
    [
        "可以上传哪些文件？",
        "需要上传哪些文件",
        "上传什么文件",
        "怎么上传文件",
        "这份文件有什么",
        "这是什么文件",
        "文件里有什么",
        "知识库里有哪些内容",
        "我上传的文件主要讲什么",
        "资料中有哪些结论",
        "论文有哪些贡献",
        "报销需要哪些资料",
        "有哪些文件需要盖章",
        "原告提交了哪些材料？",
        "能存多少文件啊",
        "申请书要多少页",
        "第三章有多少页",
        "有哪些章节",
        "which files can I upload",
        "what is in my documents",
        "what are my documents about",
        "what documents are required",
        "What files does the system log",
    ],
)
def test_what_stands_in_files_or_which_a_subject_needs_is_searched_for(question: str) -> None:
    assert not about_files(question)


@pytest.mark.parametrize(
    "question",
    ["你能做什么", "你能帮我做什么？", "你能回答哪些问题？", "你会什么", "你有什么功能", "what can you do?", "help"],
)
def test_what_can_be_done_here_is_asked(question: str) -> None:
    assert about_abilities(plainly(question), alone=True) and about_abilities(plainly(question), alone=False)


def test_what_functions_there_are_is_asked_of_what_was_talked_about_if_anything_was() -> None:
    assert about_abilities(plainly("有什么功能？"), alone=True) and not about_abilities(
        plainly("有什么功能？"), alone=False
    )


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("What’s covered?", Language.EN),
        ("Price in €?", Language.EN),
        ("café policy?", Language.EN),
        ("Battery life?", Language.EN),
        ("What does 《员工手册》 say about leave?", Language.EN),
        ("Spring Boot 是什么？", Language.ZH),
        ("电池寿命？", Language.ZH),
        ("How long is the warranty? Please answer in Chinese.", Language.ZH),
        ("What is the warranty period? 请用中文回答。", Language.ZH),
        ("Could you answer briefly in Chinese? How long is the warranty?", Language.ZH),
        ("保修期多久？请用英文回答", Language.EN),
        ("保修期多久？请用英文归纳", Language.EN),
        ("保修期多久？ In English, please.", Language.EN),
        ("可以用英文回复客户吗？", Language.ZH),
        ("How do you say warranty in Chinese?", Language.EN),
        ("Who writes the reports in Chinese?", Language.EN),
    ],
)
def test_the_programs_own_words_are_in_the_language_of_the_question(question: str, language: Language) -> None:
    assert all(spoken_language(question, default) is language for default in Language)


@pytest.mark.parametrize("question", ["KPI？", "2024", "MFA-2024", "？"])
def test_a_term_or_a_number_is_answered_in_the_servers_language(question: str) -> None:
    assert all(spoken_language(question, default) is default for default in Language)


@pytest.mark.parametrize(
    "question",
    ["问渠能做什么？", "会计能做什么", "系统有什么功能", "这款手机有什么功能？", "它能做什么", "help me find it"],
)
def test_what_something_else_can_do_is_a_question_for_the_documents(question: str) -> None:
    assert not about_abilities(plainly(question), alone=True)


@pytest.mark.parametrize("text", ["我有", "文件", "上传的", "list my files ", "你能"])
def test_a_long_text_is_looked_through_at_once(text: str) -> None:
    with within_cpu_seconds(1):
        about_files(text * 5000 + "x")
        about_abilities(plainly(text * 5000 + "x"), alone=True)


def test_the_files_are_listed_with_what_keeps_each_from_being_used(store: Store, tmp_path: Path) -> None:
    store.put(SHARED_COLLECTION, "指南.md", "指南的内容。")
    used = store.put("me", "手[1]册*.pdf", "第一页。", "第二页。")
    store.put("me", "旧版.pptx", "别的内容。")
    store.put("another", "别人的.pdf", "别人的内容。")
    broken = store.catalog.register("me", "坏的.pdf", "x", 1)
    store.catalog.fail(broken.document_id, Message("error.empty_file"))
    turn = asked(store, tmp_path, "我上传了什么？", Scope(frozenset({used.document_id})))
    assert turn.decision is Decision.NO_RETRIEVE and turn.reason == Message("decision.about_files")
    heading, *rows = [line for line in turn.answer.splitlines() if line]
    assert heading == "你添加了 2 份资料，另有 1 份未能读取："
    assert sorted(row.split(". ", 1)[-1] for row in rows) == sorted(
        [
            "`手[1]册*.pdf`（2 页）",
            "`旧版.pptx`（1 张幻灯片，没有勾选，不会用来回答）",
            "`坏的.pdf`（未能读取，原因写在“资料”页）",
            "另有示例资料 `指南.md`。",
        ]
    )


def test_who_has_added_nothing_is_told_how_and_what_there_is(store: Store, tmp_path: Path) -> None:
    store.put(SHARED_COLLECTION, "指南.md", "指南的内容。")
    answer = asked(store, tmp_path, "有哪些文件").answer
    assert answer.startswith("你还没有添加资料。") and "`指南.md`" in answer


def test_an_english_question_about_the_files_is_answered_in_english(store: Store, tmp_path: Path) -> None:
    for number in range(40):
        store.put("me", f"{number}.pdf", f"Page of {number}.", embed=False)
    answer = asked(store, tmp_path, "what files do I have?").answer
    assert answer.startswith("You have added 40 files:") and answer.endswith("10 more are in the Files tab.")


def test_what_can_be_done_is_told_in_full_and_not_by_a_small_model(store: Store, tmp_path: Path) -> None:
    assert "PDF" in asked(store, tmp_path, "你能做什么").answer
    assert "PDF" in asked(store, tmp_path, "what can you do?").answer
    turn = asked(store, tmp_path, "你能回答哪些问题？")
    assert "PDF" in turn.answer and turn.reason == Message("decision.abilities")


def test_what_the_program_knows_it_tells_though_the_reader_wants_no_search(store: Store, tmp_path: Path) -> None:
    for question, told in (("有哪些文件", "你还没有添加资料。"), ("你能做什么", "我根据你添加的")):
        assert asked(store, tmp_path, question, decision=Decision.NO_RETRIEVE).answer.startswith(told)


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rag.turn.pending_files._READING_SECONDS", 0.0)


def coming(store: Store, name: str) -> None:
    """A file that has arrived and is not read yet."""
    store.catalog.register("me", name, name, 1)


def test_what_the_new_file_says_is_not_answered_from_another_before_it_is_read(store: Store, tmp_path: Path) -> None:
    store.put("me", "手册.pdf", "手册的第一页。")
    asked(store, tmp_path, "手册第1页讲了什么", decision=Decision.RETRIEVE)
    coming(store, "扫描.pdf")
    for question in ("这份扫描文档讲什么", "总结一下刚上传的文件", "扫描.pdf主要讲了什么"):
        turn = asked(store, tmp_path, question)
        assert turn.answer.startswith("`扫描.pdf` 在排队等待读取。") and not turn.sources
        assert turn.reason and turn.reason.key == "decision.too_early"
    assert asked(store, tmp_path, "What is this document about?").answer.startswith("`扫描.pdf`: waiting to be read.")


def test_a_file_that_is_read_is_answered_from_while_another_comes(store: Store, tmp_path: Path) -> None:
    coming(store, "扫描.pdf")
    store.put("me", "手册.pdf", "手册的第一页。")
    for question in ("手册第1页讲了什么", "年假有几天", "第1页讲了什么", "我的文件主要讲什么"):
        assert asked(store, tmp_path, question).decision is Decision.RETRIEVE


def test_this_file_is_the_one_that_came_after_the_last_answer(store: Store, tmp_path: Path) -> None:
    store.put("me", "手册.pdf", "手册的第一页。")
    assert asked(store, tmp_path, "手册第1页讲了什么").sources
    added = store.put("me", "扫描.pdf", "扫描的第一页。")
    asked(store, tmp_path, "你能做什么")
    turn = asked(store, tmp_path, "这份扫描文档讲什么")
    assert {source.document_id for source in turn.sources} == {added.document_id}


def test_a_file_that_came_while_an_answer_was_written_is_the_newest(store: Store, tmp_path: Path) -> None:
    handbook, added = store.put("me", "手册.pdf", "手册的第一页。"), list[Document]()

    def add() -> None:
        added.append(store.put("me", "扫描.pdf", "扫描的第一页。"))

    assert asked(store, tmp_path, "手册第1页讲了什么", while_answering=add).sources
    turn = asked(store, tmp_path, "第1页的内容是什么")
    assert {source.document_id for source in turn.sources} == {handbook.document_id, added[0].document_id}
    turn = asked(store, tmp_path, "手册第1页讲了什么", while_answering=lambda: coming(store, "新的.pdf"))
    assert turn.sources
    assert asked(store, tmp_path, "这份文件讲什么").answer.startswith("`新的.pdf` 在排队等待读取。")


def test_where_one_file_is_meant_no_other_tells_what_a_follow_up_means(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put("me", "手册.pdf", "手册的第一页。")
    assert asked(store, tmp_path, "手册第1页讲了什么").sources
    added, looked_into = store.put("me", "扫描.pdf", "扫描的第一页。"), list[Scope]()
    probable = Retrieval.probable

    def look(self: Retrieval, question: str, collections: Sequence[str], scope: Scope) -> Mapping[int, float]:
        looked_into.append(scope)
        return probable(self, question, collections, scope)

    monkeypatch.setattr(Retrieval, "probable", look)
    asked(store, tmp_path, "那刚上传的文件里有多少员工？")
    assert set(looked_into) == {Scope(frozenset({added.document_id}))}


def test_a_page_without_its_file_is_one_of_the_file_that_was_answered_from_until_another_comes(
    store: Store, tmp_path: Path
) -> None:
    pump = store.put("me", "水泵.pdf", "水泵的第一页。")
    report = store.put("me", "报告.pdf", "报告的第一页。")
    assert asked(store, tmp_path, "第1页讲了什么", Scope(frozenset({pump.document_id}))).sources
    turn = asked(store, tmp_path, "第1页的内容是什么")
    assert {source.document_id for source in turn.sources} == {pump.document_id}
    added = store.put("me", "扫描.pdf", "扫描的第一页。")
    turn = asked(store, tmp_path, "第1页的内容是什么")
    assert {source.document_id for source in turn.sources} == {pump.document_id, report.document_id, added.document_id}


def test_this_file_is_the_one_that_was_answered_from_last(store: Store, tmp_path: Path) -> None:
    coming(store, "扫描.pdf")
    store.put("me", "手册.pdf", "手册的第一页。")
    assert asked(store, tmp_path, "手册第1页讲了什么").sources
    assert asked(store, tmp_path, "这份文件主要讲什么").decision is not Decision.NO_RETRIEVE


def test_where_no_file_is_read_yet_none_is_answered_from(store: Store, tmp_path: Path) -> None:
    store.put(SHARED_COLLECTION, "指南.md", "指南的内容。")
    coming(store, "扫描.pdf")
    assert asked(store, tmp_path, "第1页讲了什么").answer.startswith("`扫描.pdf`")
    assert asked(store, tmp_path, "问渠能做什么？").decision is Decision.RETRIEVE


@pytest.mark.parametrize(
    "question", ["这些文件讲什么", "这个问题在资料里怎么说", "文件有哪些", "these documents", "the files", "年假有几天"]
)
def test_only_a_word_for_one_document_points_to_it(question: str) -> None:
    assert not points_to_document(question)


def test_no_seconds_to_a_models_first_word_are_told_where_no_model_speaks(store: Store, tmp_path: Path) -> None:
    assert asked(store, tmp_path, "你能做什么").timing.first_token is None


def test_the_reader_can_have_the_documents_searched_all_the_same(store: Store, tmp_path: Path) -> None:
    store.put("me", "手册.pdf", "文件清单：一、合同。")
    turn = asked(store, tmp_path, "有哪些文件", decision=Decision.RETRIEVE)
    assert turn.answer.startswith("模型") and turn.decision is Decision.RETRIEVE
