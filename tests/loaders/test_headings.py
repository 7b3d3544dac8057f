from dataclasses import replace

import pytest

from loaders.heading_detection import detect_headings
from loaders.headings import is_numbered_heading
from loaders.outline import complete_outline, path_at, place_headings
from rag.types import Heading, LoadedDocument, Page, PageHealth
from tests.waiting import within_cpu_seconds


def page(number: int, *lines: str) -> Page:
    return Page(number, str(number), "\n".join(lines), PageHealth.TEXT)


def titles(*lines: str) -> list[tuple[int, str]]:
    return [(heading.level, heading.title) for heading in detect_headings([page(1, *lines)])]


def test_chapters_and_articles_of_a_law() -> None:
    lines = ("第一章 总则", "第一条 为了规范合同，制定本法。", "第二条 本法所称合同是协议。", "第二章 合同的订立")
    assert titles(*lines) == [(1, "第一章 总则"), (2, "第一条"), (2, "第二条"), (1, "第二章 合同的订立")]


def test_a_law_of_more_than_a_thousand_articles_and_the_subdivisions_of_its_parts() -> None:
    lines = (
        "第一编 总则",
        "第一分编 通则",
        "第二分编 物权",
        "第五章 离婚",
        "第九百九十九条 甲。",
        "第一千零一条 乙。",
        "第一千二百三十四条之一 丙。",
    )
    assert titles(*lines) == [
        (1, "第一编 总则"),
        (2, "第一分编 通则"),
        (2, "第二分编 物权"),
        (3, "第五章 离婚"),
        (4, "第九百九十九条"),
        (4, "第一千零一条"),
        (4, "第一千二百三十四条之一"),
    ]


def test_decimal_numbers_with_their_chapters() -> None:
    lines = ("1. 引言", "1.1 背景", "1.1.1 现状", "2. 设备要求", "3 协议", "3.1 报文")
    assert titles(*lines) == [
        (1, "1. 引言"),
        (2, "1.1 背景"),
        (3, "1.1.1 现状"),
        (1, "2. 设备要求"),
        (1, "3 协议"),
        (2, "3.1 报文"),
    ]


@pytest.mark.parametrize(
    "line",
    ["2.1 年假", "4.1 个人信息保护", "3.2 月度报告", "1.3 日常管理", "3.1 元数据", "第四章：违约责任", "第一章 总则"],
)
def test_a_title_may_begin_with_what_is_a_unit_behind_a_number(line: str) -> None:
    assert is_numbered_heading(line)


def test_chinese_numbers() -> None:
    assert titles("一、概述", "（一）范围", "二、方法") == [(1, "一、概述"), (2, "（一）范围"), (1, "二、方法")]


def test_the_chapters_of_a_novel() -> None:
    assert titles("第一回 甄士隐梦幻识通灵", "话说从前。", "第二回", "第三回说到这里") == [
        (1, "第一回 甄士隐梦幻识通灵"),
        (1, "第二回"),
    ]


def test_the_clauses_of_a_standard_stand_below_the_lone_number_before_them() -> None:
    clauses = ("4 整车", "4.1 最高车速：不得超过25 km/h。", "4.2 质量：不得超过55 kg。", "5 防火", "5.1 外壳应阻燃。")
    assert titles(*clauses) == [(1, "4 整车"), (1, "5 防火")]
    assert titles("4 人到场", "天气晴。", "4.1 升的油，已加满。") == []


def test_items_rows_amounts_and_contents_are_no_headings() -> None:
    lines = (
        "1. 甲方应当付款。",
        "1 失败",
        "2 数据解析错误",
        "3.5",
        "1.20 元（含税）",
        "一、公司董事会保证报告的内容真实、准确，不存在遗漏。",
        "第一章 总则 . 4",
        "1.1 背景……5",
        "第三章的内容见附录",
    )
    assert titles(*lines) == []


def test_headings_are_placed_on_their_lines() -> None:
    pages = (page(1, "前言", "正文。"), page(2, "上文的结尾。", "1.1 注意力 机制", "正文。"))
    outline = (Heading(1, "前言", 1), Heading(2, "注意力机制", 2))
    document = LoadedDocument(pages, outline)
    placed = place_headings(document)
    assert [document.text[heading.start :].split("\n")[0] for heading in placed] == ["前言", "1.1 注意力 机制"]
    assert path_at(placed, document.text.index("上文")) == ("前言",)
    assert path_at(placed, len(document.text) - 1) == ("前言", "注意力机制")


def test_a_bookmark_before_a_page_break_belongs_to_the_title_behind_it() -> None:
    pages = (page(1, "1 方法", "正文。"), page(2, "续前文。"), page(3, "2 小结 2019 年", "2 小结", "全文的小结。"))
    outline = (Heading(1, "1 方法", 1), Heading(1, "2 小结", 2))
    document = LoadedDocument(pages, outline)
    placed = place_headings(document)
    assert path_at(placed, document.text.index("续前文")) == ("1 方法",)
    assert path_at(placed, document.text.index("全文的")) == ("2 小结",)
    # One that others of its page follow is not looked for behind them.
    followed = (*outline, Heading(2, "续前文。", 2))
    assert [heading.path for heading in place_headings(LoadedDocument(pages, followed))][-1] == ("2 小结", "续前文。")


def test_a_heading_that_is_not_found_opens_its_page() -> None:
    document = LoadedDocument((page(1, "甲。"), page(2, "乙。")), (Heading(1, "图片里的标题", 2),))
    assert [(heading.start, heading.path) for heading in place_headings(document)] == [(3, ("图片里的标题",))]


def test_the_same_title_in_two_chapters_is_found_twice() -> None:
    outline = tuple(Heading(level, title, 1) for level, title in ((1, "甲"), (2, "小结"), (1, "乙"), (2, "小结")))
    placed = place_headings(LoadedDocument((page(1, "甲", "小结", "。", "乙", "小结", "。"),), outline))
    assert [heading.path for heading in placed] == [("甲",), ("甲", "小结"), ("乙",), ("乙", "小结")]
    assert len({heading.start for heading in placed}) == 4


def test_a_line_that_is_the_title_goes_before_one_that_ends_and_one_that_begins_with_it() -> None:
    text = ["总则的范围", "1.2 总则", "总则", "总则"]
    for found in (2, 1, 0):
        document = LoadedDocument((page(1, "正文。", *text[: found + 1]),), (Heading(1, "总则", 1),))
        assert [heading.start for heading in place_headings(document)] == [[4, 10, 17][found]]
    twice = LoadedDocument((page(1, "正文。", *text),), (Heading(1, "总则", 1), Heading(1, "总则", 1)))
    assert [heading.start for heading in place_headings(twice)] == [17, 20]


def test_titles_that_stand_nowhere_take_no_time() -> None:
    outline = tuple(Heading(1, f"{number}没有的标题", 1) for number in range(4000))
    lines = (f"标题{number}" for number in range(8000))
    with within_cpu_seconds(6):
        assert len(place_headings(LoadedDocument((page(1, *lines),), outline))) == 1


def test_articles_are_placed_where_their_text_begins() -> None:
    pages = (page(1, "第一章 总则", "第一条 为了规范。", "依第二条办理。", "第二条 本法所称。"),)
    document = LoadedDocument(pages, detect_headings(pages))
    placed = place_headings(document)
    assert [document.text[heading.start :][:4] for heading in placed] == ["第一章 ", "第一条 ", "第二条 "]


def test_items_that_count_up_are_headings_where_text_stands_below_them() -> None:
    body = ["这里是正文的第一句话。", "这里是正文的第二句话。"]
    lines = ("一、主要业务", "1、管理模式", *body, "2、研发模式", *body)
    assert titles(*lines) == [(1, "一、主要业务"), (2, "1、管理模式"), (2, "2、研发模式")]


def test_questions_that_count_up_are_headings_where_their_answers_stand_below_them() -> None:
    body = ["这里是正文的第一句话。", "这里是正文的第二句话。"]
    lines = ("1. 如何申请年假？", *body, "2. 年假有几天?", *body, "3. 病假工资", *body)
    assert titles(*lines) == [(1, "1. 如何申请年假？"), (1, "2. 年假有几天?"), (1, "3. 病假工资")]
    assert titles("1. 年假有几天？", "2. 病假有几天？", "3. 事假有几天？", *body) == []


def test_items_of_a_list_are_no_headings() -> None:
    assert titles("一、主要业务", "1、口蹄疫疫苗", "2、猪瘟疫苗", "3、布病疫苗") == [(1, "一、主要业务")]


def test_rows_of_a_table_are_no_headings() -> None:
    assert titles("一、账面原值 |", "二、累计折旧 | 1.0", "第一条 | 总则") == []


def test_an_appendix_is_a_heading() -> None:
    assert titles("附录 A 术语", "附录一", "附录中给出了证明") == [(1, "附录 A 术语"), (1, "附录一")]


def test_the_parts_of_a_paper_need_no_number() -> None:
    lines = ("摘 要", "全文如下。", "1 引言", "1.1 背景", "参考文献", "[1] 张三. 格式.", "References", "致谢三位老师")
    assert titles(*lines) == [(1, "摘 要"), (1, "1 引言"), (2, "1.1 背景"), (1, "参考文献"), (1, "References")]


def test_listed_headings_may_have_commas_where_they_count_up_and_have_text_below() -> None:
    lines = (
        "一、提高站位，压实责任",
        "各地各校要充分认识。",
        "二、突出重点",
        "（一）范围",
        "三、加强值守，及时报送",
        "正文。",
    )
    assert [title for _, title in titles(*lines)] == [lines[0], *lines[2:5]]
    assert titles("一、甲方供货，乙方验收", "二、乙方付款，甲方开票", "三、甲方送货，乙方收货", "正文。") == []
    assert titles("二、提高站位，压实责任", "正文。", "三、突出重点，强化排查", "正文。") == []


def test_a_remark_behind_a_listed_heading_does_not_hide_it() -> None:
    assert titles("一、选择题（本大题共5小题，每小题4分）", "1. 正确的是") == [
        (1, "一、选择题（本大题共5小题，每小题4分）")
    ]


def test_units_lessons_and_whatever_else_is_numbered_are_headings() -> None:
    lines = (
        "第一单元 走进自然",
        "第1课 春天",
        "一. 概述",
        "附件1",
        "附件 2 台账",
        "专题三 函数",
        "案例一",
        "Chapter 1 Limits",
    )
    assert [title for _, title in titles(*lines)] == list(lines)
    assert titles("第一课时完成", "附件1中列出", "案例一说明了", "专题三：见下", "一.5", "Chapters 1") == []


def test_a_name_and_a_number_alone_are_a_heading() -> None:
    names = ("第一编", "第三章", "第二节", "附件 1", "附 件 2", "附录 1", "案例 3", "专题 2", "专题 12")
    lines = [line for name in names for line in (name, "正文。")]
    assert [title for _, title in titles(*lines)] == list(names)
    assert titles("见附件 1", "第三章的", "附件 1。", "附录：", "附录 1：") == []


def test_a_number_that_a_wrapped_sentence_goes_on_with_is_no_heading() -> None:
    assert titles("水位参见第", "4.3.1 节“检查水位”.", "从下一版（即", "2.6 开始的版本）", "2.6 版的水箱更大") == []
    assert titles("2.1 节能措施", "2.2 水箱（大号）", "2.3 版本说明") != []


def test_an_item_of_one_chapter_is_no_heading_above_the_sections_of_a_later_one() -> None:
    lines = ("第 1 章 开机", "1. 水泵", "2. 水箱", "第 2 章 维护", "2.1 清洗", "每月一次。")
    assert titles(*lines) == [(1, "第 1 章 开机"), (1, "第 2 章 维护"), (2, "2.1 清洗")]


def test_a_row_of_symbols_is_no_heading_above_the_sections_of_a_listed_chapter() -> None:
    lines = [
        "五、求解",
        "6 cost 线路单价",
        "7 price 开关单价",
        "如上所述。",
        "六、评价",
        "6.1 优点",
        "简单。",
        "6.2 缺点",
        "慢。",
    ]
    assert "6 cost 线路单价" not in [title for _, title in titles(*lines)]


def test_a_formula_set_larger_is_no_heading() -> None:
    found = detect_headings(
        [page(1, "模型", "文字。", "P = max(D)", "文字。", "结果")], dict.fromkeys(["模型", "P=max(D)", "结果"], 14.0)
    )
    assert [heading.title for heading in found] == ["模型", "结果"]


def test_very_many_headings_take_no_time() -> None:
    lines = [f"第{number}节 标题" for number in range(1, 4000)]
    with within_cpu_seconds(4):
        assert len(detect_headings([page(1, *lines)])) == len(lines)


def test_a_line_as_large_as_the_numbered_headings_it_stands_among_is_one() -> None:
    sizes = {"书名": 30.0, "2.1导数": 16.0, "2.2法则": 16.0, "习题二": 16.0, "跋": 20.0}
    found = detect_headings([page(1, "书名", "2.1 导数", "正文。", "2.2 法则", "习题二", "跋")], sizes)
    assert [(heading.level, heading.title) for heading in found] == [(1, "2.1 导数"), (1, "2.2 法则"), (1, "习题二")]


def test_larger_lines_are_headings_between_the_numbered_ones() -> None:
    pages = [page(1, "员工手册", "入职", "第一章 总则", "请假", "正文。", "第二章 离职", "交接")]
    sizes = {"员工手册": 30.0, "第一章总则": 18.0, "第二章离职": 18.0, "请假": 14.0, "交接": 14.0, "入职": 18.0}
    found = detect_headings(pages, sizes)
    assert [(heading.level, heading.title) for heading in found] == [
        (1, "第一章 总则"),
        (2, "请假"),
        (1, "第二章 离职"),
        (2, "交接"),
    ]


def test_one_large_heading_among_small_ones_does_not_make_its_level_large() -> None:
    pages = [page(1, "第一章 总则", "说明", "正文。", "第二章 入职", "正文。", "第三章 离职", "正文。", "说明")]
    found = detect_headings(pages, {"第一章总则": 18.0, "说明": 14.0})
    assert [(heading.level, heading.title) for heading in found] == [
        (2, "第一章 总则"),
        (1, "说明"),
        (2, "第二章 入职"),
        (2, "第三章 离职"),
        (1, "说明"),
    ]


def test_lines_of_very_many_sizes_are_no_deeper_than_nine_levels() -> None:
    lines = [f"甲{'乙' * index}" for index in range(30) for _ in range(2)]
    sizes = {line: 100.0 - index // 2 for index, line in enumerate(lines)}
    found = detect_headings([page(1, *lines)], sizes)
    assert [heading.level for heading in found] == [min(index // 2 + 1, 9) for index in range(60)]


def test_one_heading_of_the_files_own_does_not_hide_those_that_are_typed() -> None:
    pages = [page(1, "员工手册", "欢迎加入。", "第一章 总则", "甲。"), page(2, "第二章 休假", "乙。", "说明", "丙。")]
    chapters = Heading(1, "第一章 总则", 1), Heading(1, "第二章 休假", 2)
    below = tuple(replace(chapter, level=2) for chapter in chapters)
    assert complete_outline([Heading(1, "员工手册", 1)], pages) == (Heading(1, "员工手册", 1), *below)
    assert complete_outline([Heading(3, "第一章总则", 1)], pages) == chapters
    assert complete_outline([Heading(1, "休假", 2)], pages) == chapters
    assert complete_outline([], pages) == chapters


def test_headings_of_the_files_own_stand_alone_where_they_are_several_or_no_more_are_typed() -> None:
    pages = [page(1, "员工手册", "第一章 总则", "甲。", "附则", "乙。")]
    for own in ((Heading(1, "员工手册", 1),), (Heading(1, "员工手册", 1), Heading(1, "附则", 1))):
        assert complete_outline(own, pages) == own


def test_an_article_s_number_may_have_blanks_and_be_traditional() -> None:
    assert titles("第 1 条 房屋位于北京。", "第三節 附則", "第 86 條 本法自公布日施行。", "第二條之一 特別規定") == [
        (2, "第 1 条"),
        (1, "第三節 附則"),
        (2, "第 86 條"),
        (2, "第二條之一 特別規定"),
    ]
    assert titles("第 1 条规定了房屋。", "第 3 條件不成立") == []


def test_an_attachment_with_a_colon_is_a_heading_but_not_in_a_list_of_them() -> None:
    text = "检查内容包括消防设施和用电安全。"
    assert titles("附件1：安全检查表", text, "附件 2: 隐患整改表", text) == [
        (1, "附件1：安全检查表"),
        (1, "附件 2: 隐患整改表"),
    ]
    assert titles("附件1：安全检查表", "附件2：隐患整改表", "某市教育局") == []
    assert titles("附件1：详见下文，请逐项填写。", text) == []


def test_a_chapter_without_sections_is_a_heading_in_its_turn_where_text_follows() -> None:
    text = "这是本章的正文，写得不长。"
    lines = (
        "1 引言",
        text,
        "2 相关工作",
        "2.1 稀疏检索",
        text,
        "3 方法",
        text,
        "4 实验",
        "4.1 数据集",
        text,
        "5 结论",
        text,
    )
    assert titles(*lines) == [
        (1, "1 引言"),
        (1, "2 相关工作"),
        (2, "2.1 稀疏检索"),
        (1, "3 方法"),
        (1, "4 实验"),
        (2, "4.1 数据集"),
        (1, "5 结论"),
    ]


def test_values_that_count_on_from_a_chapter_without_text_below_are_no_headings() -> None:
    values = ("0 成功", "1 失败", "2 解析错误")
    assert titles(*values, "3 协议", "3.1 报文", "报文如下：", "4 心跳", "5 应答") == [(1, "3 协议"), (2, "3.1 报文")]


def test_an_article_has_its_title_unless_its_text_follows_on_the_line() -> None:
    long = f"第四条 甲方应当{'在合理的期限以内' * 5}交付"
    lines = ("第一条 房屋基本情况", "第二条 租期为三年。", "第三条 押金", long)
    assert [title for _, title in titles(*lines)] == ["第一条 房屋基本情况", "第二条", "第三条 押金", "第四条"]


def test_an_article_s_number_may_be_followed_by_a_colon_or_a_comma_but_not_by_another_one() -> None:
    lines = ("第一条：租赁房屋", "第二条、租赁期限", "第三条: 租金", "第四条：租金为每月三千元，按季支付。")
    assert [title for _, title in titles(*lines)] == [*lines[:3], "第四条"]
    assert titles("第五条、第六条规定的期限", "第七条，第八条") == []


def test_listed_headings_may_end_with_a_colon_where_they_count_up_and_have_text_below() -> None:
    lines = ("一、总则：", "为规范考勤，制定本制度。", "二、工作时间（试行）：", "每天八小时。")
    assert [title for _, title in titles(*lines)] == [lines[0], lines[2]]
    assert titles("一、姓名：", "二、性别：", "三、年龄：") == []


def test_labels_in_brackets_are_headings_below_all_others_and_their_text_may_follow_on_the_line() -> None:
    lines = ("第一章 药品", "【成份】本品含布洛芬。", "【规格】0.3克", "【禁忌】", "1.过敏者禁用。", "2.孕妇禁用。")
    assert titles(*lines) == [(1, "第一章 药品"), (2, "【成份】"), (2, "【规格】"), (2, "【禁忌】")]
    pages = (page(1, *lines[:4], "用药以前，务必阅读【禁忌】", lines[4]),)
    placed = place_headings(LoadedDocument(pages, detect_headings(pages)))
    assert [pages[0].text[heading.start :][:4] for heading in placed] == ["第一章 ", "【成份】", "【规格】", "【禁忌】"]


def test_labels_that_come_again_or_are_few_or_are_cells_are_no_headings() -> None:
    assert titles("1.选A。", "【答案】A", "【解析】略", "2.选B。", "【答案】B", "【解析】略", "【点睛】略") == []
    assert titles("【成份】布洛芬", "【规格】0.3克") == []
    assert titles("【成份】 | 布洛芬", "【规格】 | 0.3克", "【禁忌】 | 过敏") == []


def test_chapters_stand_under_their_own_titles_behind_a_list_of_them() -> None:
    contents = ("第一章 总则", "第二章 附则")
    pages = (page(1, "目录", *contents, contents[0], "甲。", contents[1], "乙。"),)
    document = LoadedDocument(pages, detect_headings(pages))
    placed = place_headings(document)
    assert [path_at(placed, document.text.index(text)) for text in ("甲。", "乙。")] == [(title,) for title in contents]


def test_chapters_that_are_listed_and_come_again_are_headings_where_their_text_is() -> None:
    chapters = ("第一章 总则", "第二章 经营与服务", "第三章 法律责任（另册）", "第四章 附则")
    body = (
        "第一章 总则",
        "本条例所称的企业。",
        "第二章 经营与服务",
        "企业应当公示价格。",
        "第四章 附则",
        "自发布之日起施行。",
    )
    pages = (page(1, "目录", *chapters), page(2, *body))
    assert [(heading.page, heading.title) for heading in detect_headings(pages)] == [(2, line) for line in body[::2]]
    alone = (page(1, *chapters, "本条例所称的企业。"),)
    assert [heading.title for heading in detect_headings(alone)] == list(chapters)
