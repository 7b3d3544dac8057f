"""From a follow-up and the conversation before it to a question that can be searched for alone."""

import re

# What a question leans on the conversation with: pronouns, a trailing 呢, or an opening that has no subject.
_LEANS = re.compile(
    r"它|他们|她们|[他她](?!国|人|乡)|这(?!些年|几年)|那(?!里的)|其(?:中|余|他|它)|该|上述|前者|后者|此|另外|还有|别的|"
    r"呢[？?]?$|^(?:为什么|怎么|如何|什么时候|多少|多久|哪|谁|几|能|可以|需要|有没有|是不是|会不会|和|与|跟|同|对|比)|"
    r"\b(?:it|its|they|them|this|that|these|those|he|she|his|her)\b",
    re.IGNORECASE,
)
_SHORT = 8
_LABEL = re.compile(r"^(?:完整问题|改写后的问题|改写|追问|问题|Question)\s*[：:]\s*", re.IGNORECASE)


def leans_on_history(question: str) -> bool:
    """Whether a question may not be understood without the turns before it."""
    return len(question.strip("？?。！! ")) < _SHORT or _LEANS.search(question) is not None


def accept_rewrite(reply: str, question: str, earlier: tuple[str, ...]) -> str | None:
    """The rewritten question in a model's reply, or None where the reply cannot be one.

    Small models give back an earlier question or begin to answer; a rewrite that leaves out the follow-up's
    numbers is about something else.
    """
    lines = [line.strip() for line in reply.strip().splitlines() if line.strip()]
    if not lines:
        return None
    rewrite = _LABEL.sub("", lines[0]).strip('“”" ')
    plain = rewrite.strip("？?。")
    repeats = any(plain == former.strip("？?。") for former in earlier)
    too_long = len(rewrite) > 2 * len(question) + 60
    loses_numbers = set(re.findall(r"\d+", question)) - set(re.findall(r"\d+", rewrite))
    return None if not plain or repeats or too_long or loses_numbers else rewrite


def stand_alone(reply: str, question: str, earlier: tuple[str, ...]) -> str:
    """The question to search for: the rewrite in a model's reply, or the joined questions where there is none."""
    return accept_rewrite(reply, question, earlier) or joined(question, earlier)


def joined(question: str, earlier: tuple[str, ...]) -> str:
    """The stand-alone question without a model: the last question that stood alone, then the follow-up."""
    anchor = next((former for former in reversed(earlier) if not leans_on_history(former)), None)
    anchor = anchor or (earlier[-1] if earlier else "")
    return f"{anchor} {question}".strip()
