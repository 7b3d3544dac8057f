"""Numbers as they are written in Chinese."""

_DIGITS = "零一二三四五六七八九"


def chinese_number(number: int) -> str:
    """A number below ten thousand in Chinese: 十一, 一百零五."""
    text = ""
    for power, unit in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // power % 10
        if digit:
            text += _DIGITS[digit] + unit
        elif text and not text.endswith("零"):
            text += "零"
    return text.rstrip("零").removeprefix("一" if 10 <= number < 20 else "\0") or "零"
