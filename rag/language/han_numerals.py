"""Numbers in Chinese characters: 一千二百, 第三十九, 叁万伍仟; and what is none, as in 统一, 万一, 十分."""

import re
from decimal import Decimal

from rag.language.measures import HAN_MEASURES

_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
# As contracts write amounts; 陆 and 伍 alone are names as well.
_DIGITS |= {char: value for value, char in enumerate("壹贰叁肆伍陆柒捌玖", 1)}
_NAMES = "伍陆"
SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10**4, "亿": 10**8, "拾": 10, "佰": 100, "仟": 1000}
# What makes a lone 三 a number. A lone 一 is a number only before units of measure: 一个, 一些, 一般 are not numbers.
_WITH_ONE = f"年|个月|月|天|日|号|周|小时|分钟|秒|元|岁|倍|级|届|%|{HAN_MEASURES}|个半"
_COUNTED = (
    f"{_WITH_ONE}|个|种|名|人|位|次|项|条|章|节|部|本|类|期|层|米|公里|度|间|张|辆|只|支(?![付持出撑配援])|起|代|集|首|篇|"
    "步|点|方面|阶段|者|大|家|所|场|座|成|块|行|列|字|股|头|台|套|门|份|遍|时(?![候期代间])|"
    "户|笔|枚|轮(?!车)|楼|片|册|株|棵|颗|粒|瓶|箱|袋|盒|桶|罐|幅|栋|幢|艘|架(?!构)|趟|剂|季度|日元"
)
_UP_TO = "(?:[至到~-](?:[零一二两三四五六七八九十百千万]+|\\d+))?"
_COUNTS, _COUNTS_ONE = (re.compile(rf"\s?{_UP_TO}(?:{units})") for units in (_COUNTED, _WITH_ONE))
# 周六门票, but 每周三次.
_WEEK = re.compile(r"(?:(?<![每一两三四五六七八九十几半\d])周|星期|礼拜)$")
_ONE_OF_A_WORD = re.compile("[统唯万划同归合专单不]$")
# Counters of what a text lists: 三种, 四个方面.
CLASSIFIERS = frozenset("个种点类项条部步方")
HAN_NUMERALS = "零〇一二两三四五六七八九十百千万亿壹贰叁肆伍柒捌玖佰仟"
# A small number as people say it: 三, 几, 12.
COUNT = r"[一二两三四五六七八九十几\d]+"
# What numbers a place in a document, as `whole_number` reads it: 12, 十二.
PLACE_NUMBER = rf"(?:\d{{1,4}}|[{HAN_NUMERALS}]{{1,7}})"
# 陆仟, 拾陆元; not 大陆, 十万陆续. 拾万; not 收拾.
HAN_RUN = (
    rf"(?:[{HAN_NUMERALS}]|(?<![收捡拣采])拾|(?<![大内登着水海])陆(?=[拾佰仟万亿])|"
    "(?<=[拾佰仟零])陆(?=[万亿元圆角分份天日年月个人整点]|$))+"
)
# More of a number that cannot be read: what stands before it is not all of it.
_UNREAD = re.compile("[廿卅]|陆(?=[十百千])")


def whole_number(written: str) -> int:
    """The value of a whole number in digits or in Chinese: 12, 十二, 一二."""
    if all(char in _DIGITS for char in written):
        return int("".join(str(_DIGITS[char]) for char in written))
    return int(written) if written.isdecimal() else _spoken(written)


def han_value(run: str, before: str, after: str, is_share: bool) -> Decimal | None:
    """The value of a run of Chinese numerals; None where it is part of a word, as in 统一, 万一, 十分."""
    if _UNREAD.match(after):
        return None
    whole, _, fraction = run.partition("点")
    if len(run) == 1 and not is_share and not before.endswith("第") and not _is_counted(run, before, after):
        return None
    if all(char in _DIGITS for char in whole):
        if len(whole) == 2 and not is_share and not fraction:
            return None
        value = Decimal("".join(str(_DIGITS[char]) for char in whole))
    elif whole[0] in _DIGITS or whole[0] in "十拾":
        # 一万二 is short for 一万二千.
        is_short = not fraction and whole[-1] in _DIGITS and SCALES.get(whole[-2], 0) > SCALES["十"]
        value = Decimal(
            _spoken(whole[:-1]) + _DIGITS[whole[-1]] * SCALES[whole[-2]] // 10 if is_short else _spoken(whole)
        )
    else:
        return None
    return value + (Decimal("0." + "".join(str(_DIGITS[char]) for char in fraction)) if fraction else 0)


def _is_counted(char: str, before: str, after: str) -> bool:
    """Whether a lone numeral stands before a unit: 三户, 三至五年."""
    if (char not in _DIGITS and char != "十") or char in _NAMES or _WEEK.search(before):
        return False
    if char == "一":
        return not _ONE_OF_A_WORD.search(before) and _COUNTS_ONE.match(after) is not None
    return _COUNTS.match(after) is not None


def _spoken(run: str) -> int:
    total = section = digit = 0
    for char in run:
        if char in _DIGITS:
            digit = _DIGITS[char]
        elif (scale := SCALES[char]) < 10**4:
            section += (digit or 1) * scale
            digit = 0
        else:
            total = (total + section + digit) * scale if scale == 10**8 else total + (section + digit) * scale
            section = digit = 0
    return total + section + digit
