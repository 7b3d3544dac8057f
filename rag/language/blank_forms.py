"""Forms to fill in: labels that nothing stands behind, as 联系人： and 联系电话： / in a contract's template."""

import re

_LABEL = r"[^\W\d_][\w（）()]{0,11}[：:]"
# A line of one label leads to what stands below, as may two of them; three and more are to be filled in.
_LINES = re.compile(rf"(?:^[ \t]*(?:{_LABEL}[ \t]*)+(?:\n+|\Z))+", re.MULTILINE)
_COLON = re.compile("[：:]")
_FEWEST = 3
_CROSSED_OUT = re.compile(rf"{_LABEL}[ \t]*[/／_＿]+[ \t]*(?=[。；;，,|\n]|\Z)")


def without_blanks(text: str) -> str:
    """A text without the labels of a form that nothing is filled in for."""
    return _CROSSED_OUT.sub(" ", without_blank_lines(text))


def without_blank_lines(text: str) -> str:
    """A text without the lines that only have such labels, several on end."""
    return _LINES.sub(lambda lines: "" if len(_COLON.findall(lines[0])) >= _FEWEST else lines[0], text)
