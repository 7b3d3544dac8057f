"""Turns that have left the prompt, found again when a question comes back to what they were about."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

from rag.citations import MARKER
from rag.conversation.base import ConversationStore
from rag.conversation.rows import TurnVector
from rag.embeddings.encoder import Encoder
from rag.errors import WenquError
from rag.evidence import evidence_used, is_unanswered
from rag.language import lead
from rag.language.follow_up import without_link
from rag.language.parted import parted
from rag.rewriting.prompt_form import prompt_form
from rag.types import Decision, Turn

# Threshold between mean similarity in the prompt (0) and identity (1): models differ in what is a high cosine.
# On DRCD's paragraphs, with two turns on the paragraph in question among eight others and four in the prompt, .74 of
# the questions find one and .98 of what is found is right; without such turns, .05 find any (multilingual-e5-small).
_CLEARLY = 0.25
# Of a turn's answer, what is embedded, and what a later prompt repeats of that and of its question.
_ANSWER_LENGTH = 300
_REPEATED_LENGTH = 400
# Of a question, where all of the talk is to be summed up.
_QUESTION_LENGTH = 60
# Where a summary is asked for, the prompt may be all but full.
_NAME_LENGTH = 30
_MOST_NAMED = 12
_log = logging.getLogger(__name__)


class Recall:
    """Embeds turns, and finds those that a question comes back to: at most `most` of them."""

    def __init__(self, conversations: ConversationStore, encoder: Encoder, most: int) -> None:
        self._conversations = conversations
        self._encoder = encoder
        self._most = most

    def remember(self, turn: Turn) -> None:
        """Embed and store a turn that a later question may come back to. Raises ModelError, StoreError."""
        if self._most and _asks(turn):
            text = f"{turn.generated_question}\n{brief(turn)}"
            vector = TurnVector(self._encoder.model_id, self._encoder.passages([text])[0])
            self._conversations.embed(turn.session_id, turn.turn_id, vector)

    def relevant(self, question: str, older: Sequence[Turn], recent: Sequence[Turn]) -> tuple[Turn, ...]:
        """The `older` turns that a question is clearly closer to than to the `recent` ones, oldest first.

        Of turns with one question only the newest counts. Empty where there are no vectors to be had: an answer without
        them is better than no answer.
        """
        newest = {
            turn.generated_question.strip(): turn.turn_id
            for turn in (*older, *recent)
            if _asks(turn) and not is_unanswered(turn)
        }
        candidates = {turn.turn_id for turn in older}.intersection(newest.values())
        if not self._most or not candidates:
            return ()
        try:
            vector = TurnVector(self._encoder.model_id, self._encoder.question(question))
            among = candidates | {turn.turn_id for turn in recent}
            cosines = self._conversations.cosines(older[0].session_id, vector, among)
        except WenquError as error:
            _log.warning("older turns could not be searched: %s", error)
            return ()
        present = [cosine for turn_id, cosine in cosines.items() if turn_id not in candidates]
        if not present:
            return ()
        base = fmean(present)
        least = base + _CLEARLY * (1 - base)
        near = [turn_id for turn_id, cosine in cosines.items() if turn_id in candidates and cosine >= least]
        best = sorted(near, key=cosines.__getitem__, reverse=True)[: self._most]
        return tuple(turn for turn in older if turn.turn_id in best)


def brief(turn: Turn) -> str:
    """A turn's answer as later prompts repeat it: shortened, without markers of passages that are gone."""
    answer = MARKER.sub("", turn.answer)
    return answer if len(answer) <= _ANSWER_LENGTH else f"{answer[:_ANSWER_LENGTH]}……"


def brief_question(question: str) -> str:
    """A question as later prompts repeat it: what was pasted is left out between its beginning and its end."""
    half = _REPEATED_LENGTH // 2
    return question if len(question) <= _REPEATED_LENGTH else f"{question[:half]}……{question[-half:]}"


def answered(turns: Sequence[Turn]) -> tuple[str, ...]:
    """What was asked of the documents and answered from them, each once, as a short question."""
    asked = (turn for turn in turns if _asks(turn) and evidence_used(turn))
    return tuple({turn.generated_question: _put(turn)[:_QUESTION_LENGTH] for turn in asked}.values())


def asked_in(turns: Sequence[Turn]) -> tuple[str, ...]:
    """What was asked of the documents, each once, as so short questions that a request can name all; else none."""
    asked = {turn.generated_question: _put(turn)[:_NAME_LENGTH] for turn in turns if _asks(turn)}
    return tuple(asked.values()) if len(asked) <= _MOST_NAMED else ()


def _put(turn: Turn) -> str:
    """A turn's question as a list names it: as the model was asked it, without 换个话题, 那 or how to answer it."""
    asked = parted(turn.question).asked
    put = lead.without_lead(prompt_form(asked, turn.generated_question))
    return without_link(put) if asked != turn.generated_question else put


def without_evidence(turn: Turn) -> Turn:
    """A turn for a prompt without its evidence: plain talk, as brief as a recalled turn."""
    put = prompt_form(turn.question, turn.generated_question)
    if put != (asked := brief_question(put)):
        turn = replace(turn, question=asked, generated_question=asked)
    if is_unanswered(turn):  # a note has none
        return turn
    return replace(turn, answer=brief(turn), thinking="", sources=(), decision=Decision.NO_RETRIEVE, recalled=())


def _asks(turn: Turn) -> bool:
    return bool(turn.answer) and turn.decision is not Decision.NO_RETRIEVE
