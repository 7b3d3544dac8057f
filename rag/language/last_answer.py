"""Messages that are about the last answer and nothing else: for it again, shorter, or for more of it."""

import re

from rag.language.rows import any_of, read_rows

_ROWS = read_rows(__file__)["about_the_answer"]
_RETELLING, _REWORKING, _BETWEEN = (any_of(_ROWS[name]) for name in ("retelling", "reworking", "between"))
# The whole message asks for the last answer again, in another language or shorter.
RETELL = re.compile(rf"^(?=.*?{_RETELLING})(?>{_RETELLING}|{_REWORKING}|{_BETWEEN})++$", re.IGNORECASE)
# The whole message asks for more of what the last answer is about, or for it in another form, or doubts it.
REWORK = re.compile(rf"^(?=.*?{_REWORKING})(?>{_REWORKING}|{_BETWEEN})++$", re.IGNORECASE)
