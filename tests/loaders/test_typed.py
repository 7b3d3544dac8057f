from pathlib import Path

import pytest

from loaders import load


@pytest.mark.parametrize(
    "entries",
    [
        [
            "北京某某科技有限公司（信用代码91110000123456789X）联系人张三 13800000000",
            "上海某某贸易有限公司（信用代码91310000123456789X）联系人李四 13900000000",
            "广州某某物流有限公司（信用代码91440000123456789X）联系人王五 13700000000",
        ],
        [
            "2024年1月1日 签订采购合同，金额三十万元，供应商为北京某某科技有限公司，付款方式月结",
            "2024年2月1日 签订服务合同，金额二十万元，供应商为上海某某贸易有限公司，付款方式季结",
        ],
        [
            "A：打开设置页面，点击账号与安全，选择修改密码，输入旧密码和新密码后保存即可生效",
            "Q：如何注销账号，联系管理员并提交申请之后要等多久才能完成，个人数据会不会一并删除",
        ],
        [
            "王主任：下周的检查要提前准备，请各部门把台账和隐患整改的记录在周三之前交到办公室",
            "李经理：我们部门的台账已经整理好，还差两处整改的照片，明天去现场拍好以后一起上交",
        ],
        [
            "华东大区的年度目标包括上海，江苏，浙江三地，其中重点客户要占七成以上，合计1200万元",
            "华南大区的年度目标包括广东和广西两地，其中新客户要占三成以上，全年合计不低于950万元",
        ],
    ],
    ids=["contacts", "contracts", "questions", "minutes", "amounts"],
)
def test_entries_that_begin_or_end_alike_stay_lines_however_long_they_are(entries: list[str], tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("\n".join(["名单", *entries]), "utf-8")
    assert load(path).text.split("\n") == ["名单", *entries]


def test_what_follows_entries_that_end_alike_is_none(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    lines = [
        "北京某某科技有限公司的联系人是销售部的张三，请拨打电话 13800000000",
        "上海某某贸易有限公司的联系人是市场部的李四，请拨打电话 13900000000",
        "以上内容由综合办公室整理。",
    ]
    path.write_text("\n".join(lines), "utf-8")
    assert load(path).text.split("\n") == lines


def test_an_entry_goes_on_in_the_next_line(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    lines = [
        "2024年1月1日 会议讨论了下一年度的预算安排，财务部的人员也参加",
        "了会议，一致决定削减差旅费，而研发方面的投入在下一年度则保持",
        "不变。",
        "2024年2月1日 会议听取了各部门的汇报。",
    ]
    path.write_text("\n".join(lines), "utf-8")
    assert load(path).text.split("\n") == ["".join(lines[:3]), lines[3]]


def test_years_that_the_ends_of_lines_cut_are_no_entries(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    lines = [
        "本公司的前身是一家成立于上世纪八十年代的国有企业，当时是19",
        "85年，经过多次的改制和重组，现在的名称则是从二十年前即是20",
        "05年开始使用的。",
    ]
    path.write_text("\n".join(lines), "utf-8")
    assert "\n" not in load(path).text


def test_the_lines_of_a_paragraph_may_have_as_many_commas(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    lines = [
        "会议讨论了下一年度的预算安排，财务部的人员也参加了会议，一致",
        "决定削减各部门的差旅费和招待费，研发投入保持不变，由财务部门",
        "在月底之前报送调整之后的方案，经总经理办公会审议以后执行，并",
        "通知全体人员。",
    ]
    path.write_text("\n".join(lines), "utf-8")
    assert load(path).text == "".join(lines)


def test_lines_of_a_paragraph_of_figures_are_no_entries_though_they_have_the_same_marks(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    lines = [
        "按收入来源分，2023年全国居民人均工资性收入22053元，增长7.1%，",
        "占可支配收入的比重为56.2%；人均经营净收入6542元，增长6.0%，占可",
        "支配收入的比重为16.7%；人均财产净收入3362元，增长4.2%，占可支配",
        "收入的比重为8.6%。",
    ]
    path.write_text("\n".join(lines), "utf-8")
    assert load(path).text == "".join(lines)


@pytest.mark.parametrize("months", ["2018.04 - 2021.07", "2018年4月至2021年7月", "2018/04—至今", "2018-04 至今"])
def test_a_post_of_a_career_is_a_line_by_itself(tmp_path: Path, months: str) -> None:
    path = tmp_path / "a.txt"
    lines = [
        "曾任工程师。",
        f"{months} 上海云帆信息技术有限公司 订单中心 后端开发工程师",
        "负责订单中心的设计，日均处理订单一百二十万笔。",
    ]
    path.write_text("\n".join(lines), "utf-8")
    assert load(path).text.split("\n") == lines


def test_a_sentence_that_begins_with_months_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    lines = [
        "2018年4月至2021年7月 在上海的公司任后端开发工程师，负责订单中心",
        "的设计与开发，日均处理订单一百二十万笔。",
    ]
    path.write_text("\n".join(lines), "utf-8")
    assert load(path).text == "".join(lines)
