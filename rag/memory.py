"""What a conversation remembers: which turns its prompt holds, and the summary of those that it no longer holds."""

import threading
import uuid
from dataclasses import replace
from datetime import UTC, datetime
from itertools import accumulate, pairwise

from loaders.sentences import SENTENCE_END
from rag.citations import MARKER
from rag.conversation.summaries import SummaryStore
from rag.errors import ModelGaveNothing, OutdatedSummary, QuestionTooLong, UnfitSummary
from rag.evidence import is_unanswered
from rag.llm.replier import Replier
from rag.llm.stream import model_name
from rag.llm.think import said
from rag.opening import open_transcript
from rag.prompts import Prompts
from rag.recall import Recall, asked_in, without_evidence
from rag.settings import LEAST_EVIDENCE, DialogueSettings
from rag.tokens import Estimator, cut_text
from rag.transcript import Transcript
from rag.types import EVERYTHING, Provider, Recollection, Scope, Summary, Turn

_SUMMARY_TOKENS = 400
# The share of a prompt's tokens that a summary may take: with few of them it would be all that fits.
_SUMMARY_SHARE = 0.125
# What the prompt puts around a question: the framing of its passages and where they stand.
FORM_TOKENS = 250
MAX_SUMMARY_LENGTH = 1000  # characters of a reader's own summary; it stands in every later prompt
# Shares of a prompt's tokens: new evidence for a served model at most, and forgotten turns retold.
_SERVED_SHARE = 0.25
_RETOLD_SHARE = 0.25


class Memory:
    """Opens transcripts, and makes running summaries of them when they have grown too long."""

    def __init__(
        self,
        settings: DialogueSettings,
        summaries: SummaryStore,
        prompts: Prompts,
        recall: Recall,
        estimate: Estimator,
        *,
        answer_tokens: int = 512,
    ) -> None:
        self.answer_tokens = answer_tokens
        self._settings = settings
        self._recall = recall
        self._summaries = summaries
        self._prompts = prompts
        self.estimate = estimate

    def evidence_tokens(self, provider: Provider) -> int:
        """The room for evidence new to a prompt, by how fast whoever answers reads."""
        own, served = self._settings.evidence_tokens, self._settings.evidence_tokens_served
        if not provider.is_served:
            return own
        return min(served, max(own, int(_SERVED_SHARE * self._settings.llm_max_token)))

    def transcript(self, path: tuple[Turn, ...], question: str = "", scope: Scope = EVERYTHING) -> Transcript:
        """The prompt that a question comes after. What no summary covers is cut only where it would not fit at all.

        Of the evidence it holds what is in `scope`.
        """
        summaries = self._summaries.of_conversation(path[-1].session_id, path[-1].conversation_id) if path else ()
        return open_transcript(
            path,
            summaries,
            self._prompts,
            self._room() - self.estimate(question),
            self.estimate,
            thinking_in_context=self._settings.thinking_in_context,
            scope=scope,
        )

    def check(self, question: str) -> None:
        """Raises QuestionTooLong where a question does not fit beside its answer and a passage."""
        room, cost = self._room() - self.estimate(self._prompts.fill("answer")), self.estimate(question)
        if cost > room:
            raise QuestionTooLong(length=len(question), limit=max(0, len(question) * room // cost))

    def recollection(self, path: tuple[Turn, ...], scope: Scope = EVERYTHING) -> Recollection:
        """What the prompt of the next question will know of the turns before it."""
        transcript = self.transcript(path, scope=scope)
        summary = transcript.summary
        last = next((place for place, turn in enumerate(path) if summary and turn.turn_id == summary.last_turn_id), -1)
        return Recollection(
            summary, path[: last + 1], transcript.turns, transcript.tokens, self._settings.llm_max_token
        )

    def remember(self, turn: Turn) -> None:
        """Keep a turn so that a later question can come back to it. Raises ModelError, StoreError."""
        self._recall.remember(turn)

    def recall(self, question: str, transcript: Transcript) -> tuple[Turn, ...]:
        """The turns a question comes back to that the prompt neither holds nor repeats, oldest first.

        Where the prompt has no room for any turn, the last one: the next question is mostly about it.
        """
        if not transcript.turns:
            return transcript.recent()
        # A note of what had no answer repeats nothing.
        told = (turn for turn in transcript.turns if not is_unanswered(turn))
        repeated = {turn_id for turn in told for turn_id in turn.recalled}
        older = [turn for turn in transcript.older if turn.turn_id not in repeated]
        return self._recall.relevant(question, older, transcript.turns)

    def wants_summary(self, transcript: Transcript, provider: Provider) -> bool:
        """Whether the next turn would exceed the prompt's threshold or number of turns, or turns are forgotten.

        Until the summary is ready its turns stay in the prompt for as long as they fit.
        """
        if transcript.forgotten() or len(transcript.turns) >= self._settings.max_recent_turns:
            return True
        threshold = self._settings.llm_max_token * self._settings.max_token_threshold
        next_turn = self.evidence_tokens(provider) + self.answer_tokens
        return bool(self._leaving(transcript)) and transcript.tokens + next_turn > threshold

    def compress(self, transcript: Transcript, replier: Replier, cancel: threading.Event) -> Summary | None:
        """Put the older turns into a new summary; None where it was cancelled. Raises ModelError, StoreError.

        The newest `messages // cut_dialogue_scale` messages stay, and the newest turn always. Turns that left the
        prompt without a summary come first. The request stands on the whole prefix, which the model has in its cache: a
        question that ends the summary then finds it there. It names what to write of, as a small model else writes of
        one question. The former summary is kept as it is: of that, a small model writes nothing or nothing else.
        """
        retold = self._retold(transcript)
        older = retold or self._leaving(transcript)
        if not older:
            return None
        told = replace(transcript, turns=retold) if retold else transcript
        request = [*told.prefix(), told.summarise(asked_in(older))]
        limit = min(_SUMMARY_TOKENS, int(_SUMMARY_SHARE * self._settings.llm_max_token))
        # Not every server keeps to a limit, and a summary stands in every later prompt.
        reply = said(replier.parts(request, cancel, limit))
        text = cut_text(MARKER.sub("", reply).strip(), limit, self.estimate, anywhere=True)
        if cancel.is_set():
            return None
        if not text:
            raise ModelGaveNothing(model=model_name(replier.model))
        former = transcript.summary.text if transcript.summary else ""
        text = _running(former, text, self._own_words(transcript), limit, self.estimate)
        last = older[-1]
        summary = Summary(
            uuid.uuid4().hex, last.session_id, last.conversation_id, last.turn_id, text, False, datetime.now(UTC)
        )
        self._summaries.add(summary)
        return summary

    def holding(self, session_id: str, summary_id: str) -> str:
        """The id of the conversation that has a summary. Raises UnknownSummary."""
        return self._summaries.holding(session_id, summary_id)

    def edit(self, path: tuple[Turn, ...], summary_id: str, text: str) -> None:
        """Put the reader's own words in the place of the summary of a path.

        Raises UnfitSummary, OutdatedSummary for one that the path's prompt has no longer, UnknownSummary.
        """
        text = text.strip()
        if not 0 < len(text) <= MAX_SUMMARY_LENGTH:
            raise UnfitSummary(length=len(text), limit=MAX_SUMMARY_LENGTH)
        summary = self.transcript(path).summary
        if summary is None or summary.summary_id != summary_id:
            raise OutdatedSummary()
        self._summaries.edit(summary.session_id, summary_id, text)

    def _own_words(self, transcript: Transcript) -> str:
        """What a reader last wrote as the summary of these turns."""
        if transcript.summary is None:
            return ""
        of = transcript.summary.session_id, transcript.summary.conversation_id
        passed = {turn.turn_id for turn in transcript.older}
        own = [one.text for one in self._summaries.of_conversation(*of) if one.edited and one.last_turn_id in passed]
        return own[-1] if own else ""

    def _leaving(self, transcript: Transcript) -> tuple[Turn, ...]:
        kept = max(1, len(transcript.turns) // self._settings.cut_dialogue_scale)
        return transcript.turns[: len(transcript.turns) - kept]

    def _retold(self, transcript: Transcript) -> tuple[Turn, ...]:
        """The first of the forgotten turns, as many as fit at once: without evidence, as no cache has them."""
        told = [without_evidence(turn) for turn in transcript.forgotten()]
        sizes = accumulate(self.estimate(f"{turn.question}\n{turn.answer}") for turn in told)
        room = _RETOLD_SHARE * self._settings.llm_max_token
        fitting = sum(size <= room for size in sizes)
        return tuple(told[: max(1, fitting)])

    def _room(self) -> int:
        """The tokens that are left for a question and what stands before it."""
        least = min(LEAST_EVIDENCE, *map(self.evidence_tokens, Provider))
        return self._settings.llm_max_token - self.answer_tokens - FORM_TOKENS - least


def _running(former: str, text: str, own: str, limit: int, estimate: Estimator) -> str:
    """A former summary and what is new, each sentence once; over `limit` tokens the oldest go that are not `own`."""
    ends = [match.end() for match in SENTENCE_END.finditer(former)]
    sentences = [former[start:end] for start, end in pairwise((0, *ends, len(former)))]
    kept = [sentence for sentence in sentences if sentence.strip() not in text]
    loose = [sentence for sentence in kept if sentence.strip() not in own]
    while loose and estimate("".join(kept) + text) > limit:
        kept.remove(loose.pop(0))
    return "\n".join(filter(None, ("".join(kept).strip(), text)))
