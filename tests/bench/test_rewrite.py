"""The figures of rewriting without a model, on four rows."""

from bench.rewrite import measure_rules


def test_leaning_and_drift_are_counted() -> None:
    def row(history: list[str], question: str, rewritten: str) -> dict[str, object]:
        return {"id": question, "history": history, "question": question, "rewritten": rewritten, "info_seeking": True}

    follow_ups = [
        row(["年假有几天", "十天"], "那病假呢", "病假有几天"),
        row(["故宫好玩吗", "好玩"], "停车场收费标准如何", "故宫停车场收费标准如何"),
    ]
    switches = [
        row(["年假有几天", "十天"], "漠河机场的投资金额是多少？", "漠河机场的投资金额是多少？"),
        row(["年假有几天", "十天"], "它在哪里？", "它在哪里？"),
    ]
    outcome = measure_rules(follow_ups, switches)
    assert outcome.figures == {
        "follow_ups": 2,
        "leans_precision": 0.5,
        "leans_recall": 0.5,
        "leans_recall_info_seeking": 0.5,
        "topic_switch_unchanged_rules": 0.5,
        "good_rewrites_kept": 1,
        "foreign_rewrites_refused": 1,
        "repeated_questions_refused": 1,
    }
    assert [row["id"] for row in outcome.rows] == ["停车场收费标准如何", "它在哪里？"]
