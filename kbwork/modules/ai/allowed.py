"""Whether AI may read some subjects."""

from typing import Annotated

from pydantic import Field

from kbwork.base.model import Input, Text
from kbwork.core.operations.declare import read
from kbwork.db.tx import Read
from kbwork.modules.ai import policy
from kbwork.modules.ai.context import exclusion
from kbwork.modules.ai.model import AIAllowance


class AiAllowed(Input):
    subjects: Annotated[list[Text], Field(max_length=100)]
    """What AI would read, such as `issue:WEB-1`."""


@read(
    "ai.allowed",
    scope="ai:read",
    words="may AI read this, is this excluded from AI, why can I not summarize it",
    example={"subjects": ["issue:WEB-1"]},
)
def allowed(tx: Read, args: AiAllowed) -> list[AIAllowance]:
    """Say of each of some subjects, in their order, whether AI may read it. One that you do not see is 404."""
    off = not policy.row(tx)["enabled"]
    found = [exclusion.require_seen(tx, ref) for ref in args.subjects]
    return [_told(one.id, off=off, excluded=not off and exclusion.excludes(tx, one.id)) for one in found]


def _told(subject: str, *, off: bool, excluded: bool) -> AIAllowance:
    reason = "AI is switched off." if off else "It is excluded from AI." if excluded else None
    return AIAllowance(subject=subject, allowed=reason is None, reason=reason)
