"""The conversation's tab: a module per part of it, each with `outputs` and `shown`; `tab` joins them."""
