"""What is counted of a turn's events."""

from rag.events import Recalled
from rag.metrics import Metrics


def test_the_time_it_takes_to_recall_older_turns_is_a_stage_of_its_own() -> None:
    metrics = Metrics(lambda: 0, dict)
    metrics.observe(Recalled((), 0.2))
    assert 'wenqu_stage_seconds_sum{stage="recall"} 0.2' in metrics.text().decode()
