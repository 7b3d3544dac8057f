"""A follow-up as a question that can be searched for alone, and whether a rewrite drifts."""
