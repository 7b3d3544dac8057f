"""How Chinese text is cut, folded and counted, and what a question shows by its words: no retrieval, no model."""
