"""What happens, counted for Prometheus. Holds no text of anybody's."""

from collections.abc import Callable, Iterable, Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from rag.errors import WenquError
from rag.events import Condensed, Decided, Failed, Finished, Recalled, Retrieved, TurnEvent
from rag.types import Turn

_SECONDS = (0.01, 0.03, 0.1, 0.3, 1, 2, 4, 8, 15, 30, 60, 120)
_INGEST_SECONDS = (*_SECONDS[2:], 300, 600)


class Metrics:
    """A registry of its own, fed with the events of turns; queue and documents are asked for when it is read."""

    def __init__(self, queue: Callable[[], int], documents: Callable[[], Mapping[str, int]]) -> None:
        """`queue` counts the turns before and in the model, `documents` those of each status."""
        self._registry = registry = CollectorRegistry()
        self._turns = Counter("wenqu_turns", "Turns by how they ended.", ["status"], registry=registry)
        self._decisions = Counter("wenqu_decisions", "What turns did about evidence.", ["decision"], registry=registry)
        self._errors = Counter("wenqu_errors", "What turns failed with.", ["error"], registry=registry)
        self._tokens = Counter("wenqu_tokens", "Tokens of model calls.", ["kind"], registry=registry)
        self._stages = Histogram(
            "wenqu_stage_seconds", "Time by stage.", ["stage"], buckets=_SECONDS, registry=registry
        )
        self._first = Histogram(
            "wenqu_first_token_seconds", "From question to first word.", buckets=_SECONDS, registry=registry
        )
        self._whole = Histogram(
            "wenqu_turn_seconds", "From question to last word.", buckets=_SECONDS, registry=registry
        )
        self._ingest = Histogram(
            "wenqu_ingest_seconds", "To read, cut and store a document.", buckets=_INGEST_SECONDS, registry=registry
        )
        self._ingest_failures = Counter(
            "wenqu_ingest_failures", "Why documents could not be taken in.", ["error"], registry=registry
        )
        waiting = Gauge("wenqu_queue", "Turns that wait for the model or are in it.", registry=registry)
        waiting.set_function(queue)
        registry.register(_Documents(documents))

    def observe(self, event: TurnEvent) -> None:
        """Count an event of a turn."""
        match event:
            case Decided(decision, seconds=seconds):
                self._decisions.labels(decision.value).inc()
                self._stages.labels("decide").observe(seconds)
            case Condensed(seconds=seconds):
                self._stages.labels("condense").observe(seconds)
            case Recalled(seconds=seconds):
                self._stages.labels("recall").observe(seconds)
            case Retrieved(seconds=seconds):
                self._stages.labels("retrieve").observe(seconds)
            case Finished(turn):
                self._end(turn)
            case Failed(error, turn):
                self._errors.labels(error.key).inc()
                if turn:
                    self._end(turn)

    def taken_in(self, seconds: float) -> None:
        """Count a document that can be searched now; its vectors and the text in its images follow."""
        self._ingest.observe(seconds)

    def not_taken_in(self, error: WenquError) -> None:
        """Count a document that could not be taken in."""
        self._ingest_failures.labels(error.key).inc()

    def text(self) -> bytes:
        """All of it in Prometheus' text format. Raises StoreError."""
        return generate_latest(self._registry)

    def _end(self, turn: Turn) -> None:
        self._turns.labels(turn.status.value).inc()
        self._whole.observe(turn.timing.total)
        if turn.timing.first_token is not None:
            self._first.observe(turn.timing.first_token)
        for kind in ("prompt", "cached", "completion"):
            self._tokens.labels(kind).inc(getattr(turn.usage, kind))


class _Documents(Collector):
    def __init__(self, count: Callable[[], Mapping[str, int]]) -> None:
        self._count = count

    def collect(self) -> Iterable[Metric]:
        """The documents of each status."""
        family = GaugeMetricFamily("wenqu_documents", "Documents by how far they are read.", labels=["status"])
        for status, number in self._count().items():
            family.add_metric([status], number)
        yield family

    def describe(self) -> Iterable[Metric]:
        """Nothing: at registration there is nothing to count yet."""
        return ()
