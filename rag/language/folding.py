"""One form of text for comparing: width, case, and Traditional and Simplified characters make no difference in it."""

import re
import unicodedata
from functools import cache, lru_cache
from importlib.metadata import version
from typing import Any

from loaders.symbols import PARTS_OF_HANZI

# Chinese characters, within the brackets of a pattern.
HAN = r"\u3400-\u4dbf\u4e00-\u9fff"
CHINESE = re.compile(rf"[{HAN}]+")
# What turns the direction of writing: of "10" behind one of these, "01" is read, be its marker verified or not.
TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
# What is stored in folded form has to be made anew where this differs.
VERSION = f"weekdays-parts-nfkc-{unicodedata.unidata_version}-opencc-{version('opencc')}"

# All but Chinese characters, their punctuation and ASCII, with the character that a mark may belong to. To bring these
# alone to their compatible form takes a quarter of the time.
_UNCOMMON = re.compile(r"[ -~]?[^\u3001-\u3029\u4e00-\u9fff\n -~]+")
# 礼拜天 and 星期日 are 周日; 两个星期一次 and 一星期一次 name no day.
_WEEKDAY = re.compile(r"(?<![个几每半\d一两二三四五六七八九十])(?:星期|礼拜)([一二三四五六日天])(?!天|个)")


def fold(text: str) -> str:
    """A text in compatible characters, lower case, Simplified Chinese and one name for each weekday, for comparing."""
    plain = _UNCOMMON.sub(lambda match: _compatible(match[0]), text).casefold()
    return _WEEKDAY.sub(lambda match: f"周{match[1].replace('天', '日')}", simplified(plain))


def _compatible(text: str) -> str:
    return unicodedata.normalize("NFKC", text.translate(PARTS_OF_HANZI))


@lru_cache(maxsize=1024)
def fold_name(text: str) -> str:
    """What `fold` makes of a document's name, its titles or its beginning: the same come with each question."""
    return fold(text)


def encodable(text: str) -> str:
    """A text without lone surrogates: JSON can name them, but UTF-8, databases and OpenCC refuse them."""
    return text.encode("utf-8", "replace").decode()


def simplified(text: str) -> str:
    """A text in Simplified Chinese, its case and width as they are."""
    return str(_simplifier().convert(encodable(text)))


@cache
def _simplifier() -> Any:
    """OpenCC by phrases: 乾隆 keeps its 乾, and 頭髮 and 發展 part. It may be used by many threads at once."""
    from opencc import OpenCC

    return OpenCC("t2s")
