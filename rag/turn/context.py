"""What the stages of a turn work with."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from rag import events
from rag.decision.base import Decider, Verdict
from rag.decision.rules import CERTAIN
from rag.i18n import Language
from rag.knowledge.base import collections_seen_by
from rag.language.english import spoken_language
from rag.llm.current import Answering
from rag.llm.gate import Ticket
from rag.memory import FORM_TOKENS
from rag.profile import Profile
from rag.retrieval import Retrieval
from rag.tokens import Estimator
from rag.transcript import Transcript
from rag.turn.draft import Draft
from rag.types import Provider, TurnOptions

Stage = Iterator[events.TurnEvent]
# A page has about twice the tokens that evidence usually may take.
_A_PAGE = 2


@dataclass(frozen=True, slots=True)
class TurnContext:
    """What the stages of a turn work with, beside its draft: its session's profile, its transcript, and who answers.

    `limit` bounds prompt and answer together, `evidence_tokens` the evidence that is new to the prompt. `arguments` go
    with the call for the answer. The program's own words are in `language`. `judging` is who judges passages. `ticket`
    is the turn's place at the model's gate.
    """

    profile: Profile
    decider: Decider
    retrieval: Retrieval
    collections: tuple[str, ...]
    answering: Answering
    judging: Answering
    limit: int
    evidence_tokens: int
    answer_tokens: int
    estimate: Estimator
    arguments: Mapping[str, object]
    language: Language
    transcript: Transcript
    ticket: Ticket

    @property
    def has_model(self) -> bool:
        """Whether there is a model that can be asked for more than quotations."""
        return self.answering.provider is not Provider.EXTRACTIVE

    def on(self, transcript: Transcript) -> "TurnContext":
        """The same with another transcript."""
        return replace(self, transcript=transcript)

    def room(self, draft: Draft) -> int:
        """The tokens that evidence new to the prompt may take; more where what stands at a place is to be read."""
        most = self.evidence_tokens * (_A_PAGE if draft.place and draft.place.in_full else 1)
        return max(0, min(most, self.left(draft) - FORM_TOKENS))

    def left(self, draft: Draft) -> int:
        """The tokens that are left beside the answer where the question comes without evidence."""
        asked = f"{self.transcript.repeat(draft.recalled)}\n\n{draft.question}" if draft.recalled else draft.question
        return self.limit - self.transcript.tokens - self.estimate(asked) - self.answer_tokens

    def probable(self, draft: Draft, text: str) -> Mapping[int, float]:
        """How probably each chunk that a search finds for a text answers it. Raises StoreError."""
        return self.retrieval.probable(text, self.collections, draft.scope)

    def asks(self, verdict: Verdict) -> bool:
        """Whether a model shall say what it thinks of a verdict of the rules.

        By itself (`auto`) only where the rules are uncertain, and only a server's model: that the embedded 1.5B knows
        better than uncertain rules was not found, and its opinion takes seconds.
        """
        if self.profile.settings.decide_by == "auto":
            return verdict.certainty < CERTAIN and self.answering.provider.is_served
        return self.profile.settings.decide_by == "llm" and self.has_model

    def rewrites(self, rules_can: bool) -> bool:
        """Whether a model makes a follow-up stand alone; where the rules can as well, only a server's by itself.

        The embedded 1.5B gave back eight of twelve follow-ups as they were, and takes seconds for it.
        """
        if rules_can and self.profile.settings.decide_by != "llm":
            return self.answering.provider.is_served
        return self.has_model


def context_of(draft: Draft, profile: Profile, decider: Decider, transcript: Transcript, ticket: Ticket) -> TurnContext:
    """The context of a turn, with who answers now."""
    memory, answering = profile.memory, profile.answering(draft.options.model)
    return TurnContext(
        profile=profile,
        decider=decider,
        retrieval=profile.retrieval,
        collections=collections_seen_by(draft.session_id),
        answering=answering,
        judging=profile.named(draft.options.judge) or answering,
        limit=profile.settings.llm_max_token,
        evidence_tokens=memory.evidence_tokens(answering.provider),
        answer_tokens=memory.answer_tokens,
        estimate=memory.estimate,
        arguments={**profile.arguments, **_wanted(draft.options, memory.answer_tokens)},
        language=spoken_language(draft.question, Language(draft.options.language or transcript.prompts.language)),
        transcript=transcript,
        ticket=ticket,
    )


def _wanted(options: TurnOptions, most: int) -> Mapping[str, object]:
    """The arguments that a client wants for the answer; `most` is how many tokens there are for one."""
    tokens = None if options.max_tokens is None else min(options.max_tokens, most)
    wanted = {"temperature": options.temperature, "max_tokens": tokens}
    return {name: value for name, value in wanted.items() if value is not None}
