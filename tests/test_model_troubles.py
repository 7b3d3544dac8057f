"""How long a model that makes vectors is left alone."""

from rag.knowledge.model_troubles import ModelTroubles


def pauses(troubles: ModelTroubles, count: int) -> list[int]:
    """The pauses after failures in a row, in whole seconds."""
    found = []
    for _ in range(count):
        troubles.fail()
        found.append(round(troubles.left_alone))
    return found


def test_a_model_that_fails_at_once_is_left_alone_for_a_minute_at_most() -> None:
    assert pauses(ModelTroubles(), 8) == [1, 2, 4, 8, 16, 32, 60, 60]


def test_a_model_that_makes_a_vector_has_its_pauses_begin_anew() -> None:
    troubles = ModelTroubles()
    pauses(troubles, 3)
    assert (troubles.suspects_again(["a", "b"]), troubles.suspects_again(["b", "a"])) == (False, True)
    assert (troubles.succeed(), troubles.succeed()) == (True, False)
    assert not troubles.suspects_again(["a", "b"])
    assert pauses(troubles, 1) == [1]
