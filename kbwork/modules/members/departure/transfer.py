"""Handing over what somebody holds: the issues they work on, reported or watch."""

from typing import Annotated, Any, Literal, get_args

from pydantic import Field

from kbwork.base.errors import Conflict, InvalidInput, NotFound
from kbwork.base.model import Body, Input, Text
from kbwork.core.operations.declare import write
from kbwork.db.rows import MemberRow
from kbwork.db.tx import Write
from kbwork.modules.members import queries
from kbwork.modules.members.model import Changed, MemberTransferred
from kbwork.modules.members.ports import Holding

MOST = 1000
"""Things handed over in one call: it is one transaction, and others wait for it."""

What = Literal["assigned", "reported", "watching", "rules", "views", "goals", "components"]


class MembersTransfer(Input):
    from_: Text = Field(alias="from")
    """Who hands over; they may have left."""
    to: Text
    """Who takes over: member id, e-mail address or `@handle`."""
    what: Annotated[list[What], Field(min_length=1, max_length=7)] | None = None
    """Everything that can be handed over unless given."""
    tql: Body | None = None
    """A query that narrows the issues."""


@write(
    "members.transfer",
    scope="admin",
    words=(
        "hand over all tickets, reassign everything, give the work of somebody to somebody else, "
        "take over from a colleague who leaves, parental leave, bequeath"
    ),
    emits=[MemberTransferred],
    people="people",
    undo="what was handed over is handed back the same way",
    example={"from": "@cy", "to": "@di", "what": ["assigned"]},
)
def transfer(tx: Write, args: MembersTransfer) -> Changed:
    """Give what one member holds to another. For admins.

    `assigned` takes the issues that are not done, `reported` and `watching` all that are not archived: of the issues
    that you lead, at most 1,000 a call; call again until `changed` is 0. The one who takes over is an active member
    who sees them (422). Rights that stood on holding them go along.
    """
    giver = queries.by_ref(tx, args.from_, field="from", missing=NotFound)
    taker = queries.by_ref(tx, args.to, field="to")
    if args.tql:
        raise InvalidInput("This version hands over whole lists: leave `tql` out.", field="tql")
    return Changed(changed=hand_over(tx, giver, taker, args.what))


def hand_over(
    tx: Write, giver: MemberRow, taker: MemberRow, what: list[What] | None = None, *, whole: bool = False
) -> int:
    """Hand over and tell of it; answers how many things changed hands. Raises InvalidInput.

    `whole`: raises Conflict where one call is not enough.
    """
    if taker["id"] == giver["id"]:
        raise InvalidInput("Name somebody else to take over.", field="to")
    if taker["state"] != "active":
        raise InvalidInput(f"{taker['name']} is no active member.", field="to")
    left = MOST
    told: dict[str, int] = {}
    declared: dict[str, Holding] = {one.name: one for one in tx.registry.of(Holding)}
    for name in dict.fromkeys(what or get_args(What)):
        if (holding := declared.get(name)) is None:  # nothing of the sort is there
            continue
        told[name] = holding.hand(tx, giver, taker["id"], left)
        left -= told[name]
    if whole and left <= 0:
        raise Conflict(f"{giver['name']} holds {MOST} things or more: hand over with members.transfer first.")
    changed = sum(told.values())
    if changed:
        payload: dict[str, Any] = {
            "from": giver["id"],
            "to": taker["id"],
            "changed": {k: n for k, n in told.items() if n},
        }
        tx.emit(MemberTransferred(subject=f"member:{giver['id']}", payload=payload))
    return changed
