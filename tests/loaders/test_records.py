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
