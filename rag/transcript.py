"""The prompt of a conversation. It only ever grows at its end, so the model's prefix cache survives.

Evidence stands at the turn that retrieved it and stays there; a passage that is already in the prompt is not sent
again. When the budget is full many turns leave the prompt at once, into the summary, not one turn at a time: a prefix
that changes once in many turns is read anew once in many turns.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from rag.citations import MARKER
from rag.evidence import brief_heading, brief_name, evidence_of, evidence_used, is_unanswered, most_covering
from rag.i18n import Language
from rag.language.english import is_english, spoken_language, wants_english
from rag.language.talk import DOUBT, asks_who_speaks, sums_up_the_talk, tells_of_speaker
from rag.language.words import plainly
from rag.prompts import Prompts
from rag.quoting import quoted_behind
from rag.recall import answered, brief, brief_question
from rag.rewriting.prompt_form import prompt_question
from rag.types import EVERYTHING, Decision, Evidence, Hit, Scope, Summary, Turn

# Questions named again where all of the talk is to be summed up.
_MOST_SUMMED_UP = 12


@dataclass(frozen=True, slots=True)
class Transcript:
    """The turns of a conversation that are in the prompt, oldest first, and the summary of the `older` before them.

    `tokens` is what its prefix was estimated at. Evidence out of `scope` is in neither the prompt nor in hand.
    """

    prompts: Prompts
    turns: tuple[Turn, ...]
    summary: Summary | None = None
    last_number: int = 0
    thinking_in_context: bool = False
    older: tuple[Turn, ...] = ()
    tokens: int = 0
    scope: Scope = EVERYTHING

    def prefix(self) -> list[BaseMessage]:
        """The messages that stand before the next question."""
        messages: list[BaseMessage] = [SystemMessage("\n\n".join(filter(None, self.system())))]
        held: set[int] = set()
        for place, turn in enumerate(self.turns):
            question = prompt_question(turn.question, turn.generated_question, turn.decision)
            if is_unanswered(turn):
                messages += self._unanswered(question, turn.answer)
                continue
            used = self.used(turn)
            fresh = tuple(item for item in used if item.number not in held)
            recalled = [older for older in self.older if older.turn_id in turn.recalled]
            reader = Language.EN if is_english(turn.answer) else ""
            said = (question, turn.decision, fresh, bool(used), recalled, turn.place_read)
            ask = self.ask(*said, before=self.turns[:place], reader=reader)
            held |= {item.number for item in fresh}
            messages += [ask, self._reply(turn)]
        return messages

    def read_ahead(self) -> list[BaseMessage]:
        """The next prompt as far as it is known: what stands before a question that needs no new evidence."""
        return [*self.prefix(), HumanMessage(self.prompts.fill("follow_up", question=""))]

    def system(self) -> tuple[str, str]:
        """What the model is told as its role, and of the turns before the prompt's."""
        told = self.prompts.fill("summary", summary=self.summary.text) if self.summary else ""
        return self.prompts.fill("answer"), told

    def alone(self, tokens: int) -> "Transcript":
        """A prompt of nothing but the model's role, `tokens` long.

        What was said before does not belong into a summary of a place; asked behind it, a small model repeats that.
        """
        return replace(self, turns=(), older=(), summary=None, tokens=tokens)

    def ask(
        self,
        question: str,
        decision: Decision,
        fresh: Sequence[Evidence],
        found: bool,
        recalled: Sequence[Turn] = (),
        place_read: str = "",
        *,
        before: Sequence[Turn] | None = None,
        reader: str = "",
    ) -> BaseMessage:
        """The message of a question as it stands alone: after what it comes back to, with what evidence is new.

        Without `before` all turns stand before it. `reader` is the language of who asks, where that is known.
        """
        before = self.turns if before is None else before
        talk = decision is Decision.NO_RETRIEVE and not fresh
        put = self._talk(question, before) if talk else self._put(question, fresh, found, place_read or "question")
        # Below Chinese passages a small model answers in English only where it is told last.
        told = put != question and wants_english(question, reader)
        asked = f"{put}\n{self.prompts.fill('in_english' if talk else 'in_english_from_passages')}" if told else put
        asked = f"{self.repeat(recalled)}\n\n{asked}" if recalled else asked
        language = spoken_language(question, Language(reader or self.prompts.language))
        return HumanMessage(asked, additional_kwargs={"language": language})

    def repeat(self, recalled: Sequence[Turn]) -> str:
        """What the prompt says of turns that it does not hold."""
        told = [(brief_question(turn.question), brief(turn)) for turn in recalled]
        said = [self.prompts.fill("recalled_turn", question=question, answer=answer) for question, answer in told]
        return self.prompts.fill("recalled", turns="\n".join(said))

    def _talk(self, question: str, before: Sequence[Turn]) -> str:
        """Talk as it is; what a small model gets wrong else is told: introductions, who speaks, long summaries."""
        plain = plainly(question)
        if (tells := tells_of_speaker(plain)) or asks_who_speaks(plain):
            return self.prompts.fill("introduced" if tells else "who_speaks", question=question)
        about = answered([*self.older, *before])[-_MOST_SUMMED_UP:] if sums_up_the_talk(question) else ()
        # Numbered: told to be short, it leaves out what was asked last.
        asked = "；".join(f"{number}. {one}" for number, one in enumerate(about, 1))
        return self.prompts.fill("recap", question=question, about=asked) if len(about) > 1 else question

    def _put(self, question: str, fresh: Sequence[Evidence], found: bool, prompt: str) -> str:
        """With the evidence that is new, or saying that none was found."""
        if fresh:
            former = ("", *(item.document_name for item in fresh))
            evidence = "\n\n".join(map(self._describe, fresh, former))
            # A number that is there: small models copy the example, whatever it is.
            example = str(fresh[0].number)
            return self.prompts.fill(prompt, evidence=evidence, question=question, example=example)
        # A small model takes "are you sure?" for talk, and says that it understands.
        behind = "doubted" if DOUBT.match(plainly(question)) else "follow_up"
        return self.prompts.fill(behind if found else "no_evidence", question=question)

    def condense(self, question: str) -> BaseMessage:
        """The request to rewrite a follow-up, asked on top of the same prefix.

        It repeats the question before, as that was searched for: small models else give back the follow-up as it was.
        """
        asked = (turn for turn in reversed(self.recent()) if turn.decision is not Decision.NO_RETRIEVE)
        former = next(asked, self.recent()[-1]).generated_question
        return HumanMessage(self.prompts.fill("condense", question=question, former=former))

    def decide(self, question: str) -> BaseMessage:
        """The request to judge what a turn needs, asked on top of the same prefix."""
        return HumanMessage(self.prompts.fill("decide", question=question))

    def summarise(self, questions: Sequence[str] = ()) -> BaseMessage:
        """The request to summarise the conversation, of named questions only, asked on top of the same prefix."""
        asked, about = self.prompts.fill("summarise"), "；".join(questions)
        return HumanMessage(f"{asked}\n{self.prompts.fill('summarise_questions', about=about)}" if about else asked)

    def suggest(self) -> BaseMessage:
        """The request for questions that may follow, asked on top of the same prefix."""
        return HumanMessage(self.prompts.fill("suggest"))

    def recent(self) -> tuple[Turn, ...]:
        """The turns that the prompt holds; where there is no room for any, the last one before."""
        return self.turns or self.older[-1:]

    def in_hand(self) -> tuple[Evidence, ...]:
        """The evidence that the prompt holds, that of its newest turns first."""
        return tuple({item.number: item for turn in reversed(self.turns) for item in self.used(turn)}.values())

    def held(self) -> dict[int, Evidence]:
        """The chunks that the prompt holds whole, each with the evidence that it is part of."""
        return {chunk: item for item in self.in_hand() for chunk in item.chunk_ids}

    def covering(self, question: str) -> tuple[Evidence, ...]:
        """The evidence of the turn whose evidence has most of a question's terms, of equal ones the newest."""
        return most_covering(question, (self.used(turn) for turn in reversed(self.turns)))

    def used(self, turn: Turn) -> tuple[Evidence, ...]:
        """A turn's evidence, less what had no answer, or was only shown to the reader, and what may not be used now."""
        allowed, pages = self.scope.document_ids, self.scope.pages
        # What a filter said of its use, it said of that turn's question.
        return tuple(
            replace(item, use=None)
            for item in evidence_used(turn)
            if (allowed is None or item.document_id in allowed) and (pages is None or not pages.isdisjoint(item.pages))
        )

    def has_lost_its_subject(self) -> bool:
        """Whether nothing of what the last answer was told from may be used now: left out since, or deleted."""
        told = (turn for turn in reversed(self.turns) if turn.sources and not is_unanswered(turn))
        last = next(told, None)
        return last is not None and not self.used(last)

    def forgotten(self) -> tuple[Turn, ...]:
        """The older turns that no summary covers: they left the prompt because they did not fit."""
        last = self.summary.last_turn_id if self.summary else None
        covered = (place for place, turn in enumerate(self.older) if turn.turn_id == last)
        return self.older[next(covered, -1) + 1 :]

    def told(self) -> tuple[str, ...]:
        """What was said, by both sides, with the names and headings of the evidence, and the summary."""
        titles = {title for item in self.in_hand() for title in (item.document_name, *item.heading_path)}
        said = (text for turn in self.turns for text in (turn.question, turn.answer))
        return (*said, *sorted(titles), self.summary.text if self.summary else "")

    def number(self, hits: Sequence[Hit], question: str = "") -> tuple[Evidence, ...]:
        """The hits as evidence, each once: what is part of evidence in hand as this, the new ones under new numbers.

        The `question` is what the new ones were found for.
        """
        held = self.held()
        numbered: dict[int, Evidence] = {}
        following = self.last_number
        for hit in hits:
            known = held.get(hit.chunk.chunk_id)
            if known is None:
                following += 1
                known = evidence_of(following, hit, question)
            numbered.setdefault(known.number, replace(known, use=hit.use))
        return tuple(numbered.values())

    def fresh(self, evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
        """Those of the evidence that the prompt does not hold yet."""
        held = {item.number for item in self.in_hand()}
        return tuple(item for item in evidence if item.number not in held)

    def _describe(self, evidence: Evidence, former: str) -> str:
        """A passage with its place; its document's name only where it is not that of the passage before, `former`."""
        name = f"{brief_name(evidence)} · " if evidence.document_name != former else ""
        heading = f" · {brief_heading(evidence)}" if evidence.heading_path else ""
        return self.prompts.fill(
            "passage",
            number=str(evidence.number),
            name=name,
            page=str(evidence.page),
            heading=heading,
            text=evidence.text.strip(),
        )

    def _unanswered(self, question: str, answer: str) -> list[BaseMessage]:
        """A turn without an answer, as a note: a small model would say of what comes next what was said of that."""
        quote = MARKER.sub("", quoted_behind(answer))  # these numbers are no longer in hand
        nearest = self.prompts.fill("unanswered_nearest", quote=quote) if quote else ""
        told = self.prompts.fill("unanswered", question=question, nearest=nearest)
        return [HumanMessage(told), AIMessage(self.prompts.fill("noted"))]

    def _reply(self, turn: Turn) -> BaseMessage:
        if self.thinking_in_context and turn.thinking:
            return AIMessage(f"<think>{turn.thinking}</think>\n{turn.answer}")
        return AIMessage(turn.answer)
