"""Measurements behind the figures in the README. `python -m bench --help`."""
