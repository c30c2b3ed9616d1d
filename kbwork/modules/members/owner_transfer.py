"""Handing the org to another owner."""

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input, Text
from kbwork.core.operations.declare import destructive
from kbwork.db.rows import MemberRow
from kbwork.db.tx import Write
from kbwork.modules.members import access, queries
from kbwork.modules.members.model import Member, MemberRoleChanged
from kbwork.modules.members.update import set_role


class MembersOwnerTransfer(Input):
    to: Text
    """The member who is to own the org."""


@destructive(
    "members.owner_transfer",
    scope="admin",
    words="new owner, hand over the organisation, transfer ownership",
    emits=[MemberRoleChanged],
    people="people",
    elevated=True,
    undo="roles are set anew",
    example={"to": "@di"},
)
def owner_transfer(tx: Write, args: MembersOwnerTransfer) -> list[Member]:
    """Hand the org to somebody: they become an owner, and you an admin. For owners who have just confirmed.

    It takes an active member who is no guest (422). Answers the two of you, the owner first.
    """
    access.require_owner(tx)
    row = queries.by_ref(tx, args.to, field="to")
    if row["id"] == tx.caller.member:
        raise InvalidInput("You own the org already: name somebody else.", field="to")
    if row["state"] != "active" or row["role"] == "guest":
        raise InvalidInput(f"{row['name']} is no active member of the org, or a guest.", field="to")
    own = tx.one("select * from member where id = :id", MemberRow, id=tx.caller.me())
    assert own is not None
    set_role(tx, row, "owner")
    set_role(tx, own, "admin")
    return [queries.one(tx, row["id"]), queries.one(tx, own["id"])]
