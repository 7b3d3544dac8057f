"""The prompt of a conversation. It only ever grows at its end, so the model's prefix cache survives.

Evidence stands at the turn that retrieved it and stays there; a passage that is already in the prompt is not sent
again. When the budget is full the older half of the turns leaves the prompt at once, not one turn at a time: a
prefix that changes once in many turns is read anew once in many turns.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from rag.prompts import Prompts
from rag.tokens import Estimator
from rag.types import Decision, Evidence, Hit, Turn

# Every token of a passage's place is read by the model before it can begin to answer.
_PLACE_LENGTH = 24


@dataclass(frozen=True, slots=True)
class Transcript:
    """The turns of a conversation that are in the prompt, oldest first."""

    prompts: Prompts
    turns: tuple[Turn, ...]
    last_number: int = 0
    thinking_in_context: bool = False

    def prefix(self) -> list[BaseMessage]:
        """The messages that stand before the next question."""
        messages: list[BaseMessage] = [SystemMessage(self.prompts.fill("answer"))]
        seen: set[int] = set()
        for turn in self.turns:
            fresh = tuple(item for item in turn.sources if item.chunk_id not in seen)
            seen.update(item.chunk_id for item in fresh)
            messages += [self.ask(turn.question, turn.decision, fresh, bool(turn.sources)), self._reply(turn)]
        return messages

    def ask(self, question: str, decision: Decision, fresh: Sequence[Evidence], found: bool) -> BaseMessage:
        """The message of a question: with the evidence that is new, or saying that none was found; talk as it is."""
        if decision is Decision.NO_RETRIEVE:
            return HumanMessage(question)
        if fresh:
            evidence = "\n\n".join(self._describe(item) for item in fresh)
            return HumanMessage(self.prompts.fill("question", evidence=evidence, question=question))
        return HumanMessage(self.prompts.fill("follow_up" if found else "no_evidence", question=question))

    def condense(self, question: str) -> BaseMessage:
        """The request to rewrite a follow-up, asked on top of the same prefix."""
        return HumanMessage(self.prompts.fill("condense", question=question))

    def in_hand(self) -> dict[int, Evidence]:
        """The evidence that the prompt holds, by chunk."""
        held: dict[int, Evidence] = {}
        for turn in self.turns:
            for item in turn.sources:
                held.setdefault(item.chunk_id, item)
        return held

    def number(self, hits: Sequence[Hit]) -> tuple[Evidence, ...]:
        """The hits as evidence: those in hand keep their number, new ones get the next."""
        held = self.in_hand()
        numbered: list[Evidence] = []
        following = self.last_number
        for hit in hits:
            known = held.get(hit.chunk.chunk_id)
            if known is None:
                following += 1
            numbered.append(known or _evidence(following, hit))
        return tuple(numbered)

    def fresh(self, evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
        """Those of the evidence that the prompt does not hold yet."""
        held = self.in_hand()
        return tuple(item for item in evidence if item.chunk_id not in held)

    def _describe(self, evidence: Evidence) -> str:
        heading = f" · {evidence.heading_path[-1][:_PLACE_LENGTH]}" if evidence.heading_path else ""
        return self.prompts.fill(
            "passage",
            number=str(evidence.number),
            name=PurePath(evidence.document_name).stem[:_PLACE_LENGTH],
            page=str(evidence.page),
            heading=heading,
            text=evidence.text.strip(),
        )

    def _reply(self, turn: Turn) -> BaseMessage:
        if self.thinking_in_context and turn.thinking:
            return AIMessage(f"<think>{turn.thinking}</think>\n{turn.answer}")
        return AIMessage(turn.answer)


def open_transcript(
    path: Sequence[Turn], prompts: Prompts, budget: int, estimate: Estimator, thinking_in_context: bool = False
) -> Transcript:
    """The transcript of a conversation's path, its older half left out as often as `budget` tokens demand.

    Where the last turn's prompt began, this one begins too unless it has grown too long. Turns that brought no
    answer are not part of it.
    """
    answered = [turn for turn in path if turn.answer]
    last_number = max((item.number for turn in path for item in turn.sources), default=0)
    window = answered
    if answered and answered[-1].first_turn_in_prompt:
        start = answered[-1].first_turn_in_prompt
        window = answered[next((n for n, turn in enumerate(answered) if turn.turn_id == start), 0) :]
    while True:
        transcript = Transcript(prompts, tuple(window), last_number, thinking_in_context)
        if not window or sum(estimate(str(message.content)) for message in transcript.prefix()) <= budget:
            return transcript
        window = window[(len(window) + 1) // 2 :]


def _evidence(number: int, hit: Hit) -> Evidence:
    chunk = hit.chunk
    return Evidence(
        number=number,
        chunk_id=chunk.chunk_id,
        document_id=chunk.document_id,
        document_name=chunk.document_name,
        page=chunk.passage.page,
        page_label=chunk.passage.page_label,
        heading_path=chunk.passage.heading_path,
        text=chunk.passage.text,
        score=hit.score,
    )
