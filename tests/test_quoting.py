"""What is quoted behind a model that knows no answer."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from rag import i18n
from rag.embeddings.encoder import Encoder
from rag.knowledge.similarities import similarities
from rag.language.refusals import refuses
from rag.quoting import Quoted, knew_nothing, nearest, nearest_quote, quoted_behind, quoted_blocks
from rag.types import Similarity
from tests.fakes import FixedEmbeddings
from tests.knowledge import TOKENIZER, by_words
from tests.samples import evidence


@pytest.mark.parametrize(
    ("answer", "unknown"),
    [
        ("我不知道，资料中没有相关内容。", True),
        ("抱歉，我无法回答这个问题。", True),
        ("资料中没有提到年终奖。", True),
        ("资料未说明利率。", True),
        ("I don't know, the documents say nothing about it.", True),
        ("年假为十天[1]。", False),
        ("公司没有班车[1]。", False),
        ("我不知道全名，但资料说他姓张。", False),
        ("资料中没有提到年终奖。年假为十天。", False),
        ("资料中没有提到时间限制，随时可以报销。", False),
        ("没有任何限制。", False),
        ("不包含任何税费。", False),
        ("没有相关工作经验的人不能报名。", False),
        ("不清楚的地方请咨询人事部。", False),
        ("不知道密码的，可拨打总机。", False),
        ("没有相关规定要求员工缴纳押金。", False),
        ("资料中没有有关押金的要求，因此员工不需要缴纳。", False),
        ("没有找到相关内容。", True),
        ("没有提到年假的规定。", True),
        ("我不知道，因为资料中没有提到年假的天数。", True),
        ("根据资料，无法回答该问题，因为没有提到年假。", True),
        ("抱歉，资料中没有找到与年终奖有关的内容，因此无法回答。", True),
        ("", False),
    ],
)
def test_an_answer_that_knows_nothing_is_told_from_one_that_says_something(answer: str, unknown: bool) -> None:
    assert refuses(answer) is unknown


def test_the_two_sentences_that_come_nearest_are_quoted_in_their_order_each_once() -> None:
    def by_length(_question: str, texts: Sequence[str]) -> list[Similarity]:
        return [Similarity(0.8 + len(text) / 1000) for text in texts]

    held = (evidence(1, "短句在此。这是最长的一句话呀。"), evidence(2, "这是最长的一句话呀。稍微长一点的。"))
    assert nearest_quote("问题", held, by_length) == "> 这是最长的一句话呀。[1]\n>\n> 稍微长一点的。[2]"
    assert nearest_quote("问题", (), by_length) == ""


def test_a_sentence_that_is_far_behind_the_nearest_is_not_quoted_beside_it() -> None:
    def fixed(_question: str, texts: Sequence[str]) -> list[Similarity]:
        return [
            {"甲是第一句。": Similarity(0.9), "乙是第二句。": Similarity(0.83)}.get(text, Similarity(0.8))
            for text in texts
        ]

    best = nearest("问题", [evidence(1, "甲是第一句。丙是第三句。乙是第二句。")], fixed, 3)
    assert [sentence.text for sentence in best] == ["甲是第一句。", "乙是第二句。"]


def test_of_two_sentences_about_as_near_the_one_that_has_what_is_asked_for_is_quoted() -> None:
    def alike(_question: str, texts: Sequence[str]) -> list[Similarity]:
        return [Similarity(0.9 if "写明" in text else 0.895) for text in texts]

    passage = [evidence(1, "保修期在合同中写明。保修期为两年。")]
    assert nearest("保修期是多久？", passage, alike, 1)[0].text == "保修期为两年。"
    assert nearest("保修期谁定？", passage, alike, 1)[0].text == "保修期在合同中写明。"


def test_of_what_a_document_says_of_itself_its_beginning_is_quoted_beside_what_is_nearest() -> None:
    front = [evidence(1, "配电网的规划\n张三、李四著\n本文研究供电。用电越来越多。论文题目由学院定。")]
    asked = "论文题目是什么？"
    quoted = [[one.text for one in nearest(asked, front, by_words, limit)] for limit in (3, 2)]
    assert quoted == [
        ["配电网的规划", "张三、李四著", "论文题目由学院定。"],
        ["配电网的规划", "论文题目由学院定。"],
    ]
    assert "配电网的规划" not in [one.text for one in nearest("论文题目怎么定？", front, by_words, 3)]


def test_of_two_sentences_about_as_near_the_one_in_the_document_of_the_first_passage_is_quoted() -> None:
    def alike(_question: str, texts: Sequence[str]) -> list[Similarity]:
        return [Similarity(0.805 if "五万元" in text else 0.8 if "保证金" in text else 0.7) for text in texts]

    own, other = evidence(1, "开标时间另行通知。"), replace(evidence(2, "投标保证金为五万元。"), document_id="other")
    same = evidence(3, "本项目不收投标保证金。")
    assert [one.number for one in nearest("保证金要交吗？", [own, other, same], alike, 1)] == [3]
    assert [one.number for one in nearest("保证金要交吗？", [other, own, same], alike, 1)] == [2]


def test_what_a_form_leaves_open_is_not_quoted() -> None:
    form = "甲方名称：\n联系人：联系电话：\n地址：\n经双方协商，签订本合同。"
    filled = "会务组的联系人：李明\n联系电话：010-6677"
    quoted = [one.text for one in nearest("联系电话是多少？", [evidence(1, form), evidence(2, filled)], by_words, 3)]
    assert not any("联系电话：" in text and "010" not in text for text in quoted)
    assert any("010-6677" in text for text in quoted)
    rows = "序号 | 名称 | 说明\n1 | 勘察 | 不组织。联系电话： / 。\n2 | 咨询 | 拨打联系电话 12345。"
    assert [one.text for one in nearest("联系电话", [evidence(1, rows)], by_words, 1)] == [
        "2 | 咨询 | 拨打联系电话 12345。"
    ]


def test_of_a_row_that_is_quoted_the_empty_cells_at_its_ends_are_not() -> None:
    assert quoted_blocks([Quoted("服务期限 |", 1), Quoted("| 甲 |  | 乙", 2)]) == ["服务期限[1]", "甲 |  | 乙[2]"]


@pytest.mark.parametrize("caption", ["图 3-2 插件的安装", "图 3：插件的安装", "图2.1 插件的安装"])
def test_a_caption_of_a_picture_is_not_quoted_but_tells_what_stands_below_it(caption: str) -> None:
    passage = f"{caption}\n先解压文件，再重启程序。\n插件的作者是张三。"
    assert [one.text for one in nearest("插件怎么安装", [evidence(1, passage)], by_words, 1)] == [
        "先解压文件，再重启程序。"
    ]


def test_the_title_that_was_asked_gives_its_place_to_what_stands_behind_it() -> None:
    notes = (evidence(1, "一、食堂的开放时间\n每天七点开门。\n食堂的桌椅请勿挪动。"),)
    assert "食堂的开放时间" not in nearest_quote("食堂的开放时间是什么？", notes, by_words)
    assert "每天七点开门。[1]" in nearest_quote("食堂的开放时间是什么？", notes, by_words)


FAQ = """悦读书城会员常见问题
问：会员卡怎么办理？
答：凭身份证到任一门店办理，或在小程序自助办理，工本费10元，首次消费满200元返还。会员卡不能转借。
问：会员卡丢了怎么办？
答：致电400-820-1188挂失，补卡费5元，积分保留。
问：可以带宠物吗？
答：可以。"""


def test_of_a_question_its_answer_is_quoted_behind_it() -> None:
    quoted = nearest_quote("会员卡丢了", (evidence(3, FAQ),), by_words)
    assert quoted == "> 问：会员卡丢了怎么办？[3]\n>\n> 答：致电400-820-1188挂失，补卡费5元，积分保留。[3]"
    assert nearest_quote("宠物", (evidence(1, FAQ),), by_words) == "> 问：可以带宠物吗？[1]\n>\n> 答：可以。[1]"


@pytest.mark.parametrize(
    ("passage", "quoted"),
    [
        ("办理停车证需要什么？\n（一）行驶证；\n（二）身份证复印件。", "行驶证；（二）身份证复印件。"),
        ("停车证办理须知如下：\n一、所需材料如下：\n行驶证和身份证。", "行驶证和身份证。"),
        ("Q1: 停车证的办理\nA1: 到物业领取。\nQ2: 门禁的办理\nA2: 到前台领取。", "A1: 到物业领取。"),
    ],
)
def test_a_line_that_leads_on_is_quoted_with_what_it_leads_to(passage: str, quoted: str) -> None:
    best = nearest("停车证", [evidence(1, passage)], by_words, 1)
    assert best[0].text.endswith(quoted)
    assert best[0].lead.startswith(passage.split("\n", maxsplit=1)[0])


@pytest.mark.parametrize("line", ["停车证怎么办理？", "停车证办理安排如下：", "一、停车证的办理"])
def test_what_leads_to_nothing_is_not_quoted_beside_what_says_something(line: str) -> None:
    held = [evidence(1, f"班车每天七点发车。\n{line}"), evidence(2, "车证每月一百元。")]
    assert "停车证" not in "".join(quoted_blocks(nearest("停车证", held, by_words, 2)))


def test_the_title_of_a_document_is_not_quoted_but_the_first_of_several_entries_is() -> None:
    titled = evidence(1, "云杉软件差旅报销制度（2023版）\n文件编号：CW-08\n出差补助每天一百元。")
    assert "制度" not in nearest_quote("云杉软件2023版差旅报销制度的补助", (titled,), by_words)
    entries = evidence(1, "总机 820-1188\n人事 820-1189\n财务 820-1190")
    assert "总机 820-1188[1]" in nearest_quote("总机的号码", (entries,), by_words)


@pytest.mark.parametrize("title", ["第二条 押金", "第二条：押金", "第二条", "【押金】"])
def test_the_title_of_an_article_is_no_part_of_what_is_quoted(title: str) -> None:
    passage = f"付款方式：\n每月支付。\n{title}\n押金为两个月租金。"
    quoted = quoted_blocks(nearest("押金怎么付款", [evidence(1, passage)], by_words, 2))
    assert quoted == ["付款方式：[1]", "每月支付。[1]", "押金为两个月租金。[1]"]


INSURANCE = """安心百万医疗险A款产品说明书
1 投保条件
出生满28天至60周岁可以投保。
2 等待期
自合同生效之日起30天为等待期。
3 保费
年龄 | 有医保
0-5岁 | 786"""


def test_titles_that_are_counted_without_a_point_are_no_part_of_what_is_quoted_nor_is_the_one_above_them() -> None:
    for limit in (1, 2, 3):
        quoted = nearest("安心百万医疗险A款的等待期是多少天？", [evidence(1, INSURANCE)], by_words, limit)
        assert "自合同生效之日起30天为等待期。" in [one.text for one in quoted]
        assert not [one.text for one in quoted if one.text in INSURANCE.split("\n")[:2]]
    steps = "1 打开电源\n2 等待指示灯亮\n3 关上盖子"
    assert "> 2 等待指示灯亮[1]" in nearest_quote("指示灯", (evidence(1, steps),), by_words)


def test_a_heading_that_asks_without_a_mark_leads_to_its_answer() -> None:
    passage = "六、资料保存在哪里，别人能看到我的文件吗\n\n文件都保存在运行问渠的那台机器上。"
    (best,) = nearest("我的资料会保存在哪里，谁能看到？", [evidence(1, passage)], by_words, 1)
    assert best.text == "文件都保存在运行问渠的那台机器上。"


@pytest.mark.parametrize("following", ["第四条 病假为五天", "第二章 附则", "满一年后可以使用。"])
def test_an_article_whose_text_stands_in_its_line_is_quoted_whole(following: str) -> None:
    article = "第三条 年假为10天" if following.endswith("。") else "第三条 年假为十天"
    assert f"{article}[1]" in nearest_quote("年假几天", (evidence(1, f"{article}\n{following}"),), by_words)


def test_lines_of_a_chat_that_are_quoted_together_are_parted() -> None:
    chat = "6点？\n6点半吧 求求了\n2025-04-28 22:31:52 老张\n行 6点半"
    assert "6点半吧 求求了 2025-04-28 22:31:52 老张" in nearest_quote("6点半", (evidence(1, chat),), by_words)


def test_what_begins_with_a_figure_is_quoted_without_a_blank_before_it() -> None:
    assert nearest_quote("租期", (evidence(1, "1.1 租期共两年。"),), by_words) == "> 1.1 租期共两年。[1]"


@pytest.mark.parametrize(
    "said",
    [
        i18n.text(i18n.Language.ZH, "own_answer.nearest", quote=""),
        i18n.text(i18n.Language.EN, "own_answer.nearest", quote=""),
        "我不知道，资料中没有相关内容。\n\n资料里最接近的原文是：\n\n",
    ],
)
def test_what_was_quoted_as_the_nearest_is_no_answer(said: str) -> None:
    quoted = "> 双休日不安排出勤。[1]\n>\n> 周一至周五九点上班。[1]"
    answer = said + quoted
    assert quoted_behind(answer) == "双休日不安排出勤。[1]\n周一至周五九点上班。[1]"
    assert knew_nothing(answer)


@pytest.mark.parametrize(
    ("answer", "nothing"),
    [
        ("我不知道，资料中没有相关内容。", True),
        ("我不知道，资料中没有相关内容[1]。", True),
        ("没有提到年假的规定。", True),
        ("I don’t know, the documents say nothing about it.", True),
        ("规定如下：\n\n> 双休日不安排出勤。[1]", False),
        ("我不知道，资料中没有相关内容。\n\n年假为十天。", False),
        ("没有任何限制。", False),
        ("The documents do not require a deposit.", False),
    ],
)
def test_an_answer_knew_nothing_where_it_says_no_more_than_that_there_is_none(answer: str, nothing: bool) -> None:
    assert knew_nothing(answer) is nothing


def test_a_sentence_is_near_by_meaning_or_by_shared_words_and_by_these_alone_where_the_model_fails() -> None:
    texts = ["双休日不安排出勤。", "餐费补贴每天一百元。"]
    meaning = Encoder(FixedEmbeddings({"周六要来吗": (1, 0), texts[0]: (1, 0.1), texts[1]: (0, 1)}), "m")
    rest, meals = similarities("周六要来吗", texts, meaning, TOKENIZER.words)
    assert rest.total > 0.9
    assert meals.total < 0.1
    broken = Encoder(FixedEmbeddings({}), "m")
    rest, meals = similarities("餐费补贴是多少", texts, broken, TOKENIZER.words)
    assert meals.total > rest.total == 0.0


def test_of_several_things_that_are_asked_for_the_whole_list_is_quoted_and_else_its_beginning() -> None:
    reasons = [f"（{number}）第{number}种情形，成绩在一年里没有达到学校所要求的学分；" for number in range(1, 6)]
    passage = (evidence(1, "\n".join(["有下列情形之一的，予以退学：", *reasons, "退学由学院决定。"])),)
    assert all(reason in nearest_quote("退学的情形有哪些", passage, by_words) for reason in reasons)
    assert reasons[-1] not in nearest_quote("什么情形予以退学", passage, by_words)


def test_a_picture_in_markdown_is_not_quoted() -> None:
    passage = (evidence(1, "前十大重仓股见下。\n![图 1: 前十大重仓股](charts/top.png)"),)
    assert nearest_quote("前十大重仓股", passage, by_words) == "> 前十大重仓股见下。[1]"
