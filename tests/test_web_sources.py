"""Cards of evidence and the pages that they lead to, as pure functions."""

from dataclasses import replace
from html.parser import HTMLParser

import pytest

from rag.i18n import Language
from rag.page_names import place_in_file
from rag.types import Box, CheckedSentence, Decision, MarkedText, Message, PageView, Support, TurnTrace, Use
from rag.web.chat.render_sources import Source, cards
from rag.web.chat.turn_sources import of_live, of_turn, opened
from rag.web.files.render_detail import page
from rag.web.http.wire import sources
from rag.web.render_leaf import Spot, leaf
from tests.fakes_pages import FIRST_LINE, FakePages
from tests.samples_web import HOSTILE, evidence, searched, turn

ZH = Language.ZH
SPOT = Spot("guide", home=27, page=27, span=(100, 140))
VIEW = PageView(
    "guide",
    "手册.pdf",
    27,
    "25",
    55,
    MarkedText("前文。", "这一段。", "后文。", False, False),
    (Box(0.1, 0.2, 0.9, 0.23),),
    (600, 848),
)


class Parts(HTMLParser):
    """The tags of a piece of HTML with their attributes, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def of_class(self, name: str) -> list[dict[str, str | None]]:
        return [values for _, values in self.tags if name in (values.get("class") or "").split()]


def shown(view: PageView = VIEW, spot: Spot = SPOT, url: str | None = "page/signed") -> Parts:
    return Parts(leaf(view, spot, url, ZH))


def test_a_place_is_named_with_the_label_printed_on_it_only_where_they_differ() -> None:
    assert place_in_file(evidence(page=27, page_label="25", heading_path=()), ZH) == "第 27 页（页面标注 25）"
    assert place_in_file(evidence(page=27, page_label="27", heading_path=("一", "二")), ZH) == "第 27 页 · 一 › 二"


@pytest.mark.parametrize(
    ("file", "told", "in_english"),
    [
        ("甲.XLSX", "第 2 个工作表", "sheet 2"),
        ("甲.pptx", "第 2 张幻灯片", "slide 2"),
        ("甲.docx", "第 2 页", "page 2"),
    ],
)
def test_a_sheet_and_a_slide_are_called_what_they_are(file: str, told: str, in_english: str) -> None:
    item = evidence(document_name=file, page=2, page_label="2", heading_path=())
    assert (place_in_file(item, ZH), place_in_file(item, Language.EN)) == (told, in_english)


def test_a_passage_over_two_pages_is_named_with_both() -> None:
    label = evidence(page=27, last_page=28, page_label="25", heading_path=())
    assert place_in_file(label, ZH) == "第 27–28 页（页面标注 25）"
    assert place_in_file(evidence(page=27, last_page=28, page_label="27", heading_path=()), ZH) == "第 27–28 页"


def test_boxes_lie_on_the_image_by_its_shares_and_its_size_is_reserved() -> None:
    parts = shown()
    assert [mark["style"] for mark in parts.of_class("mark")] == [
        "left:10.000%;top:20.000%;width:80.000%;height:3.000%"
    ]
    image = next(values for tag, values in parts.tags if tag == "img")
    assert (image["src"], image["width"], image["height"]) == ("page/signed", "600", "848")
    assert image["alt"] == "手册.pdf 第 27 页"


def test_what_bears_a_sentence_out_is_marked_again_within_its_passage() -> None:
    assert [mark["style"] for mark in shown(replace(VIEW, key_boxes=VIEW.boxes)).of_class("key")] == [
        mark["style"] for mark in shown().of_class("mark")
    ]
    words = replace(VIEW, text=MarkedText("前。", "甲<b>。乙<b>。", "后。", False, False, (5, 10)))
    assert '<mark>甲&lt;b&gt;。<u class="key">乙&lt;b&gt;。</u></mark>' in leaf(words, SPOT, None, ZH)
    button = shown(spot=replace(SPOT, key=(110, 120))).of_class("after")[0]
    assert (button["data-key-start"], button["data-key-end"]) == ("110", "120")


def test_both_neighbours_are_offered_with_the_same_passage() -> None:
    parts = shown()
    for name, number in (("before", "26"), ("after", "28")):
        button = parts.of_class(name)[0]
        assert (button["data-page-number"], button["data-home"]) == (number, "27")
        assert (button["data-start"], button["data-end"]) == ("100", "140")


@pytest.mark.parametrize(("page", "name"), [(1, "before"), (55, "after")])
def test_at_either_end_there_is_nothing_to_turn_to(page: int, name: str) -> None:
    button = shown(replace(VIEW, page=page), replace(SPOT, page=page)).of_class(name)[0]
    assert button["aria-disabled"] == "true" and "data-look" not in button


def test_the_way_back_is_offered_only_away_from_the_passage() -> None:
    away, elsewhere = (
        replace(SPOT, page=29),
        replace(VIEW, page=29, boxes=(), text=MarkedText("", "", "", False, False)),
    )
    assert shown(elsewhere, away).of_class("home")[0]["data-page-number"] == "27"
    assert not shown().of_class("home")
    # The passage goes on over the page break.
    assert not shown(replace(VIEW, page=28), replace(SPOT, page=28)).of_class("home")


def test_a_document_of_one_page_has_no_pages_to_turn() -> None:
    assert not shown(replace(VIEW, page=1, page_count=1)).of_class("pager")


def test_a_page_without_an_image_is_text_with_the_reason_and_the_passage_marked() -> None:
    locked = replace(VIEW, size=None, boxes=(), note=Message("page.locked"))
    parts = shown(locked, url=None)
    assert "文件有密码保护" in parts.text and "前文。这一段。后文。" in parts.text
    assert "mark" in [tag for tag, _ in parts.tags]


def test_a_passage_that_is_not_found_on_its_page_is_said_to_be() -> None:
    assert "没能在这一页上标出" in shown(replace(VIEW, boxes=())).text
    assert "没能在这一页上标出" not in shown().text


@pytest.mark.parametrize("url", ["page/signed", None])
def test_the_leaf_of_an_answer_and_that_of_a_file_share_no_id_and_each_has_a_name_of_its_own(url: str | None) -> None:
    leaves = [Parts(html) for html in (leaf(VIEW, SPOT, url, ZH), page(VIEW, SPOT, url, ZH))]
    ids = [{values["id"] for _, values in each.tags if "id" in values} for each in leaves]
    names = [set(str(each.of_class("view")[0]["aria-labelledby"]).split()) for each in leaves]
    assert ids == names and ids[0].isdisjoint(ids[1])


def test_hostile_names_and_texts_stay_text_on_the_leaf() -> None:
    text = MarkedText(HOSTILE, HOSTILE, HOSTILE, True, True)
    hostile = replace(VIEW, document_name=HOSTILE, page_label=HOSTILE, text=text)
    spot = Spot('"><script>', 27, 28, None)
    for parts in (shown(hostile, spot), shown(replace(hostile, size=None, boxes=()), spot, url=None)):
        assert not {"script", "iframe"} & {tag for tag, _ in parts.tags}
        assert [values["src"] for tag, values in parts.tags if tag == "img"] in ([], ["page/signed"])
        assert not [name for _, values in parts.tags for name in values if name.startswith("on")]
        assert "<script>" in parts.text


def test_a_card_holds_the_whole_name_of_its_document_where_two_lines_are_too_few() -> None:
    (name,) = Parts(cards((Source(evidence(document_name='长"名.pdf'), SPOT),), (), ZH)).of_class("file")
    assert name["title"] == '长"名.pdf'


def test_what_is_cited_stands_before_what_is_not() -> None:
    html = cards((Source(evidence(1), SPOT, False), Source(evidence(2), SPOT, True)), (), ZH)
    assert html.index('data-source="2"') < html.index('data-source="1"')
    assert Parts(html).text.count("未被引用") == 1


def test_while_an_answer_is_written_nothing_is_said_to_be_left_uncited() -> None:
    html = cards((Source(evidence(1), SPOT), Source(evidence(2), SPOT)), (), ZH)
    assert html.index('data-source="1"') < html.index('data-source="2"')
    assert "未被引用" not in html


def test_a_card_says_how_many_sentences_it_bears_out_and_which_are_not_verified_and_why() -> None:
    wrong = CheckedSentence(0, 9, Support.UNVERIFIED, (2,), reason=Message("citation.number", {"text": "7"}))
    sources = (
        Source(evidence(1), SPOT, True, bears=3),
        Source(evidence(2), SPOT, True, doubts=(("错误码共 7 位。", wrong),)),
        Source(evidence(3), SPOT, True),
    )
    first, second, third = cards(sources, (), ZH).split("</article>")[:3]
    assert "支持回答中的 3 句" in first and "待核对" not in first
    assert "待核对：所引资料中没有“7”这个数<q>错误码共 7 位。</q>" in second
    assert "待核对" not in third
    assert "支持回答" not in cards((Source(evidence(1), SPOT), Source(evidence(2), SPOT, False)), (), ZH)


def test_no_card_bears_out_an_answer_that_knows_nothing() -> None:
    quote = "> 错误码为字符串类型，共 5 位，分成两个部分：错误产生来源 + 四位数字编号。[1]"
    for said, bears in (("规定如下：", 1), ("我不知道，资料中没有相关内容。", 0)):
        told = turn(answer=f"{said}\n\n{quote}", sources=(evidence(),))
        (source,) = of_turn(told, (), {}, FakePages())  # type: ignore[arg-type]
        assert (source.bears, source.is_cited) == (bears, True)


def test_a_card_shows_how_probably_its_passage_answers_and_no_number_where_nothing_judged_it() -> None:
    judged, unjudged = (
        Parts(cards((Source(evidence(1), SPOT, True, relevance=value),), (), ZH)) for value in (0.13, None)
    )
    (bar,) = [values for tag, values in judged.tags if tag == "i"]
    assert bar["style"] == "width:13.0%" and "13%" in judged.text
    assert [len(parts.of_class("score")) for parts in (judged, unjudged)] == [1, 0]
    assert "0.96" not in unjudged.text and "%" not in unjudged.text


def test_a_turns_cards_have_the_relevance_for_the_question_that_they_were_found_for_and_tell_an_earlier_one() -> None:
    first = turn("第一问", trace=searched())
    second = turn("第二问", sources=(evidence(1), evidence(2)), decision=Decision.REUSE, trace=TurnTrace())
    own = of_turn(first, (), {}, FakePages())  # type: ignore[arg-type]
    reused = of_turn(second, (first,), {}, FakePages())  # type: ignore[arg-type]
    assert [(source.relevance, source.found_for) for source in own] == [(0.9, ""), (0.9, "")]
    assert [(source.relevance, source.found_for) for source in reused] == [(0.9, "第一问")] * 2
    live = of_live(second.sources, (), (first,), {})
    assert [(source.relevance, source.found_for) for source in live] == [(0.9, "第一问")] * 2
    assert "先前为“第一问”找到" in cards(reused, (), ZH)


def test_the_first_that_is_cited_is_opened_and_where_nothing_is_the_most_relevant() -> None:
    def first(answer: str) -> int | None:
        found = [Source(evidence(1), relevance=0.2), Source(evidence(2), relevance=0.9), Source(evidence(3))]
        return opened(turn(answer=answer, sources=tuple(item.evidence for item in found)), found)

    assert first("错误码共 5 位[9][1]。") == 1
    assert first("资料里没有这样写。") == 2
    assert opened(turn(sources=()), ()) is None


def test_of_two_that_are_cited_the_one_that_says_so_is_opened() -> None:
    held = (evidence(1, text="食堂每天七点开门。"), evidence(2, text="员工入职满一年后，每年享有十五天年假。"))
    asked = turn("年假有几天？", "员工入职满一年后，每年享有15天年假[1]。", sources=held)
    assert opened(asked, [Source(item) for item in held]) == 2


def test_a_sentence_leads_to_the_page_and_the_sentence_of_its_passage_that_bear_it_out() -> None:
    text = f"{FIRST_LINE}\n{evidence().text}"
    item = evidence(2, last_page=28, text=text)
    told = turn(answer="错误码是字符串类型，共 5 位 [2]。错误码共 7 位 [2]。与此无关 [2]。", sources=(item,))
    spot = replace(SPOT, span=(0, len(text)))
    key = (text.index("错误码为"), text.index("说明"))
    (source,) = of_turn(told, (), {2: spot}, FakePages())  # type: ignore[arg-type]
    # What the passage does not say is borne out by nothing there.
    assert source.leads == {0: (28, *key), 1: (28,)}
    # Also to one before that on which most of the passage stands, which is its own.
    first = turn(answer="其中讲到异常日志 [2]。", sources=(replace(item, page=28),))
    (source,) = of_turn(first, (), {2: spot}, FakePages())  # type: ignore[arg-type]
    assert source.leads == {0: (27, 0, len(FIRST_LINE))}


def test_a_doubted_sentence_is_told_without_its_markdown() -> None:
    told = turn(answer="**错误码：**`E1` 共 9 位 [2]。", sources=(evidence(2),))
    (source,) = of_turn(told, (), {2: SPOT}, FakePages())  # type: ignore[arg-type]
    assert [text for text, _ in source.doubts] == ["错误码：E1 共 9 位 。"]


def test_an_answer_that_never_began_leaves_nothing_uncited() -> None:
    (source, _) = of_turn(turn(answer=""), (), {1: SPOT, 2: SPOT}, FakePages())  # type: ignore[arg-type]
    assert source.is_cited is None


def test_what_only_came_nearest_is_flagged() -> None:
    text = Parts(cards((Source(evidence(relevant=False), SPOT, False),), (), ZH)).text
    assert "最接近，但不够相关" in text and "未被引用" not in text


def test_a_card_says_by_which_sentence_and_why_a_filter_kept_its_passage() -> None:
    kept = evidence(use=Use("错误码为字符串类型", "写明了类型"))
    drawn = Parts(cards((Source(kept, SPOT, True),), (), ZH))
    assert "能直接用来回答：写明了类型" in drawn.text
    assert "<q>错误码为字符串类型</q>" in cards((Source(kept, SPOT, True),), (), ZH)
    assert "能直接用来回答" not in Parts(cards((Source(evidence(), SPOT, True),), (), ZH)).text
    hostile = Parts(cards((Source(evidence(use=Use(HOSTILE, HOSTILE)), SPOT, True),), (), ZH))
    assert {tag for tag, _ in hostile.tags} == {tag for tag, _ in drawn.tags}


def test_programs_get_the_key_passage_and_the_reason_that_it_was_kept_for() -> None:
    used = evidence(use=Use("错误码为字符串类型", "写明了类型"))
    kept, unfiltered = sources(turn(sources=(used, evidence(2))), ZH)
    assert (kept["key_passage"], kept["key_passage_reason"]) == ("错误码为字符串类型", "写明了类型")
    assert (unfiltered["key_passage"], unfiltered["key_passage_reason"]) == (None, None)


def test_a_deleted_document_leaves_its_text() -> None:
    parts = Parts(cards((Source(evidence(), None, True),), (), ZH))
    assert "这份资料已被删除" in parts.text and "错误码为字符串类型" in parts.text
    assert "data-document" not in parts.of_class("source")[0]


def test_a_tables_header_stands_apart_from_the_passage() -> None:
    item = evidence(text="客户 | 占比\n甲 | 12%")
    parts = Parts(cards((Source(item, replace(SPOT, span=(500, 500 + len("甲 | 12%"))), True),), (), ZH))
    assert parts.of_class("context")
    assert not Parts(cards((Source(item, replace(SPOT, span=(500, 500 + len(item.text))), True),), (), ZH)).of_class(
        "context"
    )


def test_a_passage_does_not_repeat_the_heading_of_the_line_above() -> None:
    item = evidence(text="(一)错误码\n错误码为字符串类型。", heading_path=("二、异常日志", "(一) 错误码"))
    spot = replace(SPOT, span=(500, 500 + len(item.text)))
    assert '<div class="text">错误码为字符串类型。</div>' in cards((Source(item, spot, True),), (), ZH)
    alone = replace(item, text="(一) 错误码")
    assert '<div class="text">(一) 错误码</div>' in cards((Source(alone, None, True),), (), ZH)


def test_the_sources_of_other_turns_are_offered_by_their_questions() -> None:
    other = turn("那它是什么类型？")
    parts = Parts(cards((Source(evidence(), SPOT, True),), (other,), ZH, of="错误码的格式"))
    assert "“错误码的格式”的资料" in parts.text and "其他问题的资料（1）" in parts.text
    assert [values["data-turn-sources"] for _, values in parts.tags if "data-turn-sources" in values] == [other.turn_id]
