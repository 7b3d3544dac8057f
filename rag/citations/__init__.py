"""[n] markers in answers ↔ the evidence that they cite, and whether that evidence says what the answer says.

No row reads what a row below it tells:

plain, sentences      texts made comparable; an answer in sentences, each with the numbers of its markers
opposites             which words say the contrary
claim                 a sentence beside what was asked
table_lines, tables   the tables of a passage, and what heads their rows and columns
source                a passage of the evidence, and where in it a clause's words stand together
cited                 the passages that a sentence cites, each clause beside the stretch that resembles it most
wrong_*               what can be wrong with a sentence; where they look for what it should say:
                      numbers, names, comparisons, denials, options, subjects: in the stretch beside a clause
                      figures, cells, rows, extremes: in a table, by the row and column that are named
                      labels, joins, times, tiers, matters: at what stands before it, or behind the same label
                      answers, documents: in what was asked
                      rulings: in the passage's rules, in whatever words
checks                in which order that is looked for, and in which file; the first that is found is told
statements            whether a sentence states anything at all
origin                the passage that bears out a sentence where the ones cited do not, or a whole answer
verify                takes each sentence of an answer through these
"""

from rag.citations.origin import sources_of
from rag.citations.sentences import MARKER, cited_numbers
from rag.citations.source import best_part
from rag.citations.verify import check, cited_by, verify

__all__ = ["MARKER", "best_part", "check", "cited_by", "cited_numbers", "sources_of", "verify"]
