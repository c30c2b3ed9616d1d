"""Deactivating a member, which keeps everything, and bringing one back."""

from kbwork.base.errors import Conflict, InvalidInput, NotFound
from kbwork.base.model import Input, Text
from kbwork.core.access import callers
from kbwork.core.operations.declare import destructive
from kbwork.db.rows import MemberRow
from kbwork.db.tx import Write
from kbwork.modules.members import access, queries
from kbwork.modules.members.departure.transfer import hand_over
from kbwork.modules.members.model import (
    Member,
    MemberDeactivated,
    MemberReactivated,
    MemberTransferred,
)


class MembersDeactivate(Input):
    id: Text
    """Member id, e-mail address or `@handle`."""
    on: bool
    """False brings them back."""
    transfer_to: Text | None = None
    """Who takes over what they work on; left out: it stays with them."""


@destructive(
    "members.deactivate",
    scope="admin",
    words=(
        "somebody left the company, offboard, remove a user, suspend, block an account, fire, "
        "deactivate an account, take away access, reactivate, lock out, employee leaves, "
        "disable an account"
    ),
    emits=[MemberDeactivated, MemberReactivated, MemberTransferred],
    people="people",
    undo="who may sign in is set anew",
    example={"id": "@cy", "on": True, "transfer_to": "@di"},
)
def deactivate(tx: Write, args: MembersDeactivate) -> Member:
    """Deactivate a member, or bring one back with `on` false. For admins.

    Their sessions and streams end and their keys and pending invites are revoked at once, for good; history, teams,
    roles in projects and assignments stay, unless `transfer_to` takes the issues over that they work on, reported or
    watch. Owners are deactivated by owners who have just confirmed; the last owner stays (409). Who was invited or
    erased cannot be brought back (409).
    """
    row = queries.by_ref(tx, args.id, missing=NotFound)
    access.require_may_change(tx, row)
    if row["state"] == "invited":
        raise Conflict("They have not joined yet: revoke the invite instead.")
    taker = queries.by_ref(tx, args.transfer_to, field="transfer_to") if args.transfer_to else None
    if taker is not None and not args.on:
        raise InvalidInput("Nothing is handed over when somebody comes back.", field="transfer_to")
    if args.on:
        access.require_owner_left(tx, row)
        if taker is not None:
            hand_over(tx, row, taker, whole=True)
        end(tx, row, {})
    elif row["state"] == "deactivated":
        passed = row["guest_until"] is not None and row["guest_until"] <= tx.now
        tx.update("member", row["id"], state="active", guest_until=None if passed else row["guest_until"])
        tx.emit(MemberReactivated(subject=f"member:{row['id']}", payload={"role": row["role"]}))
    return queries.one(tx, row["id"])


def end(tx: Write, row: MemberRow, payload: dict[str, str]) -> None:
    """Deactivate a member: sessions and grants end and keys are revoked with this commit."""
    callers.end_sessions(tx, row["id"])
    callers.end_grants(tx, row["id"])
    callers.end_keys(tx, row["id"])
    if row["state"] == "active":
        tx.update("member", row["id"], state="deactivated")
        tx.emit(MemberDeactivated(subject=f"member:{row['id']}", payload=payload))
