"""Summarize a subject, or what happened to it."""

from typing import Literal

from typing_extensions import TypedDict

from kbwork.base.model import Input, Text
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.db.tx import Read
from kbwork.modules.ai.calls import conversation
from kbwork.modules.ai.calls.complete import UNDO
from kbwork.modules.ai.calls.conversation import ChosenModel, Completion, Matter
from kbwork.modules.ai.context import context
from kbwork.modules.ai.context.context import Since
from kbwork.modules.ai.model import AICompleted


class AISummary(TypedDict):
    summary: str
    """The summary: text that nobody has checked."""
    provider: str
    """Id of the provider that was asked."""
    model: str
    """Id of the model."""


class AiSummarize(Input):
    subject: Text
    """What to summarize: `issue:<n>`, or any other subject that search finds."""
    mode: Literal["summary", "changes"] | None = "summary"
    """`summary`; `changes`: what happened after `since`."""
    model: Text | None = None
    """One of the provider's models; left out: its default."""
    provider: Text | None = None
    """Id of the provider; left out: the first that is on and has a key."""
    since: Since | None = None
    """For `changes`: the sequence number of an event; left out: from the beginning."""


@write(
    "ai.summarize",
    scope="ai:write",
    words="tl;dr, sum up the discussion, summary of an issue, what happened here since, catch me up with AI",
    undo=UNDO,
    emits=[AICompleted],
    example={"subject": "issue:WEB-1", "mode": "summary"},
)
async def summarize(out: External, args: AiSummarize) -> AISummary:
    """Have a model summarize a subject, as you see it and without what is excluded. Refused as `ai.complete` is."""

    def matter(tx: Read) -> Matter:
        found = context.made(tx, args.subject, args.mode or "summary", None, args.since)
        return Matter(found["system"], (("user", found["prompt"]),), found["subject"])

    chosen, feature = ChosenModel(args.provider, args.model), args.mode or "summary"
    call = await out.read(lambda tx: conversation.prepared(tx, chosen, feature, matter))
    return await conversation.asked(out, call, _shown)


def _shown(found: Completion) -> AISummary:
    return AISummary(summary=found.text, provider=found.provider, model=found.model)
