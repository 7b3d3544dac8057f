"""The files' tab: how files come in, the table of them, and what is in one of them."""
