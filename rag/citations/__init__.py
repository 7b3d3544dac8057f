"""[n] markers in answers ↔ the evidence that they cite, and whether that evidence says what the answer says.

In the order in which they are best read:

plain, markers, sentences      texts made comparable; an answer in sentences, each with the numbers of its markers
granted, claim, statements     a sentence beside what was asked, and whether it states anything at all
tables, table_units, source    a passage of the evidence, its tables, and where in it a clause's words stand together
alignment, cited               the passages that a sentence cites, each clause beside the stretch that resembles it most
checks, wrong_*                what can be wrong with it, in the order in which it is looked for; the first is told
ordinals, reckoned, opposites  which numbers and words say the same all the same, or the contrary
origin, unmarked               the passage that bears out a sentence where the ones cited do not, or a whole answer
verify                         takes each sentence of an answer through these
"""

from rag.citations.markers import MARKER, cited_numbers
from rag.citations.source import best_part
from rag.citations.unmarked import sources_of
from rag.citations.verify import check, cited_by, verify

__all__ = ["MARKER", "best_part", "check", "cited_by", "cited_numbers", "sources_of", "verify"]
