"""What a model would be given of a subject."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input, Int, Text
from kbwork.core.operations.declare import read
from kbwork.db.tx import Read
from kbwork.modules.ai import policy, profiles
from kbwork.modules.ai.context import exclusion, material, prompts

Mode = Literal["summary", "changes", "explain"]
Since = Annotated[Int, Field(ge=0)]


class AIContext(TypedDict):
    """A prompt that is ready to be sent, and its material by itself."""

    subject: str
    """What it is about, such as `issue:12`."""
    system: str
    """The system text: rules, which no material changes."""
    prompt: str
    """The message: what is asked, and the material."""
    material: str
    """What the caller sees of the subject and AI may read, as JSON text."""
    feature: str
    """What to pass to `ai.complete` as `feature`."""
    title: str | None
    """Title of the subject."""


class AiContext(Input):
    subject: Text
    """What it is about: `issue:<n>`, or any other subject that search finds."""
    mode: Mode | None = "summary"
    """`summary`; `changes`: what happened after `since`; `explain`: rewritten for `profile`."""
    profile: Text | None = None
    """For `explain`: key of a reader profile."""
    since: Since | None = None
    """For `changes`: the sequence number of an event; left out: from the beginning."""


@read(
    "ai.context",
    scope="ai:read",
    threaded=True,
    words=(
        "what would AI be told, prompt for a summary, text for a language model, give this issue to an LLM, "
        "context of an issue for AI"
    ),
    example={"subject": "issue:WEB-1", "mode": "summary"},
)
def context(tx: Read, args: AiContext) -> AIContext:
    """Look at what a model would be given of a subject: what you see of it and may read, without what is excluded.

    Where AI is off it is 403 (`ai-off`), as for a subject that is excluded (`ai-excluded`). The material is bounded:
    `cut` in it says what is missing.
    """
    policy.require_on(tx)
    return made(tx, args.subject, args.mode or "summary", args.profile, args.since)


def made(tx: Read, ref: str, mode: Mode, profile: str | None, since: int | None) -> AIContext:
    """Raises NotFound, AiExcluded or InvalidInput."""
    if mode == "explain" and not profile:
        raise InvalidInput("Say for which reader: ai.profiles lists them.", field="profile")
    (subject,) = exclusion.require_readable(tx, [ref])
    said = (
        profiles.require(tx, profile, field="profile")["instructions"]
        if mode == "explain" and profile
        else ""
    )
    text = material.of(tx, subject, "changes" if mode == "changes" else "whole", since or 0)
    prompt = prompts.made(mode, text, said)
    return AIContext(
        subject=subject.id,
        system=prompt.system,
        prompt=prompt.message,
        material=text,
        feature=mode,
        title=subject.bare or subject.title,
    )
