"""Whether a question is about all of a document, or about a part of it that it calls by its title.

Such a question has no subject: without the words in which people ask about documents, those of the TOML file beside
this one, nothing is left.
"""

import re

from rag.language import words
from rag.language.rows import pattern_of, read_rows
from rag.language.segmentation import blanked
from rag.language.titles import reports_in_full
from rag.language.writing import asks_to_write, written_about
from rag.types import Kind, Place, SectionNumber

_ROWS = read_rows(__file__)
_WORDS = {name: row for rows in _ROWS.values() for name, row in rows.items()}
_WORDS["sum_up"] += words.SUMMING_UP.split("|")
_WORDS["document"] += words.DOCUMENTS.split("|")
_WORDS["document_after_this"] += words.KINDS_OF_DOCUMENT.split("|")
# A longer question, or a longer lead to a title, is about something in particular.
_LONGEST = 120
_LONGEST_LEAD = 30


def _any(*rows: str) -> str:
    """A pattern of any word of some rows; English ones in the plural too, and not within another word."""
    found = sorted({word for row in rows for word in _WORDS[row]}, key=len, reverse=True)
    return f"(?:{'|'.join(rf'(?<![a-z]){word}s?(?![a-z])' if word.isascii() else word for word in found)})"


_CALLED_SO = _any("document", "document_after_this")
_DOCUMENT = pattern_of(
    _any("all_of_it"),
    # 这份租赁合同, the attached report; but not 这里最好的三本书.
    rf"{_any('this')}(?P<said>(?:(?![的里])[\u4e00-\u9fffA-Za-z\d ]){{0,10}}?)"
    rf"(?P<word>{_CALLED_SO})",
    # 输出的文件有哪些 asks for what a program or a person makes.
    rf"(?<!(?:输出|生成|使用|采用|产生)的)(?<!输出){_any('document')}",
)
# 该公司年报 may be anybody's, and 这三份 tells how many.
_NO_KIND = re.compile(r"(?:[这那此]|\d+|[一两三四五六七八九十几]+)[份个篇本部套]|家?(?:公司|集团|企业|单位)")
_OF_ANY_KIND = re.compile(_any("any_document"), re.IGNORECASE)
# 这些文件 and 这两份 are not one; in 这个问题在资料里 the word points to something else.
_THIS_DOCUMENT = pattern_of(
    rf"(?:这|该|此|本|刚[刚才]?上?传的)(?![些几]|(?:\d+|[两三四五六七八九十]+)[份个篇本部套])(?:(?![的里中在和与])[\u4e00-\u9fff]){{0,6}}?{_CALLED_SO}",
    rf"\b(?:this|the) (?:[a-z]+ )?{_CALLED_SO}(?<!s)",
    "本文|全文|全书|通篇",
)
_USUAL = pattern_of(r"(?:\d+|[一二三四五六七八九十百]+)(?=[个\s]?(?:字|[句段]话|点|条|words))", _any(*_ROWS["words"]))
_CONTENTS = pattern_of(_any("contents"), rf"{_any('count')} ?{_any('part')}")
_STRUCTURE = pattern_of(_any("structure"))
_ALL_OF_IT = pattern_of(
    _any("sum_up"),
    rf"{_any('each')} ?{_any('part')}",
    rf"{_any('mostly')}[都是 ]*{_any('gist', 'tell')}",
    r"\bwhat.*\babout\b",
)
_TELLS = pattern_of(
    rf"{_any('tell')}[的了述是些]*{_any('what')}(?!时)", rf"{_any('what')}.*{_any('tell')}", _any("speak")
)
_HOLDS = pattern_of(_any("gist"), rf"{_any('hold')}[的了是些]*{_any('what')}(?!时)")
_IS_WHAT = pattern_of(
    rf"{_any('document')}[里中]?是{_any('what')}",
    rf"是(?:[一几两]?[份篇本个部些])?{_any('what')}样?的?{_CALLED_SO}",
)
_TITLE = pattern_of(
    # By itself it is a request for one.
    "摘要(?=部分|[讲说写])",
    _any("title"),
    r"附(?:[录件表]\s*[a-z]?|\s*(?=[一二三四五六七八九十\d]))[一二三四五六七八九十\d]{0,2}",
    r"\bappendix(?: [a-z\d])?\b",
)
_FIRST_PAGE = ("首页", "封面")
# What a document says of itself, at its beginning or its end: its title, who wrote or issued it, and when.
_MADE = _any("made")
_ASKS_IT = pattern_of(_any("asks_it"))
_OF_ITSELF = pattern_of(
    _any("own_title") + "称?",
    rf"(?P<called>{_CALLED_SO})的?(?:名称|名字)",
    _any("maker"),
    rf"(?:由|是|被)*(?:谁|哪[个家些位]?(?:单位|部门|人|机构|机关|公司|学校)?){_MADE}出?(?:[的了]|(?!\w))",
    rf"[是于]*(?:什么时候|何时|哪一?[年天月日]){_MADE}出?(?:[的了]|(?!\w))",
    rf"\b(?:who|when was)\s+{_MADE}",
    rf"{_MADE}的?(?:日期|时间|年份|单位|机关|机构|部门|人|者)",
)
# 数据条例 is called by its name.
_CALLED = re.compile(rf"{_CALLED_SO}$", re.IGNORECASE)
_WITHIN = pattern_of("部分|里|中", _any("tell"))
# What asks for something in particular by itself: 第3章是谁写的.
_PARTICULAR = pattern_of(
    r"谁|为[什何]|什么时|多少(?!个?(?:章|部分))|多[大久长高远]|几[天年月日点岁]|怎么(?!样)|如何|\b(?:who|why|when|where)\b"
)
# What a title says is not asked: 《机器学习概述》.
_TITLED = re.compile(r"《([^《》]+)》")
_NO_WORD = re.compile(r"[\W_]+")


def whole_document(question: str, alone: bool) -> Place | None:
    """The documents that a question is about as a whole: with the terms that it says besides, and their titles."""
    if len(question) > _LONGEST:
        return None
    said, titles = _TITLED.sub(" ", question), tuple(_TITLED.findall(question))
    rest, documents = _DOCUMENT.subn(" ", said)
    is_named = bool(documents or titles)
    if asks_to_write(question):
        about = besides(written_about(question))
        return Place(about=about, titles=titles, names_documents=is_named, writes=True)
    called = _asked_of_itself(said)
    if called is not None and (alone or is_named or called):
        return Place(about=called, titles=titles, names_documents=bool(is_named or called), of_itself=True)
    about = besides(rest)
    if not (alone or is_named) or (not about and left_besides(rest)):
        return None
    divided = bool(_CONTENTS.search(said) or (_STRUCTURE.search(said) and (is_named or not about)))
    asks = divided or _ALL_OF_IT.search(said) or (is_named and _asks_of(said, rest, about))
    return Place(about=about, divided=divided, titles=titles, names_documents=divided or is_named) if asks else None


def _asked_of_itself(said: str) -> tuple[str, ...] | None:
    """For a question that asks what a document says of itself and nothing besides, the terms by which it names one.

    None for any other question: 论文题目是什么 and 数据条例是谁印发的 are such, 作者的观点是什么 is not.
    """
    left, count = _OF_ITSELF.subn(lambda match: match["called"] or " ", said)
    if not count:
        return None
    left = _NO_WORD.sub(" ", _ASKS_IT.sub(" ", left)).strip()
    if not _DOCUMENT.sub("", left).strip():
        return ()
    return words.terms(left) if left in said and _CALLED.search(left) else None


def _asks_of(question: str, rest: str, about: tuple[str, ...]) -> bool:
    """Whether a question that names a document asks what it tells, or, with no subject besides, what it holds or is."""
    return bool(_TELLS.search(rest) or (not about and (_HOLDS.search(rest) or _IS_WHAT.search(question))))


def points_to_document(question: str) -> bool:
    """Whether a question is about one document that it points to instead of naming it: 这份扫描文档."""
    return len(question) <= _LONGEST and _THIS_DOCUMENT.search(question) is not None


def without_document(question: str) -> str:
    """A question without the words that point to one document: 的作者是谁 of 这本书的作者是谁."""
    return _THIS_DOCUMENT.sub(" ", question) if len(question) <= _LONGEST else question


def kind_called(question: str) -> Kind | None:
    """What a question calls the documents that it points to; None where they may be any, and for 这个计划: it may be
    what a document tells of."""
    for match in _DOCUMENT.finditer(_TITLED.sub(" ", question)):
        before, word = left_besides(blanked(_NO_KIND, match["said"] or "")), reports_in_full(match["word"] or "")
        if _OF_ANY_KIND.fullmatch(word):
            word = ""
        called = words.terms(reports_in_full(f"{before} {word}" if word.isascii() else before + word))
        said = tuple(term for term in called if term not in words.terms(word))
        if said or (called and "个" not in match["said"]):
            return Kind(called, said)
    return None


def titled_part(question: str, alone: bool) -> Place | None:
    """The part that a question is about and calls by its title, with the question's terms besides: 前言写了什么."""
    if len(question) > _LONGEST:
        return None
    for match in _TITLE.finditer(question):
        before, after = question[: match.start()], question[match.end() :]
        rest, documents = _DOCUMENT.subn(" ", before)
        asks_before = not before.isascii() and words.ASKS.search(before)
        if len(before) > _LONGEST_LEAD or left_besides(after) or asks_before:
            continue
        if alone or documents or _WITHIN.search(after):
            about, is_first = besides(rest), match[0] in _FIRST_PAGE
            if about and is_first:
                return None
            return Place((1,)) if is_first else Place(sections=(SectionNumber((), title=match[0]),), about=about)
    return None


def besides(text: str) -> tuple[str, ...]:
    """The terms of what a question says besides a place, less what asks for nothing in particular."""
    left, particular = left_besides(text), _PARTICULAR.search(text)
    if particular:
        return words.terms(left) or (particular[0],)
    # A character that is left over is of some word: 按哪个键.
    return words.terms(left) or tuple(words.without_filler(left).split())


def left_besides(text: str) -> str:
    """What is left of a text without the words by which people ask about documents."""
    return _NO_WORD.sub(" ", blanked(_USUAL, _DOCUMENT.sub(" ", text))).strip()
