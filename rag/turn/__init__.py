"""One turn of a conversation. Each stage adds to its draft: decision, stand-alone question, evidence, answer."""

from rag.turn.answering import answer_stage
from rag.turn.condensing import condense_stage, understand_stage
from rag.turn.deciding import decide_stage
from rag.turn.retrieving import recall_stage, retrieve_stage

STAGES = (decide_stage, condense_stage, recall_stage, retrieve_stage, answer_stage, understand_stage)
