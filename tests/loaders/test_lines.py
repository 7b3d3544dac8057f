import random
import re
import time
from dataclasses import replace

import pytest

from loaders.headings import bare
from loaders.lines import TextLine, to_rows, with_notes
from loaders.paragraphs import join_lines


def line(text: str, index: int, left: float = 70, right: float = 530, size: float = 12) -> TextLine:
    bottom = 700 - 20 * index
    return TextLine(text, left, right, bottom, bottom + size, size)


def test_a_full_line_that_ends_no_sentence_is_joined_with_the_next() -> None:
    lines = [line("高血压患者应当每天", 0), line("测量血压", 1, right=150)]
    assert join_lines(lines) == "高血压患者应当每天测量血压"


@pytest.mark.parametrize(
    ("full", "goes_on"),
    [
        ("设数组 data[m]作为循环队列\tSQ 的存储空间，\tfront 为队头指针，则执", True),
        ("word2vec.vec\t可选，预训练词向量，若不存在则将随机初始化，长度为五十", False),  # a term and what it means
        ("基础设施建设工程以及其他辅助设施的建设投入\t35000\t2024年完成的部分", False),  # no sentence
    ],
)
def test_wide_gaps_around_latin_words_of_a_sentence_are_no_borders_of_cells(full: str, goes_on: bool) -> None:
    rows = [
        line(full, 0),
        line("行出队操作后", 1, right=250),
        line("其头指针的值与队尾指针的值应当相等的条件是什么", 2),
    ]
    assert (f"{full.rsplit(maxsplit=1)[-1]}行出队" in join_lines(rows)) is goes_on


def test_latin_words_are_joined_with_a_blank() -> None:
    lines = [
        line("retrieval augmented generation is a way to", 0),
        line("answer questions with", 1),
    ]
    assert join_lines(lines) == "retrieval augmented generation is a way to answer questions with"


def test_a_number_goes_on_behind_its_hyphen_without_a_blank() -> None:
    for cut, rest in (("编号为HT-2024-", "001，由双方签订。"), ("编号为 HT-", "2024，由双方签订。")):
        assert join_lines([line(cut, 0), line(rest, 1)]) == cut + rest
    assert join_lines([line("这些是pre-", 0), line("and post-方法。", 1)]) == "这些是pre- and post-方法。"


def test_a_short_line_stays_apart() -> None:
    assert join_lines([line("项目", 0, right=100), line("高血压患者应当每天", 1)]) == "项目\n高血压患者应当每天"


def test_headings_items_rows_and_code_stay_apart() -> None:
    texts = [
        "第一章 总则",
        "1.1 适用范围",
        "1. 甲方应当",
        "2. 乙方应当",
        "甲\t366\t258",
        "乙\t12\t8",
        "int a = 1;",
        "int b = 2;",
    ]
    assert join_lines([line(text, index) for index, text in enumerate(texts)]).count("\n") == len(texts) - 1


def test_a_title_of_the_outline_stays_apart() -> None:
    lines = [line("注意力机制", 0), line("大脑神经系统", 1)]
    assert join_lines(lines, apart={bare("注意力 机制")}) == "注意力机制\n大脑神经系统"
    assert join_lines(lines) == "注意力机制大脑神经系统"


def test_a_sentence_goes_on_in_the_next_column() -> None:
    lines = [line("全部用中文或量", 30, 50, 285), line("符号。", 0, 307, 340)]
    assert join_lines(lines) == "全部用中文或量符号。"


def test_what_stands_above_a_column_and_runs_further_does_not_part_its_lines() -> None:
    above = [line("摘要写满整个页面的宽度。", 0, 50, 544, 9), line("关键词：摘要。", 1, 50, 285, 9)]
    texts = ["自动摘要旨在", "将长篇文档", "压缩为核心", "信息的短", "文本"]
    column = [line(text, index, 50, 288, 9) for index, text in enumerate(texts, 2)]
    assert join_lines([*above, *column]).split("\n")[2:] == ["".join(texts)]


def test_a_table_that_is_wider_than_a_column_does_not_part_its_lines() -> None:
    table = [replace(line(f"甲 | {index}", index, 50, 544, 10), verbatim=True) for index in range(3)]
    column = [line(f"第{index}行文字写满了这一栏，后面", index, 50, 288, 10) for index in range(3, 6)]
    assert join_lines([*table, *column]).count("\n") == 3


def test_a_sentence_over_two_lines_of_a_narrow_column_is_joined() -> None:
    assert join_lines([line("很多方法也都是机", 0, 23, 120, 11), line("器学习方法。", 1, 23, 90, 11)]).count("\n") == 0


def test_short_lines_of_a_list_and_a_signature_stay_apart() -> None:
    contact = [
        line("邮箱：a@example.com", 0, 23, 144, 11),
        line("现居：滨江市", 1, 23, 108, 11),
        line("出生", 2, 23, 60, 11),
    ]
    assert join_lines(contact).count("\n") == 2
    signed = [
        line("请按期报送。", 0, 80, 300, 16),
        line("云岭省教育厅", 1, 394, 490, 16),
        line("2024年2月26日", 2, 396, 504, 16),
    ]
    assert join_lines(signed) == "请按期报送。\n云岭省教育厅\n2024年2月26日"


def test_the_lines_of_a_centred_title_are_joined() -> None:
    title = [line("关于做好春季学期中小学校园", 0, 130, 465, 22), line("安全工作的通知", 1, 220, 375, 22)]
    assert join_lines(title) == "关于做好春季学期中小学校园安全工作的通知"


def test_room_for_an_answer_and_a_spaced_out_line_are_no_cells() -> None:
    question = [line("据此判断该城市的气", 0), line("候类型是（\t）", 1, right=300)]
    assert join_lines(question) == "据此判断该城市的气候类型是（）"
    assert join_lines([line("又\t一\t段", 0), line("文\t字", 1, right=200)]) == "又一段文字"


def test_options_and_commands_begin_a_line() -> None:
    options = [line("B. 地势高，日照时间长", 0), line("C. 距海远，降水少", 1), line("– 可以补充说明", 2)]
    assert join_lines(options).count("\n") == 2
    commands = [
        "$ tar xzf a.tgz && cd a",
        "$ ./install.sh --prefix=/opt a b c",
        's.run("插入", (1, "张三"))',
        "for row in s:",
    ]
    assert join_lines([line(text, index) for index, text in enumerate(commands)]).split("\n") == commands


def test_room_to_fill_in_is_no_border_of_cells_and_a_unit_is_a_cell() -> None:
    rows = [line("对于未预留份额的采购项目，对小微企业的报价给予\t/\t%的扣", 0), line("除后参加评审。", 1, right=150)]
    assert join_lines(rows) == "对于未预留份额的采购项目，对小微企业的报价给予 / %的扣除后参加评审。"
    rows = [line("本公司授权张三办理投标事宜，委托期限为签字之日起\t）天，不得转委托，特此证", 0), rows[1]]
    assert "特此证除后" in join_lines(rows)
    table = [line("三年内中小企业增值税税率变化\t%\t13", 0), line("个人所得税率。", 1, right=150)]
    assert join_lines(table).count("\n") == 1


def test_a_line_that_is_parted_between_two_marks_set_close_is_one() -> None:
    lead, quoted = line("一、将第一条修改为：", 0, right=266), line("“为了规范立法活动，提高", 0, left=258)
    assert [row.text for row in to_rows([lead, quoted])] == ["一、将第一条修改为：“为了规范立法活动，提高"]
    over = line("为了规范立法活动，提高", 0, left=258)
    assert len(to_rows([lead, over])) == 2


def test_an_index_stays_in_its_row() -> None:
    base = TextLine("输入 x", 70, 120, 100, 112, 12)
    index = TextLine("i", 120, 123, 98, 105, 7)
    rest = TextLine("的概率", 124, 160, 100, 112, 12)
    assert [row.text for row in to_rows([base, index, rest])] == ["输入 xi的概率"]


def test_cells_of_one_row_are_parted_by_a_tab() -> None:
    cells = [TextLine("总资产", 70, 110, 100, 112, 12), TextLine("12.40", 300, 330, 100, 112, 12)]
    assert [row.text for row in to_rows(cells)] == ["总资产\t12.40"]


def test_a_date_is_a_cell_as_others_are() -> None:
    cells = [TextLine("2024年1月1日", 70, 140, 100, 112, 12), TextLine("12.40", 300, 330, 100, 112, 12)]
    assert [row.text for row in to_rows(cells)] == ["2024年1月1日\t12.40"]


def test_notes_in_the_margin_do_not_cut_up_the_text() -> None:
    body = [line(f"正文第{index}行继续写下去", index, 70, 400) for index in range(4)]
    note = TextLine("旁注", 430, 450, 680, 688, 8)
    text = join_lines(to_rows(with_notes([*body[:2], note, *body[2:]])))
    assert text == "".join(row.text for row in body) + "\n旁注"


def test_the_rest_of_a_row_is_no_note_where_lines_of_its_height_reach_as_far() -> None:
    # Lines that begin or end with digits are higher than those of Chinese characters alone.
    body = [TextLine("正文" * 20, 34, 566 + row, 600 - 20 * row, 612 - 20 * row, 12) for row in range(9)]
    ends = [TextLine("第3条", 34, 150, 400 - 20 * row, 413 - 20 * row, 13.2) for row in range(11)]
    rest = TextLine("承租方：卢晓彤", 357, 555, 600, 612, 12)
    first = replace(body[0], text="出租方：钱国栋", right=345)
    assert not any(piece.note for piece in with_notes([first, rest, *body[1:], *ends]))


def test_smaller_cells_in_a_column_that_long_lines_fill_are_no_notes() -> None:
    left = [line(f"左边一栏的第{index}行文字写满了整行", index, 50, 285) for index in range(8)]
    right = [line(f"右边一栏的第{index}行文字写满了整行", index, 307, 540) for index in (0, 1, 2, 6, 7)]
    cells = [
        TextLine(text, start, start + 24, 700 - 20 * index, 708 - 20 * index, 8)
        for index in (3, 4, 5)
        for text, start in (("方法", 320), ("41.9", 400), ("24.7", 480))
    ]
    assert not any(piece.note for piece in with_notes([*left, *right[:3], *cells, *right[3:]]))


def test_figures_of_a_table_that_are_set_lower_than_its_words_are_no_notes() -> None:
    cells = [
        TextLine(text, left, left + width, 700 - 20 * index, 700 - 20 * index + size, size)
        for index in range(4)
        for text, left, width, size in (
            ("物流组", 70, 40, 10),
            ("王物", 160, 20, 10),
            ("847.5", 250, 25, 9),
            ("127%", 340, 20, 9),
            ("说明", 430, 20, 10),
        )
    ]
    assert not any(piece.note for piece in with_notes(cells))


def test_joining_loses_and_adds_nothing_but_blanks() -> None:
    chance = random.Random(7)
    parts = [
        "张三",
        "抄",
        "送",
        "，",
        "（",
        "）",
        "第一章",
        "3.5",
        "a",
        " ",
        "  ",
        "\u3000",
        "\t",
        "if x",
        "：",
        "一、",
    ]
    for _ in range(500):
        texts = ["".join(chance.choices(parts, k=9)) for _ in range(4)]
        rows = [replace(line(text, index), verbatim=chance.random() < 0.2) for index, text in enumerate(texts)]
        assert once(join_lines(rows)) == once("".join(texts))


def once(text: str) -> str:
    """Text without blanks, and each of its marks once where it is repeated."""
    return re.sub(r"([，：])\1+", r"\1", bare(text))


def test_short_lines_that_end_at_one_place_by_chance_stay_apart_and_a_narrow_sentence_does_not() -> None:
    entries = [line("□适用 √不适用", 0, 90, 170, 10), line("关联租赁情况说明", 1, 90, 172, 10)]
    assert join_lines(entries) == "□适用 √不适用\n关联租赁情况说明"
    narrow = [line("本公司没有租赁，也没有", 0, 90, 170, 10), line("对外的关联担保情况", 1, 90, 172, 10)]
    assert join_lines(narrow) == "本公司没有租赁，也没有对外的关联担保情况"


def test_a_line_that_ends_early_because_a_latin_word_did_not_fit_goes_on() -> None:
    full = line("这是写满了的一行，它一直写到了栏的边缘，后面还有文字没有写完", 0)
    early = line("通过反射来调用方法，找不到时会抛出", 1, right=455)
    assert join_lines([full, early, line("NoSuchMethodException 异常", 2, right=250)]).count("\n") == 0
    assert join_lines([full, early, line("Map 集合的异常", 2, right=250)]).count("\n") == 1
    assert join_lines([full, early, line("一定会有异常", 2, right=250)]).count("\n") == 1


def test_a_line_may_end_earlier_where_a_character_and_a_mark_begin_the_next() -> None:
    full = line("这是写满了的一行，它一直写到了栏的边缘，后面还有文字没有写完", 0)
    early = line("市内交通补助每人每天六十元，接待方统一安排用餐", 1, right=507)
    assert join_lines([full, early, line("的，伙食补助减半发放", 2, right=250)]).count("\n") == 0
    assert join_lines([full, early, line("的伙食补助，减半发放", 2, right=250)]).count("\n") == 1


def test_a_short_line_of_a_narrow_list_does_not_go_on_with_a_long_name() -> None:
    names = [line("已经停用的方法，见", 0, right=180), line("NoSuchMethodException", 1, right=240)]
    assert join_lines(names).count("\n") == 1


def test_an_article_begins_a_line_however_its_number_is_written() -> None:
    texts = ["第 1 条 租赁期限为一年，自签订之日起计算", "第 2 條 本法用詞，定義如下", "第三節 附則"]
    assert join_lines([line(text, index) for index, text in enumerate(texts)]).split("\n") == texts


def test_a_bullet_of_word_begins_a_line_and_is_no_cell() -> None:
    rows = [
        piece
        for index, text in enumerate(["建立健全安全生产规章制度", "督促检查安全生产工作"])
        for piece in (line("\uf06c", index, 70, 76), line(text, index, 100))
    ]
    assert join_lines(to_rows(rows)) == "● 建立健全安全生产规章制度\n● 督促检查安全生产工作"


def test_a_numbered_line_that_is_indented_and_fills_its_column_goes_on_further_left() -> None:
    order = "一、被告于本判决生效之日起十日内偿还原告借款本金"
    above = [line("本院认为，被告未按约定期限归还借款，构成违约，判决", 0), line("如下：", 1, right=106)]
    below = line("100000元；", 3, right=130)
    assert join_lines([*above, line(order, 2, left=94), below]).split("\n")[-1] == f"{order}100000元；"
    short = line("一、总体要求", 2, left=94, right=170)
    for title in (line(order, 2), line(order, 2, left=94, right=480), short):
        assert join_lines([*above, title, below]).split("\n")[-2:] == [title.text, below.text]
    centred = [line("第一章 关于进一步加强和规范采购管理工作的", 0, 88, 512), line("若干规定以及有关事项的说明", 1)]
    assert join_lines(centred).count("\n") == 1
    assert join_lines([*above, line(order, 2, left=94), below], apart={order}).count("\n") == 2


def test_a_numbered_line_that_fills_its_column_goes_on_below_its_text_where_it_is_an_item() -> None:
    clause = "2.5.3 组成联合体的小微企业与联合体内其他企业、分包"
    rest = line("企业之间存在控股关系的，不享受优惠政策。", 1, left=115, right=450)
    following = line("2.5.4 价格扣除比例不作区分。", 2, right=400)
    assert join_lines([line(clause, 0), rest, following]).split("\n") == [clause + rest.text, following.text]
    hanging = line("其他情形由采购人说明，并在文件中载明理由。", 2, left=115, right=450)
    middle = line("企业之间存在控股关系的，不享受价格扣除优惠政策，但", 1, left=115)
    assert join_lines([line(clause, 0), middle, hanging]) == clause + middle.text + hanging.text
    paragraph = [line("本条所称企业，以工商登记为准，包括其分支机构和", 1, left=94), line("办事处。", 2, right=118)]
    assert join_lines([line(clause, 0), *paragraph]).split("\n")[0] == clause


def test_a_line_that_alone_shows_an_edge_goes_on_only_near_the_edge_of_the_whole_page() -> None:
    form = [line("房屋租赁合同", 0, right=142), line("出租方（甲方）：滨江市安居物业管理有限公司", 1, right=310)]
    form += [line("由经理王建国代表", 2, right=178)]
    texts = ["住所：滨江市", "电话：010", "承租方（乙方）：李四", "住所：滨江市"]
    rest = [line(text, index, right=160) for index, text in enumerate(texts, 3)]
    clauses = [line(f"第{index}条约定的内容写满了整行，它一直写到边缘", index) for index in range(7, 10)]
    assert join_lines([*form, *rest, *clauses]).split("\n")[:3] == [row.text for row in form]
    assert join_lines([*form, *rest]).split("\n")[1] == form[1].text + form[2].text
    sentence = [*form[:2], line("依照约定出租。", 2, right=150)]
    assert join_lines([*sentence, *rest, *clauses]).split("\n")[1] == form[1].text + "依照约定出租。"


def test_an_address_or_a_path_goes_on_without_a_blank_and_words_behind_one_do_not() -> None:
    for cut, rest in (("说明见 /usr/share/", "doc/README。"), ("见 http://", "a.org。")):
        assert join_lines([line(cut, 0), line(rest, 1)]) == cut + rest
    apart = [line("the scripts are kept in the folder /etc/init.d/", 0), line("and in no other one.", 1)]
    assert join_lines(apart) == "the scripts are kept in the folder /etc/init.d/ and in no other one."


def test_labels_and_the_numbered_lines_of_a_listing_stay_apart() -> None:
    for texts in (
        ["7 把压力设为 3", "8 把温度设为 5", "9 启动水泵"],
        ["优点：快速响应高频问题，节省资源", "缺点：用户问题变化多样，泛化性一般"],
        ["毛利率=(营业收入-营业成本)/营业收入", "三费比重=(销售费用+管理费用+财务费用)/营业收入"],
    ):
        assert join_lines([line(text, index) for index, text in enumerate(texts)]) == "\n".join(texts)
    speech = [line("李四骂道：“你走吧。”张", 0), line("三笑道：“那我走了。”", 1, right=200)]
    assert join_lines(speech) == "李四骂道：“你走吧。”张三笑道：“那我走了。”"


def test_what_stands_beside_a_term_is_not_the_rest_of_what_it_means() -> None:
    head = replace(line("第 x 期\t20xx 年 xx 月", 0, right=168), bottom=746, top=754, size=8)
    beside = replace(line("应用概率统计", 0, left=310), bottom=755.5, top=763.5, size=8)
    assert join_lines([head, beside]) == "第 x 期 20xx 年 xx 月\n应用概率统计"


def test_what_a_term_means_goes_on_indented_below_it_and_a_figure_beside_a_name_does_not() -> None:
    rest = line("测量两次血压并记下结果。", 1, left=94)
    filling = [line("测量之前应当静坐五分钟，并且不要抽烟，不要喝咖啡或者浓茶，", 3), line("也不要说话。", 4)]
    term = line("家庭自测\t每天早晚各一次，在固定的时间坐着", 0)
    assert join_lines([term, rest, *filling]).startswith("家庭自测 每天早晚各一次，在固定的时间坐着测量两次")
    assert "\n" in join_lines([line("收缩压\t140", 0), rest])
    assert join_lines([term, replace(rest, left=70), *filling]).startswith(f"{term.text.replace(chr(9), ' ')}\n")


def test_the_lines_of_a_note_that_is_set_in_on_both_sides_are_joined_and_listed_formulas_are_not() -> None:
    around = "本文的各行写满整个页面的宽度，注释框里的文字却从两边都缩进了几个字的位置"
    boxed = ["这种做法可以用在任何版本管理的工具里，但是会把所有修改合并到同一个补", "丁里，请保持数据公开。"]
    lines = [line(f"{around}。", 0), line(f"{around}。", 1)]
    lines += [
        line(text, index, 112, right)
        for index, (text, right) in enumerate(zip(boxed * 2, [480, 300] * 2, strict=True), 2)
    ]
    assert join_lines(lines).split("\n")[2:] == ["".join(boxed)] * 2
    formulas = [line("P (y1 | y2, . . . , y3) = P (y1 | y2)", index, 112, 480) for index in (2, 3)]
    assert join_lines([*lines[:2], *formulas]).count("\n") == 3


def test_two_lines_that_run_over_the_edge_do_not_part_those_that_reach_it() -> None:
    full = "测量之前应当静坐五分钟，并且不要抽烟也不要喝咖啡或者浓茶以及其他含"
    ends = [560, 530, 200, 565, 530, 300, 530, 530]
    lines = [line(full if end > 500 else "咖啡因的饮料。", index, right=end) for index, end in enumerate(ends)]
    assert join_lines(lines).split("\n") == [f"{full}{full}咖啡因的饮料。"] * 2 + [f"{full}{full}"]


@pytest.mark.clock
@pytest.mark.parametrize("typed", [True, False])
def test_thousands_of_lines_that_reach_the_edge_are_joined_in_no_time(typed: bool) -> None:
    full = "测量之前应当静坐五分钟，并且不要抽烟也不要喝咖啡或者浓茶以及其他含"
    lines = [line(full, index) for index in range(6_000)]
    begun = time.process_time()
    assert join_lines(lines, typed=typed) == full * 6_000
    assert time.process_time() - begun < 3


def test_a_line_as_short_as_many_like_it_does_not_go_on_with_a_title() -> None:
    answer = "□适用 √不适用"
    title = "期末发行在外的优先股、永续债等金融工具变动情况表"
    lines = [line(text, index, right=70 + 12 * len(text)) for index, text in enumerate([answer, title] * 3)]
    assert join_lines(lines).split("\n") == [answer, title] * 3


def test_one_line_that_runs_over_the_edge_does_not_part_the_others() -> None:
    full = "测量之前应当静坐五分钟，并且不要抽烟也不要喝咖啡或者浓茶以及其他含"
    ends = [530, 530, 530, 200, 530, 300, 560, 180, 190]
    lines = [line(full if end > 500 else "咖啡因的饮料。", index, right=end) for index, end in enumerate(ends)]
    assert join_lines(lines).split("\n")[1] == f"{full}咖啡因的饮料。"
