"""The words of access."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent
from kbwork.core.access.grants import Level

Grant = TypedDict(
    "Grant",
    {
        "who": Annotated[str, Field(description="Who has it: a member's id, `team:<id>` or `role:<key>`.")],
        "name": Annotated[str, Field(description="Name as people read it.")],
        "level": Annotated[Level, Field(description="What they may do; each level holds those before it.")],
        "from": Annotated[
            Literal["here", "space", "project", "org"],
            Field(description="Where it was given: `here`, or on what the thing is in."),
        ],
        "expires_at": Annotated[
            int | None, Field(description="When it ends, in Unix seconds; null: it stays.")
        ],
        "granted_by": Annotated[str, Field(description="Who gave it; `system` where it follows by itself.")],
        "granted_at": Annotated[int, Field(description="When it was given, in Unix seconds.")],
    },
)
"""What somebody may do with a thing, and where that comes from."""


class AccessGranted(DomainEvent):
    kind = "access.granted"
    part = "who"


class AccessRevoked(DomainEvent):
    kind = "access.revoked"
    part = "who"
