"""Hits put together to passages: what touches is joined, and nothing better is driven out."""

from dataclasses import replace

import pytest

from rag.retrieval.assembly import assemble
from rag.types import Chunk, Hit, Passage, Section
from tests.samples import texts

SENTENCES = ("甲。甲。甲。", "乙。乙。乙。", "丙。丙。丙。", "丁。丁。丁。")
LENGTH = len(SENTENCES[0])


def section(parent_id: int, overlap: int = 0) -> Section:
    """Four children, each beginning with the last `overlap` characters of the one before."""
    text = "".join(SENTENCES)
    base = 1000 * parent_id
    parent = Passage(text, base, base + len(text), 1, 4, "1")
    children = []
    for place in range(len(SENTENCES)):
        start, end = max(0, place * LENGTH - overlap), (place + 1) * LENGTH
        children.append(Passage(text[start:end], base + start, base + end, place + 1, place + 1, str(place + 1)))
    return Section(parent, tuple(children), tuple(10 * parent_id + place for place in range(len(children))))


def long_section(count: int) -> Section:
    """So many children, each as long as the others."""
    text = "".join(SENTENCES[place % len(SENTENCES)] for place in range(count))
    children = tuple(
        Passage(text[place * LENGTH : (place + 1) * LENGTH], place * LENGTH, (place + 1) * LENGTH, 1, 1, "1")
        for place in range(count)
    )
    return Section(Passage(text, 0, len(text), 1, 1, "1"), children, tuple(range(10, 10 + count)))


SECTIONS = {1: section(1), 2: section(2)}


def hit(parent_id: int, place: int, sections: dict[int, Section] = SECTIONS) -> Hit:
    chunk_id = 10 * parent_id + place
    return Hit(Chunk(chunk_id, "doc", "mine", "手册.pdf", parent_id, sections[parent_id].children[place]), 1.0, {})


def room_for(children: int) -> int:
    return children * LENGTH


def test_hits_that_touch_are_one_passage_in_the_place_of_the_best() -> None:
    found = assemble([hit(1, 1), hit(2, 0), hit(1, 0)], SECTIONS, room_for(3), len)
    assert texts(found) == [SENTENCES[0] + SENTENCES[1], SENTENCES[0]]
    passage = found[0].chunk.passage
    assert (found[0].chunk.chunk_id, passage.page, passage.last_page, passage.page_label) == (11, 1, 2, "1")
    assert (passage.start, passage.end) == (1000, 1000 + 2 * LENGTH)


def test_what_two_hits_share_stands_in_their_passage_once() -> None:
    sections = {1: section(1, overlap=2)}
    found = assemble([hit(1, 0, sections), hit(1, 1, sections)], sections, room_for(2) + 2, len)
    assert texts(found) == [SENTENCES[0] + SENTENCES[1]]


def test_a_hit_between_two_others_makes_them_one() -> None:
    found = assemble([hit(1, 0), hit(1, 2), hit(1, 1)], SECTIONS, room_for(3), len)
    assert texts(found) == ["".join(SENTENCES[:3])]


def test_a_hit_that_does_not_fit_drives_out_no_better_one() -> None:
    found = assemble([hit(1, 0), hit(2, 2), hit(1, 1)], SECTIONS, room_for(2), len)
    assert texts(found) == [SENTENCES[0], SENTENCES[2], SENTENCES[1]]


def test_what_a_passage_stands_under_takes_room_too() -> None:
    whole = section(1)
    children = tuple(replace(child, context="表头" * LENGTH) for child in whole.children)
    under = {1: replace(whole, children=children)}
    found = assemble([hit(1, 0, under), hit(1, 1, under)], under, room_for(2), len)
    assert texts(found) == [SENTENCES[0], SENTENCES[1]]


def test_room_to_spare_goes_to_the_neighbours_of_the_best_hit() -> None:
    found = assemble([hit(1, 1), hit(2, 3)], SECTIONS, room_for(3), len)
    assert texts(found) == [SENTENCES[1] + SENTENCES[2], SENTENCES[3]]


def test_where_enough_was_found_nothing_is_put_around_it() -> None:
    found = assemble([hit(1, 1), hit(1, 2), hit(2, 3)], SECTIONS, room_for(6), len, widen=False)
    assert texts(found) == [SENTENCES[1] + SENTENCES[2], SENTENCES[3]]


def test_a_parent_is_taken_whole_where_half_of_its_children_are_hits() -> None:
    found = assemble([hit(1, 0), hit(1, 1)], SECTIONS, room_for(9), len)
    assert texts(found) == ["".join(SENTENCES)]
    assert texts(assemble([hit(1, 0)], SECTIONS, room_for(9), len)) == ["".join(SENTENCES[:2])]


@pytest.mark.parametrize("places", [(0, 2), (0, 3), (3, 0), (0, 2, 3), (1, 3)])
def test_hits_that_do_not_touch_count_for_their_parent_together(places: tuple[int, ...]) -> None:
    found = assemble([hit(1, places[0]), hit(2, 1), *(hit(1, place) for place in places[1:])], SECTIONS, 99, len)
    assert texts(found) == ["".join(SENTENCES), "".join(SENTENCES[:3])]
    assert (found[0].chunk.chunk_id, found[1].chunk.chunk_id) == (10 + places[0], 21)
    assert set(found[0].joined) == {10, 11, 12, 13} - {10 + places[0]}


def test_a_parent_that_does_not_fit_leaves_the_hits_with_what_does() -> None:
    found = assemble([hit(1, 0), hit(1, 3)], SECTIONS, room_for(3), len)
    assert texts(found) == [SENTENCES[0] + SENTENCES[1], SENTENCES[3]]
    found = assemble([hit(1, 0), hit(1, 3)], SECTIONS, room_for(2), len)
    assert texts(found) == [SENTENCES[0], SENTENCES[3]]


def test_passages_that_come_to_touch_are_one_though_their_parent_has_too_few_hits() -> None:
    sections = {1: long_section(8)}
    found = assemble([hit(1, 2, sections), hit(1, 5, sections)], sections, room_for(6), len)
    assert texts(found) == [sections[1].parent.text[1 * LENGTH : 7 * LENGTH]]
    assert (found[0].chunk.chunk_id, found[0].joined) == (12, (11, 13, 14, 15, 16))


def test_a_parent_is_not_taken_whole_where_a_part_of_it_is_in_the_prompt_already() -> None:
    found = assemble([hit(1, 0), hit(1, 1), hit(1, 3)], SECTIONS, room_for(9), len, held={11})
    assert texts(found) == [SENTENCES[0], SENTENCES[1], SENTENCES[2] + SENTENCES[3]]


def test_no_text_stands_in_two_passages_however_much_room_there_is() -> None:
    sections = {1: long_section(9)}
    found = assemble([hit(1, place, sections) for place in (0, 3, 8)], sections, room_for(99), len)
    assert "".join(texts(found)) == sections[1].parent.text[: 5 * LENGTH] + sections[1].parent.text[7 * LENGTH :]


def test_what_is_in_the_prompt_already_takes_no_room_and_stays_as_it_is() -> None:
    found = assemble([hit(1, 0), hit(1, 1), hit(2, 2)], SECTIONS, room_for(1), len, held={10, 11})
    assert texts(found) == [SENTENCES[0], SENTENCES[1], SENTENCES[2]]


def test_hits_without_a_stored_parent_stay_as_they_are() -> None:
    hits = (hit(1, 0), hit(1, 1))
    assert assemble(hits, {}, room_for(9), len) == hits
    cut = replace(SECTIONS[1], children=SECTIONS[1].children[1:])
    assert assemble(hits[:1], {1: cut}, room_for(9), len) == hits[:1]


def test_a_passage_knows_all_chunks_whose_text_it_holds() -> None:
    found = assemble([hit(1, 1), hit(2, 3)], SECTIONS, room_for(3), len)
    assert [(one.chunk.chunk_id, one.joined) for one in found] == [(11, (12,)), (23, ())]


def test_what_begins_with_a_heading_of_its_own_is_not_led_in_by_what_stands_before_it() -> None:
    whole = section(1)
    children = tuple(
        replace(child, heading_path=("第二章",) if place else ("第一章",)) for place, child in enumerate(whole.children)
    )
    under = {1: replace(whole, children=children)}
    assert texts(assemble([hit(1, 1, under)], under, room_for(3), len)) == [SENTENCES[1] + SENTENCES[2]]
    assert texts(assemble([hit(1, 2, under)], under, room_for(3), len)) == ["".join(SENTENCES[1:])]


def test_what_is_in_the_prompt_already_is_not_taken_in_again_by_its_neighbour() -> None:
    found = assemble([hit(1, 0)], SECTIONS, room_for(9), len, held={11})
    assert texts(found) == [SENTENCES[0]]


def test_a_passage_over_several_headings_stands_under_what_these_begin_with_alike() -> None:
    def under(*paths: tuple[str, ...]) -> tuple[str, ...]:
        children = tuple(
            replace(child, heading_path=path) for child, path in zip(SECTIONS[1].children, paths, strict=False)
        )
        sections = {1: replace(SECTIONS[1], children=children)}
        (passage,) = assemble([hit(1, 1, sections), hit(1, 0, sections)], sections, room_for(2), len)
        return passage.chunk.passage.heading_path

    assert under(("手册", "第三章"), ("手册", "第三章", "年假")) == ("手册", "第三章")
    assert under(("手册", "第三章"), ("手册", "第四章")) == ("手册",)
    assert under(("前言",), ("正文", "第一章")) == ("正文", "第一章")
