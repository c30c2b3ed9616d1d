"""Reader profiles: for whom something is explained."""

from typing import Annotated

from pydantic import Field

from kbwork.base.errors import Conflict
from kbwork.base.model import Empty, Input, Name, Text
from kbwork.core import named
from kbwork.core.operations.declare import destructive, read, write
from kbwork.db.rows import AiProfileRow
from kbwork.db.tx import Read, Write
from kbwork.modules.ai.model import AIProfileDeleted, AIProfileSaved, ReaderProfile, Slug

MOST = 100
"""Profiles of one org."""
_UNDO = "a profile is saved anew as it is to be"


@read(
    "ai.profiles",
    scope="ai:read",
    words="for whom can AI explain something, reader profiles, audiences, explain like I am five",
    example={},
)
def profiles(tx: Read, args: Empty) -> list[ReaderProfile]:
    """List the reader profiles by key."""
    return _shown(tx)


class AiProfileSave(Input):
    key: Slug
    """Key of the profile, lower-case letters, digits and `-`; a new one makes it."""
    label: Name
    """What it is called."""
    instructions: Annotated[Text, Field(min_length=1)]
    """How to write for that reader."""


@write(
    "ai.profile_save",
    scope="admin",
    words="new reader profile, change how AI writes for support, add an audience",
    undo=_UNDO,
    emits=[AIProfileSaved],
    example={
        "key": "support",
        "label": "Support",
        "instructions": "Say what customers notice, and what to tell them. No code.",
    },
)
def profile_save(tx: Write, args: AiProfileSave) -> list[ReaderProfile]:
    """Make a reader profile, or change one. For admins. An org has 100 at most (409)."""
    row: AiProfileRow | None = tx.stored("ai_profile", [args.key])
    columns = {"label": args.label, "instructions": args.instructions}
    if row is None:
        if tx.value("select count(*) from ai_profile") >= MOST:
            raise Conflict(f"An org has {MOST} reader profiles at most: delete one first.")
        tx.insert("ai_profile", key=args.key, **columns)
    elif named.diff(row, columns):
        tx.update("ai_profile", args.key, **columns)
    else:
        return _shown(tx)
    tx.emit(AIProfileSaved(subject="org:1", payload={"profile": args.key, "label": args.label}))
    return _shown(tx)


class AiProfileDelete(Input):
    id: Slug
    """Key of the profile."""


@destructive(
    "ai.profile_delete",
    scope="admin",
    words="remove a reader profile",
    undo=_UNDO,
    emits=[AIProfileDeleted],
    example={"id": "support"},
)
def profile_delete(tx: Write, args: AiProfileDelete) -> list[ReaderProfile]:
    """Delete a reader profile. Answers the others. For admins."""
    row = require(tx, args.id)
    tx.delete("ai_profile", row["key"])
    tx.emit(AIProfileDeleted(subject="org:1", payload={"profile": row["key"], "label": row["label"]}))
    return _shown(tx)


def require(tx: Read, key: str, *, field: str = "") -> AiProfileRow:
    """Raises NotFound, or InvalidInput at `field`."""
    return named.known(tx.stored("ai_profile", [key]), "reader profile", key, "ai.profiles", field=field)


def _shown(tx: Read) -> list[ReaderProfile]:
    return [
        ReaderProfile(key=row["key"], label=row["label"], instructions=row["instructions"])
        for row in tx.all("select * from ai_profile order by key", AiProfileRow)
    ]
