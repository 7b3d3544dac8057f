"""RETRIEVE / REUSE / NO_RETRIEVE: what a turn does about evidence, decided without a model call."""

import re
from dataclasses import dataclass

from rag.types import Decision, Message

# A dialogue act fills the whole question: "谢谢" needs no evidence, "谢谢，那年假有几天" does.
_SMALL_TALK = re.compile(
    r"^(?:(?:好的?|嗯+|哦+|行|可以|明白|知道|懂|了解|收到|清楚|谢谢|多谢|感谢|辛苦|你好|您好|大家好|早上好|下午好|晚上好|嗨|哈喽|"
    r"再见|拜拜|不错|太好|很好|没(?:有)?问题|没事|thanks|thank you|hello|hi|bye|ok|okay)"
    r"(?:了|啦|啊|呀|吧|的|你|您|大家|们|很多)*[\s，,。.！!~～、]*)+$",
    re.IGNORECASE,
)
_ABOUT_THE_TALK = re.compile(
    r"(?:总结|概括|归纳|复述|重复|翻译|改写|简化|缩短|精简|再说一遍|换个说法|summari[sz]e|rephrase|translate|repeat)",
    re.IGNORECASE,
)
_WHAT_WAS_SAID = re.compile(
    r"(?:刚才|刚刚|上面|前面|以上|之前|上述|你说|你的回答|说过|聊|讲的|对话|你刚|above|you said|your answer)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision, its reason for the reader, and how certain it is (0 to 1)."""

    decision: Decision
    reason: Message
    certainty: float


def decide(question: str, has_history: bool) -> Verdict:
    """Small talk and requests about the conversation itself need no evidence; everything else is searched for."""
    if _SMALL_TALK.match(question.strip()):
        return Verdict(Decision.NO_RETRIEVE, Message("decision.small_talk"), 0.95)
    if has_history and _ABOUT_THE_TALK.search(question) and _WHAT_WAS_SAID.search(question):
        return Verdict(Decision.NO_RETRIEVE, Message("decision.about_the_talk"), 0.9)
    if not has_history:
        return Verdict(Decision.RETRIEVE, Message("decision.first_question"), 1.0)
    return Verdict(Decision.RETRIEVE, Message("decision.new_facts"), 0.6)
