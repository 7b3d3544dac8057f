"""The conversation's tab: one module per part of it, each with `build`, `wire` and `shown`; `tab` joins them."""
