"""Answers in another language than their documents: only their numbers can be compared."""

import pytest

from rag.citations import check, sources_of
from rag.types import Support
from tests.samples import evidence

CHINESE = evidence(
    1,
    "上传的文件保存在服务器上，只有上传它的浏览器能看到。超过30天未使用的文件会被自动删除。公司成立于2020年3月15日，"
    "2023年营业收入为125亿元。联系人为Zhang_Wei。",
)
ENGLISH = evidence(2, "Uploaded files are kept on the server. Files not used for 30 days are deleted by the program.")


@pytest.mark.parametrize(
    ("sentence", "support"),
    [
        ("Your files are stored on the server and only this browser can see them[1].", Support.UNMARKED),
        ("Files that are not used for 30 days are deleted[1].", Support.UNMARKED),
        ("The revenue of the company is 12.5 billion yuan[1].", Support.UNMARKED),
        ("The company was founded on March 15, 2020[1].", Support.UNMARKED),
        ("超过30天未使用的文件会被程序删除[2]。", Support.UNMARKED),
        ("Files that are not used for 60 days are deleted[1].", Support.UNVERIFIED),
        ("The revenue of the company is 12.5 million yuan[1].", Support.UNVERIFIED),
        ("The company was founded on March 16, 2020[1].", Support.UNVERIFIED),
        ("超过60天未使用的文件会被程序删除[2]。", Support.UNVERIFIED),
        # In one language, as ever.
        ("Uploaded files are kept on the server[2].", Support.SUPPORTED),
        ("Visitors pay a monthly fee by credit card[2].", Support.UNVERIFIED),
        ("超过30天未使用的文件会被自动删除[1]。", Support.SUPPORTED),
        ("联系人为Li_Lei[1]。", Support.UNVERIFIED),
    ],
)
def test_of_a_sentence_in_another_language_only_the_numbers_are_judged(sentence: str, support: Support) -> None:
    (checked,) = check(sentence, [CHINESE, ENGLISH])
    assert checked.support is support
    assert checked.added == ()


@pytest.mark.parametrize(
    ("sentence", "passage", "is_right"),
    [
        ("Revenue was 12.5 billion yuan[1].", "Revenue was 12,500 million yuan in total.", True),
        ("Revenue was 12.5 million yuan[1].", "Revenue was 12.5 billion yuan in total.", False),
    ],
)
def test_english_words_of_scale_are_read(sentence: str, passage: str, is_right: bool) -> None:
    (checked,) = check(sentence, [evidence(1, passage)])
    assert (checked.support is Support.SUPPORTED) == is_right


@pytest.mark.parametrize(
    ("answer", "sources"),
    [
        ("未使用的文件在 30 天后删除", (2,)),
        ("未使用的文件在 60 天后删除", ()),
        # A few digits that measure nothing may stand in any passage.
        ("一共有 30", ()),
        ("The revenue is 12.5 billion yuan", (1,)),
        # A day in English is compared in Chinese, which makes no Chinese sentence of it.
        ("The company was founded on March 15, 2020", (1,)),
        ("文件由程序删除", ()),
    ],
)
def test_an_answer_without_markers_is_from_the_one_passage_in_another_language_with_its_numbers(
    answer: str, sources: tuple[int, ...]
) -> None:
    assert sources_of(answer, [CHINESE, ENGLISH] if answer.isascii() else [ENGLISH], ("How much?",)) == sources
