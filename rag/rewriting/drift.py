"""Whether a model's rewrite of a question drifts: what it drops of the question, and what it brings in from nowhere."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from loaders.cleaning import normalise
from rag.language import words
from rag.language.denials import denials
from rag.language.folding import CHINESE, HAN, simplified
from rag.language.follow_up import LINK_IN_ENGLISH, has_pronoun
from rag.language.han_numerals import COUNT
from rag.language.lexicon import SURNAMES, lexicon
from rag.language.numbers import Number, replace_numbers
from rag.language.segmentation import segmenter, uncut
from rag.language.words import PlainQuestion

_LABEL = re.compile(r"^(?:完整问题|改写后的问题|改写|追问|问题|Question)\s*[：:]\s*", re.IGNORECASE)
_QUOTED = re.compile(r"[《「『“\"‘]([^》」』”\"’]+)[》」』”\"’]")
_EXCEPTION = re.compile(
    r"除(?!此).{1,20}?外|除[了去开]|(?<!此)[以之]外|\b(?:except|other than|apart from|besides)\b", re.IGNORECASE
)
# 这本书, 他们, 这两个 and 另外两个 are what a rewrite puts names for; 除此之外 only goes on.
_POINTED_WITH = re.compile(
    rf"[这那][本首部位座篇家个](?!{COUNT})[{HAN}]|[前后两二]者|两[个种](?=都)|"
    rf"(?:这|那(?=两)|[他她它]们|另外|其余|其[他中]){COUNT}(?:个(?!月)|[位种条项点步类])|[他她它]们|另外|其余|除?此[之以]?外"
)
# Of 第二个 a rewrite may tell what it is.
_ONE_OF_THEM = re.compile(rf"第{COUNT}(?:个(?!月)|[位种])")
_JOINT = re.compile(r"以及|或者|[、&和与跟及]|或(?!许)|\b(?:and|or)\b", re.IGNORECASE)
_CODE = re.compile(r"[A-Za-z][A-Za-z0-9._+-]*[A-Za-z0-9]|[A-Z](?![A-Za-z0-9])")
# In an English question only what looks like a name must stay: other words change their form.
_ENGLISH_NAME = re.compile(r"\b(?:(?<=[a-z,] )(?=[A-Z])|(?=[A-Za-z._+-]+[A-Z\d]))[A-Za-z][A-Za-z0-9._+-]*[A-Za-z0-9]")
_LATIN = re.compile(r"[A-Za-z_]+[-.]?")
_AT_THE_END = re.compile(rf"([{HAN}]+|[A-Za-z]+)\s*$")
_AT_THE_BEGINNING = re.compile(rf"\s*([{HAN}]+|[A-Za-z]+)")
_ONLY_NAMES = re.compile("呢[，,：:。 ]")
# Ways to ask: 多久 may become 多长时间.
_WAYS_TO_ASK = re.compile(
    r"多长时间|多少时间|[何啥]时|什么时[候间]|[能可]否|为[何啥]|何[处种地]|哪[天年月位]|多[久大少]"
)
_NEW_WORD = re.compile(rf"[{HAN}]{{2,}}")


def accept_rewrite(reply: str, question: str, earlier: Sequence[str], told: Sequence[str] = ()) -> str | None:
    """The rewritten question in a model's reply, or None where the reply cannot be one.

    Small models give back an earlier question, begin to answer, or drift to something else: a rewrite keeps what
    the question says, and adds only what the `earlier` questions or the rest of the conversation, `told`, say.
    """
    lines = [line.strip() for line in reply.strip().splitlines() if line.strip()]
    if not lines:
        return None
    rewrite = _LABEL.sub("", lines[0]).strip('“”" ')
    plain = words.plainly(rewrite)
    repeats = any(without_marks(plain) == without_marks(words.plainly(former)) for former in earlier)
    too_long = len(rewrite) > 2 * len(question) + 60
    # What follows on 晚上呢， has to ask by itself.
    answers = bool(words.ASKS.search(words.plainly(question)) and not words.ASKS.search(_ONLY_NAMES.sub("", plain)))
    drifts = bool(dropped(question, rewrite) or brought_in(rewrite, (question, *earlier, *told)))
    return None if not without_marks(plain) or repeats or too_long or answers or drifts else rewrite


def without_marks(question: PlainQuestion) -> str:
    """A question without the marks at its ends."""
    return question.strip("？?。！! ")


def dropped(question: str, rewrite: str) -> frozenset[str]:
    """What a rewrite lost of a question: numbers, names, negations, one of two things named together, or all said."""
    question, rewrite = words.plainly(question), words.plainly(rewrite)
    kept = rewrite.lower()
    codes = (_CODE if CHINESE.search(question) else _ENGLISH_NAME).findall(question)
    names = {code for code in codes if not words.stands_in(code.lower(), kept)}
    quoted = {title for title in _QUOTED.findall(question) if title.lower() not in kept}
    own = _POINTED_WITH.sub(" ", question if _ONE_OF_THEM.search(rewrite) else _ONE_OF_THEM.sub(" ", question))
    numbers = _unlike(_numbers(own), _numbers(rewrite))
    lost = _lost_words(question, own, kept) | _lost_negation(question, rewrite) | set(_exchanged(own, kept))
    return frozenset(names | quoted | numbers | lost)


def brought_in(rewrite: str, known: Sequence[str]) -> frozenset[str]:
    """Latin words, numbers, names and Chinese words of a rewrite that stand nowhere in the known texts.

    A Chinese character counts as known where a pair that holds it is known, so words may be recombined; a new word is
    two or more characters that are not known. Names may not: of 张三 and 李四 comes no 张四.
    """
    told = simplified(normalise("\n".join(known)))
    everything = told.lower()
    text = words.plainly(rewrite).lower()
    pairs = [place for place in range(len(text) - 1) if text[place : place + 2] in everything]
    covered = {*pairs, *(place + 1 for place in pairs)}
    left = "".join(" " if place in covered else character for place, character in enumerate(text))
    codes = {code for code in _CODE.findall(words.without_filler(text)) if not _begins_in(code, everything)}
    new_words = _NEW_WORD.findall(words.without_filler(_WAYS_TO_ASK.sub(" ", replace_numbers(left)[0])))
    numbers = _unlike(_numbers(text), _numbers(told))
    return frozenset({*codes, *numbers, *new_words, *_new_names(text, everything)})


def lost_numbers(question: str, put: str) -> set[str]:
    """The numbers in digits that a question has and what it was put as, maybe in another language, has in no form."""
    asked, told = words.plainly(question), words.plainly(put)
    known = set(words.NUMBER.findall(told))
    return {lost for lost in _unlike(_numbers(asked), _numbers(told)) if set(words.NUMBER.findall(lost)) - known}


def keeps_denials(question: str, put: str) -> bool:
    """Whether a question denies as much in other words: 放糖吗 does not ask what 不放糖 says."""
    return len(denials(question, range(len(question)))) == len(denials(put, range(len(put))))


def _numbers(text: str) -> tuple[Number, ...]:
    """The numbers of a text, those in the codes of things among them: 200 of X200."""
    return replace_numbers(_LATIN.sub(" ", text))[1]


def _unlike(numbers: Collection[Number], others: Collection[Number]) -> set[str]:
    """Numbers that are none of the others, however these are written; 5 is none of 15, 5月 none of 5天."""
    return {number.written.strip() for number in numbers if not any(_is_same(number, other) for other in others)}


def _is_same(number: Number, other: Number) -> bool:
    if number.kind and other.kind and number.kind != other.kind:
        return False
    if "clock" in (number.kind, other.kind):
        return number.agrees(other)
    short, whole = sorted((number.value, other.value))
    # 19年 is 2019年.
    is_short = number.kind == other.kind == "year" and 9 < short < 100 < whole and whole % 100 == short
    return short == whole or is_short


def _lost_words(question: str, own: str, kept: str) -> set[str]:
    """Of a question's own words, those on either side of an "and" that are lost, and all where none is kept."""
    is_chinese = CHINESE.search(question) is not None
    if not is_chinese and (not LINK_IN_ENGLISH.match(question) or has_pronoun(question)):
        return set()
    said, terms = ({term for term in words.terms(text) if term.isascii() != is_chinese} for text in (question, own))
    # What a question lacks may be put into the midst of it: 去哪买好 is 去哪买拖鞋好.
    is_left = any(_is_kept(term, kept) or (is_chinese and re.search(".+".join(term), kept)) for term in said)
    return (set() if is_left else terms) | {side for side in _sides(own) if not _is_kept(side, kept)}


def _exchanged(own: str, kept: str) -> Iterator[str]:
    """Words of a question for which a rewrite has their counterpart, which differs in one character: 期末 for 期初."""
    there = _words(kept)
    for word in _words(own):
        like = re.compile("|".join(f"{word[:at]}(?!的)[{HAN}]{word[at + 1 :]}" for at in range(len(word))))
        # Of two characters, half of a word is like another: only whole ones count.
        found = filter(like.fullmatch, there) if len(word) == 2 else (match[0] for match in uncut(like, kept))
        # What a question lacks may be put into the midst of a word: 几本书 is 几本余华的书.
        if not re.search(".*".join(word), kept) and any(other not in own for other in found):
            yield word


def _words(text: str) -> list[str]:
    """The words of a Chinese text that the dictionary has, without those of grammar."""
    known, cut = lexicon(), (word for run in CHINESE.findall(text) for word in segmenter().cut(run, HMM=False))
    own = [word for word in cut if len(word) > 1 and word not in known.grammar]
    return [word for word in own if word in known.ordinary or word in known.names]


def _sides(question: str) -> Iterator[str]:
    """What stands right before and right behind each "and" of a question."""
    ends = [0, *(place for joint in uncut(_JOINT, question) for place in joint.span()), len(question)]
    pieces = [words.without_filler(question[start:end]) for start, end in zip(ends[::2], ends[1::2], strict=True)]
    for before, after in pairwise(pieces):
        yield from (side[1] for side in (_AT_THE_END.search(before), _AT_THE_BEGINNING.match(after)) if side)


def _is_kept(word: str, kept: str) -> bool:
    """Whether an English word is in a rewrite, or any pair of a Chinese one."""
    if word.isascii():
        return _begins_in(word.lower().removesuffix("s"), kept)
    return any(pair in kept for pair in _pairs(word))


def _pairs(word: str) -> list[str]:
    """The pairs of neighbouring characters of a word, or its one character."""
    return [word[place : place + 2] for place in range(max(1, len(word) - 1))]


def _begins_in(word: str, text: str) -> bool:
    """Whether a word of a text in lower case begins so: English words have endings."""
    return re.search(rf"(?<![a-z]){re.escape(word)}", text) is not None


def _lost_negation(question: str, rewrite: str) -> set[str]:
    """The denials of a question where a rewrite has fewer, and its exception where that has none of either."""
    # Of bounds too: 不超过 is the contrary of 超过.
    denied, still = (denials(text, range(len(text))) for text in (question, rewrite))
    lost = {question[start:end] for start, end in denied if len(still) < len(denied)}
    excepted = next(uncut(_EXCEPTION, question), None)
    return lost | ({excepted[0]} if excepted and not (still or _EXCEPTION.search(rewrite)) else set())


def _new_names(text: str, everything: str) -> Iterator[str]:
    """Names of a rewrite that the dictionary has, or a surname with what follows it, of which no pair is known."""
    for run in CHINESE.findall(words.without_filler(text)):
        pieces = ["", *segmenter().cut(run, HMM=False), ""]
        for before, piece, after in zip(pieces, pieces[1:], pieces[2:], strict=False):
            name = piece + after if piece in SURNAMES and len(after) == 1 else piece
            is_name = name != piece or name in lexicon().names
            # The end of a longer name is none of its own: 罗 of 马罗.
            pairs = _pairs(before + name if len(before) == 1 else name)
            if is_name and not any(pair in everything for pair in pairs):
                yield name
