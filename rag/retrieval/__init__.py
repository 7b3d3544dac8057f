"""The one way in which evidence is found: search, put in order, leave out the irrelevant and copies, put together."""

import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

from rag.knowledge.base import SHARED_COLLECTION, KnowledgeBase
from rag.knowledge.reading_order import PlacedDocument, ReadingOrder
from rag.knowledge.request import SearchRequest
from rag.llm.replier import Replier
from rag.rerank import Reranker
from rag.rerank.judge import Judge
from rag.retrieval.assembly import assemble, outside
from rag.retrieval.candidates import together
from rag.retrieval.deduplication import without_copies
from rag.retrieval.openings import IN_THE_NAMED, addressed, calls_one, each_first, search_by_name
from rag.retrieval.query import Query
from rag.retrieval.reading import NO_SUCH_PAGE, asks_for_more, lacks, may_be_elsewhere, prompt_for, read
from rag.retrieval.relevant import (
    Ranked,
    enough_of,
    in_turns,
    mostly_by_words,
    own_first,
    reranked,
    speaking,
    with_best_alone,
)
from rag.retrieval.respelling import search_respelled
from rag.retrieval.versions import of_newest, version_asked
from rag.settings import RerankSettings
from rag.tokens import Estimator
from rag.types import EVERYTHING, Hit, Place, Provider, Scope, SearchResult, SearchTrace


@dataclass(frozen=True, slots=True)
class _Wanted:
    """How much a search is to find: at most so many hits, or until the answer is likely `enough` to be among them, for
    so many tokens beside what is held; and who drops of it what is of no use."""

    limit: int
    enough: float
    held: Collection[int]
    room: int
    insert_block: Reranker | None


class Retrieval:
    """Finds evidence in a knowledge base. `request` may be replaced at any time; it holds from the next search on."""

    def __init__(
        self,
        knowledge: KnowledgeBase,
        request: SearchRequest,
        settings: RerankSettings,
        reranker: Reranker | None,
        *,
        room: int,
        estimate: Estimator,
        limit_served: int | None = None,
        enough: float = 1.0,
        insert_block: Reranker | None = None,
        order: ReadingOrder | None = None,
    ) -> None:
        """`room` is for how many tokens hits are put together to passages, unless a search has another.

        `limit_served` is how many hits a served model gets, where nobody has asked for a number. The embedded one reads
        slowly: it gets the best, until the answer is among them with a probability of `enough`. An `insert_block`
        drops of the reranker's hits what is of no use. Without `order` nothing is read where a question points to.
        """
        self.knowledge = knowledge
        self.is_replaced = False
        self._request = request
        self._settings = settings
        self._reranker = reranker
        self._room = room
        self._estimate = estimate
        self._limit_served = limit_served
        self._enough = enough
        self._insert_block = insert_block
        self._order = order

    @property
    def request(self) -> SearchRequest:
        """What is searched when nothing else is asked for."""
        return self._request

    @request.setter
    def request(self, request: SearchRequest) -> None:
        """Raises ValueError for a field that this knowledge base does not have."""
        self.knowledge.check(request)
        self._request, self.is_replaced = request, True

    def limit(self, provider: Provider) -> int:
        """How many hits are for a model of this provider; whoever replaced the request has asked for its number."""
        served = provider.is_served and not self.is_replaced
        return (served and self._limit_served) or self._request.limit

    @property
    def has_insert_block(self) -> bool:
        """Whether each search has a model drop what is of no use."""
        return self._insert_block is not None

    def judge(self, replier: Callable[[], Replier], cancel: threading.Event) -> Judge:
        """A model that is asked about passages until `cancel` is set, with the patience that is configured."""
        return Judge(replier, self._settings.timeout, cancel)

    def warm(self) -> None:
        """Load what a search needs: the words' dictionary, the embeddings, the indexes. Raises StoreError."""
        self.knowledge.search(("问渠",), (SHARED_COLLECTION,), self._request)

    def find(
        self,
        questions: Sequence[str],
        collections: Sequence[str],
        *,
        scope: Scope = EVERYTHING,
        limit: int | None = None,
        provider: Provider = Provider.EXTRACTIVE,
        held: Collection[int] = (),
        room: int | None = None,
        insert_block: Reranker | None = None,
        place: Place | None = None,
        spoken_of: Collection[str] = (),
        alone: Mapping[int, float] | None = None,
    ) -> SearchResult:
        """What the phrasings of one question find, the one that stands alone first. Raises StoreError.

        Neighbours among the hits, at most `limit` or as many as are for the `provider`, are one passage; chunks `held`
        take no `room`. An `insert_block` replaces each search's own. The `place` named is read, all of it without a
        `limit`, or first searched where more is asked. Of two alike, that of a document `spoken_of` comes first. What
        is most probable `alone` is found as well.
        """
        query, block = Query(questions, collections, scope, spoken_of, alone or {}), insert_block or self._insert_block
        enough = self._enough if provider is Provider.EMBEDDED and limit is None and block is None else 1.0
        wanted = _Wanted(limit or self.limit(provider), enough, held, self._room if room is None else room, block)
        if self._order is None:
            return self._search(query, wanted)
        there = self._at(place, self._order, query, wanted, limit) if place else None
        return there or self._wherever(self._order, query, wanted)

    def _at(
        self, place: Place, order: ReadingOrder, query: Query, wanted: _Wanted, limit: int | None
    ) -> SearchResult | None:
        """What stands at a place, or is found there where more is asked; None where no document has it."""
        begun, placed = time.perf_counter(), read(order, place, query)
        if not placed.chunks:
            trace = SearchTrace(notes=(NO_SUCH_PAGE,), seconds={"search": time.perf_counter() - begun})
            return SearchResult((), trace) if lacks(order, place, query) else None
        more = asks_for_more(place, placed.names)
        prompt = "question" if more and not place.writes else prompt_for(place, query.phrasings[-1])
        places = (placed.scope, query.scope) if may_be_elsewhere(place) else (placed.scope,)
        for there in places if more else ():
            if (found := self._search(replace(query, scope=there), wanted)).hits:
                return replace(found, prompt=prompt)
        hits = self._assemble([Hit(chunk, 0.0, {}) for chunk in placed.chunks], wanted, placed.scope)[:limit]
        trace = SearchTrace(notes=placed.notes, seconds={"assemble": time.perf_counter() - begun})
        return SearchResult(hits, trace, prompt=prompt)

    def _wherever(self, order: ReadingOrder, query: Query, wanted: _Wanted) -> SearchResult:
        """What the documents have that a question is put to by its first words or as a version, else what all have."""
        if address := addressed(order, query) or version_asked(order, query):
            there = self._search(address, wanted, by_name=False)
            if there.hits:
                return there.noted(IN_THE_NAMED)
        return of_newest(order, query, lambda asked: self._search(asked, wanted))

    def _search(self, query: Query, wanted: _Wanted, by_name: bool = True) -> SearchResult:
        """What is found by words and meaning, in the order of the rankers, without what is not relevant."""
        stages = {"search.not_reranked": self._reranker, "search.not_filtered": wanted.insert_block}
        rankers = {note: ranker for note, ranker in stages.items() if ranker}
        candidates = max(wanted.limit, self._settings.input_top_n if rankers else 0)
        groups = self._ranked(query, candidates, rankers, by_name)
        spoken = speaking(groups, self._settings.score_threshold)
        begun, first, used = time.perf_counter(), (spoken or groups)[0], in_turns(spoken)
        nearest = () if used else tuple(hit for group in groups for hit in group.hits)
        foremost, copies = without_copies(each_first(used or nearest, first.result.compared), wanted.limit)
        share = 1.0 if mostly_by_words(first.result) or first.result.compared else wanted.enough
        taken = enough_of(foremost, first.query.question, share) if used else ()
        widen, taken = len(taken) == len(foremost), with_best_alone(taken, used, query.alone)
        hits = self._assemble(taken, wanted, query.scope, widen=widen)
        trace = together([group.result.trace for group in groups])
        best = (group.candidates(self.knowledge, used, hits or foremost, copies) for group in spoken or groups)
        seconds = {**trace.seconds, "assemble": time.perf_counter() - begun}
        trace = replace(trace, seconds=seconds, candidates=tuple(chain.from_iterable(best)))
        return replace(first.result, hits=hits, trace=trace, nearest=() if used else foremost)

    def _ranked(
        self, query: Query, limit: int, rankers: Mapping[str, Reranker], by_name: bool = True
    ) -> tuple[Ranked, ...]:
        """What is found by words and meaning for what was asked, put right where it was misspelt."""
        order, request = self._order if by_name else None, replace(self._request, limit=limit)
        find = partial(search_by_name, self.knowledge, order, request)
        return own_first(query, lambda own: reranked(*search_respelled(find, own), rankers))

    def probable(self, question: str, collections: Sequence[str], scope: Scope) -> Mapping[int, float]:
        """How probably each chunk found answers a question; nothing where a model would have to judge that.

        Raises StoreError.
        """
        if self._reranker is None or self._settings.kind == "llm":
            return {}
        query, rankers = Query((question,), collections, scope), {"search.not_reranked": self._reranker}
        groups = self._ranked(query, self._settings.input_top_n, rankers)
        hits = chain.from_iterable(group.hits for group in groups)
        return {hit.chunk.chunk_id: hit.relevance for hit in hits if hit.relevance is not None}

    def documents(self, collections: Sequence[str]) -> tuple[PlacedDocument, ...]:
        """All documents of some collections, also what cannot be searched, the newest first. Raises StoreError."""
        return self._order.in_any_state(collections) if self._order else ()

    def left_of(self, document_ids: Collection[str]) -> Collection[str]:
        """Those of some documents that have not been deleted; all without an order of them. Raises StoreError."""
        return self._order.left_of(document_ids) if self._order and document_ids else document_ids

    def calls_document(self, question: str, collections: Sequence[str], scope: Scope) -> bool:
        """Whether a question calls a document by a name that is no word of others. Raises StoreError."""
        return self._order is not None and calls_one(self._order, Query((question,), collections, scope))

    @property
    def threshold(self) -> float:
        """How probable the best of the hits must be to count as found."""
        return self._settings.score_threshold

    def _assemble(self, hits: Sequence[Hit], wanted: _Wanted, scope: Scope, *, widen: bool = True) -> tuple[Hit, ...]:
        sections = self.knowledge.sections([hit.chunk.parent_id for hit in hits])
        # What stands on other pages than those asked for is no more taken in than what is in the prompt already.
        held = {*wanted.held, *outside(scope, sections, hits)}
        whole = assemble(hits, sections, wanted.room, self._estimate, held, widen=widen)
        if self._order is None or not whole:
            return whole
        used = Scope(frozenset(hit.chunk.document_id for hit in whole))
        openings = self._order.openings([hit.chunk.collection_id for hit in whole], used)
        return tuple(replace(hit, opening=openings.get(hit.chunk.document_id, "")) for hit in whole)
