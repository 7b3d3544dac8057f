"""What is remembered of how models begin."""

from rag.llm.current import Habits


def test_one_tag_of_a_model_that_answers_plainly_is_none_of_its_own_and_a_second_in_a_row_is() -> None:
    habits = Habits()
    habits.answered_plainly("qwen")
    habits.began_inside("qwen")
    assert not habits.begins_inside("qwen")
    habits.answered_plainly("qwen")
    habits.began_inside("qwen")
    assert not habits.begins_inside("qwen")
    habits.began_inside("qwen")
    assert habits.begins_inside("qwen")
