"""Parties to a contract that a sentence has in another's place."""

import pytest

from tests.citations.reasons import reason_of

SALE = "甲方应于收到货物后三十日内支付货款。乙方应于合同签订后十五日内交货。运费由卖方承担，买方负责卸货。"
LEASE = "承租人负责支付水电费和物业费，出租人负责房屋维修。发包人应向承包人提供图纸。原告主张的违约金过高。"
EACH = (
    "甲方应于收到货物后30日内付款。乙方须在合同签订后15日内交货。出租方（以下称甲方）：王某；质量责任由用人单位承担。"
)


@pytest.mark.parametrize(
    ("sentence", "passage"),
    [
        ("乙方应于收到货物后三十日内支付货款", SALE),
        ("根据合同，乙方应于收到货物后三十日内支付货款", SALE),
        ("甲方应于合同签订后十五日内交货", SALE),
        ("运费由买方承担", SALE),
        ("卖方负责卸货，运费另计", SALE),
        ("出租人负责支付水电费", LEASE),
        ("承租人负责房屋维修", LEASE),
        ("出租方负责支付水电费", LEASE),
        ("被告主张的违约金过高", LEASE),
        ("质量责任由劳动者承担", EACH),
        ("出租方负责水电费，承租方负责维修", "承租方负责水电费，出租方负责维修。"),
    ],
)
def test_a_party_in_the_others_place_is_not_borne_out(sentence: str, passage: str) -> None:
    assert reason_of(sentence, passage) == "exchanged"


@pytest.mark.parametrize(
    ("sentence", "passage"),
    [
        ("甲方应当在收货后30天内支付货款", SALE),
        ("乙方应当于合同签订后15日内交货", SALE),
        ("货款由甲方在收到货物后三十日内支付", SALE),
        ("由卖方承担运费，买方负责卸货", SALE),
        ("承租方负责支付水电费", LEASE),  # 人 and 方 are the same
        ("房屋维修由出租人负责", LEASE),
        ("图纸由发包人提供给承包人", LEASE),
        ("承包人所需的图纸由发包人提供", LEASE),
        ("乙方应于签约后15日内交货", EACH),  # 方应于 stands behind the other
        ("乙方应在合同签订后15日内交货", EACH),
        ("甲方为王某，应于收到货物后30日内付款", EACH),
        ("出租方为王某，须在收到货物后30日内付款", EACH),
    ],
)
def test_a_party_in_its_own_place_is(sentence: str, passage: str) -> None:
    assert reason_of(sentence, passage) is None
