"""The few drawings of the page, as SVG that takes the colour of the text around it."""


def _drawn(*strokes: str, name: str = "") -> str:
    """`name` is for the stylesheet."""
    kind = f"icon {name}".rstrip()
    return f'<svg class="{kind}" viewBox="0 0 20 20" aria-hidden="true"><path d="{"".join(strokes)}"/></svg>'


COPY = _drawn(
    "M7 7V4.5A1.5 1.5 0 0 1 8.5 3h7A1.5 1.5 0 0 1 17 4.5v7a1.5 1.5 0 0 1-1.5 1.5H13",
    "M4.5 7h7A1.5 1.5 0 0 1 13 8.5v7a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 3 15.5v-7A1.5 1.5 0 0 1 4.5 7z",
)
AGAIN = _drawn("M16 10a6 6 0 1 1-1.8-4.3", "M16.3 3v3.4h-3.4")
PENCIL = _drawn("M12.8 4.4 4.6 12.6 3.8 16.2l3.6-.8 8.2-8.2a1.5 1.5 0 0 0 0-2.1l-.7-.7a1.5 1.5 0 0 0-2.1 0z")
CROSS = _drawn("M5.5 5.5l9 9", "M14.5 5.5l-9 9")
BIN = _drawn("M4 5.8h12", "M7.8 5.8V3.5h4.4v2.3", "M5.6 5.8l.8 10.7h7.2l.8-10.7", "M8.6 8.8v4.7", "M11.4 8.8v4.7")
THUMB = _drawn(
    "M6.5 8.8v7.7h7.6a1.6 1.6 0 0 0 1.6-1.3l1.1-5.3a1.6 1.6 0 0 0-1.6-1.9h-4V4.6A1.9 1.9 0 0 0 9.3 2.7z",
    "M6.5 16.5h-2a1 1 0 0 1-1-1V9.8a1 1 0 0 1 1-1h2",
)
CLIP = _drawn(
    "M15.6 9.2l-5.9 5.9a3.3 3.3 0 0 1-4.7-4.7l6.4-6.4a2.2 2.2 0 0 1 3.1 3.1",
    "l-6.2 6.2a1.1 1.1 0 0 1-1.6-1.6l5.4-5.4",
)
BEFORE = _drawn("M12 5l-5 5 5 5")
AFTER = _drawn("M8 5l5 5-5 5")
ENLARGE = _drawn("M12 3.5h4.5V8", "M16.5 3.5l-5.5 5.5", "M8 16.5H3.5V12", "M3.5 16.5 9 11")
DOWN = _drawn("M10 3.5v9", "M6.3 9l3.7 3.7L13.7 9", "M3.8 16.5h12.4")
MENU = _drawn("M3 5h14", "M3 10h14", "M3 15h14")
MOON = _drawn("M16.5 12.5A7 7 0 0 1 7.5 3.5a7 7 0 1 0 9 9z", name="moon")
SUN = _drawn(
    "M13.5 10a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0z",
    "M10 1.8v1.9M10 16.3v1.9M1.8 10h1.9M16.3 10h1.9",
    "M4.2 4.2l1.4 1.4M14.4 14.4l1.4 1.4M4.2 15.8l1.4-1.4M14.4 5.6l1.4-1.4",
    name="sun",
)
