"""The stages of a turn in their order: generators of events that fill in the draft."""

from rag.turn.condensing import condense_stage, understand_stage
from rag.turn.deciding import decide_stage
from rag.turn.recalling import recall_stage
from rag.turn.retrieving import retrieve_stage
from rag.turn.stop_texts import stopped_answer_stage

STAGES = (decide_stage, condense_stage, recall_stage, retrieve_stage, stopped_answer_stage, understand_stage)
