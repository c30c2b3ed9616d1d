"""Explain a subject to a reader."""

from typing_extensions import TypedDict

from kbwork.base.model import Input, Text
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.db.tx import Read
from kbwork.modules.ai.calls import conversation
from kbwork.modules.ai.calls.complete import UNDO
from kbwork.modules.ai.calls.conversation import ChosenModel, Completion, Matter
from kbwork.modules.ai.context import context
from kbwork.modules.ai.model import AICompleted

FEATURE = "explain"


class AIExplanation(TypedDict):
    text: str
    """The explanation: text that nobody has checked."""
    provider: str
    """Id of the provider that was asked."""
    model: str
    """Id of the model."""


class AiExplain(Input):
    subject: Text
    """What to explain: `issue:<n>`, or any other subject that search finds."""
    profile: Text
    """Key of the reader profile."""
    model: Text | None = None
    """One of the provider's models; left out: its default."""
    provider: Text | None = None
    """Id of the provider; left out: the first that is on and has a key."""


@write(
    "ai.explain",
    scope="ai:write",
    words="explain this issue to support, rewrite for customers, in plain words, for somebody who is new",
    undo=UNDO,
    emits=[AICompleted],
    example={"subject": "issue:WEB-1", "profile": "support"},
)
async def explain(out: External, args: AiExplain) -> AIExplanation:
    """Have a model explain a subject to the reader of a profile. Refused as `ai.complete` is."""

    def matter(tx: Read) -> Matter:
        found = context.made(tx, args.subject, "explain", args.profile, None)
        return Matter(found["system"], (("user", found["prompt"]),), found["subject"])

    chosen = ChosenModel(args.provider, args.model)
    call = await out.read(lambda tx: conversation.prepared(tx, chosen, FEATURE, matter))
    return await conversation.asked(out, call, _shown)


def _shown(found: Completion) -> AIExplanation:
    return AIExplanation(text=found.text, provider=found.provider, model=found.model)
