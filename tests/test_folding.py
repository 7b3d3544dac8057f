import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from rag.language.folding import fold


def test_width_case_and_script_make_no_difference() -> None:
    assert fold("ＧＰＵ加速：馬祖國家風景區") == "gpu加速:马祖国家风景区"


def test_characters_are_simplified_by_the_word_that_they_stand_in() -> None:
    assert fold("乾隆的頭髮與發展") == "乾隆的头发与发展"


def test_a_part_of_characters_is_the_character_that_it_looks_like() -> None:
    assert fold("⻛险与⻓期⻔票，⻰⾺") == "风险与长期门票,龙马"


def test_a_day_of_the_week_has_one_name() -> None:
    assert [fold(day) for day in ("星期天", "礼拜日", "周日", "星期六")] == ["周日", "周日", "周日", "周六"]
    assert fold("每两个星期一次，一星期三次") == "每两个星期一次,一星期三次"


def test_a_lone_surrogate_does_no_harm() -> None:
    assert fold("\ud800年假") == "?年假"


@given(st.text(st.sampled_from("aeE1 \u0301\u0323é，。：中々ｶﾞが①ﬁ가ᄀ\u1161\n")))
def test_a_text_has_its_compatible_form_whatever_stands_beside_each_character(text: str) -> None:
    assert fold(text) == unicodedata.normalize("NFKC", text).casefold()
