"""Hits put together to passages: neighbours joined, and more of their surroundings where there is room to spare.

Measured on 41 questions over two real PDFs, with 360 tokens of evidence: to join all sibling hits first, or to give
a hit its neighbours, drove the evidence out of the prompt for 1 to 3 questions that had it. So the best hits have
the room first, as they are; what touches among them is joined, which costs nothing; only where every hit is in,
the rest of the room goes to what stands around them: the whole section where enough of it was found, wherever in it,
else the neighbours; and what touches then is joined as well.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from loaders.outline import common_path
from rag.tokens import Estimator
from rag.types import Hit, Scope, Section

# A parent is taken whole where at least this share of its children are hits.
_ENOUGH_CHILDREN = 0.5


@dataclass(slots=True, eq=False)
class _Group:
    """Hits on neighbouring children of a section, the best first, as the range [first, last] of its children."""

    hits: list[Hit]
    section: Section
    first: int
    last: int

    def text(self, first: int, last: int) -> str:
        """What the children from `first` to `last` say."""
        parent, children = self.section.parent, self.section.children
        return parent.text[children[first].start - parent.start : children[last].end - parent.start]

    def touches(self, other: "_Group") -> bool:
        """Whether another group overlaps this one or stands directly before or behind it."""
        return other.section is self.section and self.first - 1 <= other.last and other.first <= self.last + 1

    def take_in(self, others: Sequence["_Group"]) -> None:
        """Hold what others of the section hold too."""
        for other in others:
            self.hits += other.hits
            self.first, self.last = min(self.first, other.first), max(self.last, other.last)

    def passage_hit(self) -> Hit:
        """The best of the hits, with all that the group covers as its passage."""
        best, children = self.hits[0], self.section.children[self.first : self.last + 1]
        if len(children) == 1:
            return best
        passage = replace(
            children[0],
            text=self.text(self.first, self.last),
            end=children[-1].end,
            last_page=children[-1].last_page,
            heading_path=common_path([child.heading_path for child in children]) or best.chunk.passage.heading_path,
        )
        joined = tuple(chunk for chunk in self.chunk_ids(self.first, self.last) if chunk != best.chunk.chunk_id)
        return replace(best, chunk=replace(best.chunk, passage=passage), joined=joined)

    def chunk_ids(self, first: int, last: int) -> tuple[int, ...]:
        """The ids of the children from `first` to `last`."""
        return self.section.chunk_ids[first : last + 1]


def assemble(
    hits: Sequence[Hit],
    sections: Mapping[int, Section],
    room: int,
    estimate: Estimator,
    held: Collection[int] = (),
    *,
    widen: bool = True,
) -> tuple[Hit, ...]:
    """The hits in their order, those that touch made one, for about `room` tokens.

    `sections` are those of the hits' parents. Chunks that are `held` stay as they are and take no room. Without `widen`
    nothing is added to what was found.
    """
    fitting, spare = _fitting(hits, room, estimate, held)
    groups: list[_Group] = []
    for hit in hits[:fitting]:
        passage, chunk_id = hit.chunk.passage, hit.chunk.chunk_id
        section = sections.get(hit.chunk.parent_id)
        if section is None or passage not in section.children or chunk_id in held:
            # By itself it is a section of its own, and stays as it is.
            section = Section(passage, (passage,), (chunk_id,))
        place = section.children.index(passage)
        _put(groups, _Group([hit], section, place, place))
    if widen and fitting == len(hits):
        groups = _widen(groups, spare, estimate, held)
    return (*(group.passage_hit() for group in groups), *hits[fitting:])


def _fitting(hits: Sequence[Hit], room: int, estimate: Estimator, held: Collection[int]) -> tuple[int, int]:
    """How many of the first hits fit as they are, and the room that they leave."""
    for count, hit in enumerate(hits):
        cost = 0 if hit.chunk.chunk_id in held else estimate(hit.chunk.passage.text_in_context)
        if cost > room:
            return count, room
        room -= cost
    return len(hits), room


def _put(groups: list[_Group], new: _Group) -> None:
    """Add a group to those before it: the first that it touches takes it in, and others that it touches as well."""
    first, *others = [*(group for group in groups if group.touches(new)), new]
    if first is new:
        groups.append(new)
    first.take_in(others)
    groups[:] = [group for group in groups if group not in others]


def _widen(groups: Sequence[_Group], spare: int, estimate: Estimator, held: Collection[int]) -> list[_Group]:
    """The groups, the best first with their whole parent where enough of it was found, else a child more on each side.

    Not what is `held`: it stands in the prompt already.
    """
    left = list(groups)
    for group in groups:
        if group not in left:
            continue
        siblings = [other for other in left if other.section is group.section]
        siblings.remove(group)
        for first, end, taken in _steps(group, siblings):
            others = [other for other in siblings if other not in taken]
            if any(first <= other.last and other.first <= end for other in others):
                continue
            if any(chunk in held for chunk in group.chunk_ids(first, end)):
                continue
            before = sum(estimate(each.text(each.first, each.last)) for each in (group, *taken))
            cost = estimate(group.text(first, end)) - before
            if cost <= spare:
                group.take_in(taken)
                group.first, group.last, spare = first, end, spare - cost
                left = [other for other in left if other not in taken]
    joined: list[_Group] = []
    for group in left:
        _put(joined, group)
    return joined


def _steps(group: _Group, siblings: Sequence[_Group]) -> list[tuple[int, int, Sequence[_Group]]]:
    """The ranges of children that a group may grow to, each with the siblings that it then takes in.

    What begins with a heading of its own does not go on from what stands before that.
    """
    children = group.section.children
    last = len(children) - 1
    behind, before = min(last, group.last + 1), max(0, group.first - 1)
    goes_on = children[before].heading_path == children[group.first].heading_path
    steps: list[tuple[int, int, Sequence[_Group]]] = [(group.first, behind, ())]
    steps += [(before, behind, ())] if goes_on else []
    hits = sum(len(each.hits) for each in (group, *siblings))
    if 1 < hits >= _ENOUGH_CHILDREN * (last + 1):
        steps.append((0, last, siblings))
    return steps


def outside(scope: Scope, sections: Mapping[int, Section], hits: Sequence[Hit]) -> Iterator[int]:
    """The chunks of some sections that are not in a scope. The hits are in it, if only with their first lines."""
    pages, chunk_ids = scope.pages, scope.chunk_ids
    found = {hit.chunk.chunk_id for hit in hits}
    for section in sections.values():
        for chunk_id, child in zip(section.chunk_ids, section.children, strict=True):
            elsewhere = pages is not None and pages.isdisjoint(range(child.page, child.last_page + 1))
            if chunk_id not in found and (elsewhere or (chunk_ids is not None and chunk_id not in chunk_ids)):
                yield chunk_id
