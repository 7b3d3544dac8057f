"""Numbers of places of a document, as the question names them."""

import pytest

from tests.citations.reasons import reason_of_last

PATENT = (
    "权利要求书\n1. 一种充电背包，包括太阳能板，由四块子板通过柔性铰链连接。\n"
    "2. 根据权利要求1所述的背包，所述柔性铰链为硅橡胶材质，弯折寿命不低于20000次。\n"
    "3. 根据权利要求1所述的背包，所述蓄电池的容量为20000毫安时。"
)
CONTRACT = "表1 各期租金\n首期 | 500\n附件一的约定优先，附件二为设备清单：空调一台。\n(三)乙方不得转租，见第二条。"


@pytest.mark.parametrize(
    ("question", "answer", "passage"),
    [
        ("权利要求2说了什么？", "权利要求2说了柔性铰链为硅橡胶材质[1]", PATENT),
        ("权利要求2和3的内容是什么？", "权利要求2说了柔性铰链为硅橡胶材质[1]", PATENT),
        ("表2里首期是多少？", "表2里首期租金为500[1]", CONTRACT),
        ("第三项是什么？", "第三项是乙方不得转租[1]", CONTRACT),
    ],
)
def test_the_number_of_a_place_that_the_question_names_needs_no_bearing_out(
    question: str, answer: str, passage: str
) -> None:
    assert reason_of_last(answer, passage, question) is None


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("权利要求2说了什么？", "权利要求4说了柔性铰链为硅橡胶材质[1]"),
        ("权利要求2说了什么？", "权利要求2说了弯折寿命不低于2000次[1]"),
        ("弯折2次以上的铰链是什么？", "权利要求2次说了柔性铰链弯折寿命不低于2次[1]"),
    ],
)
def test_any_other_number_does(question: str, answer: str) -> None:
    assert reason_of_last(answer, PATENT, question) == "number"
