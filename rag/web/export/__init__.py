"""Conversations as files that other programs open: a page to print, and a PDF."""
