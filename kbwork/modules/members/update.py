"""Change what somebody is in the org: role, name, address, and how long a guest stays. Agents change nobody."""

from typing import Literal

from kbwork.base.errors import Conflict, InvalidInput, NotAllowed, NotFound
from kbwork.base.model import Email, Input, Name, Text, When
from kbwork.core.operations.declare import write
from kbwork.db.rows import MemberRow
from kbwork.db.tx import Write
from kbwork.modules.members import access, queries
from kbwork.modules.members.model import Member, MemberRoleChanged, MemberUpdated
from kbwork.modules.members.profile.profile import change


class MembersUpdate(Input):
    id: Text
    """Member id, e-mail address or `@handle`."""
    role: Literal["owner", "admin", "member", "guest"] | None = None
    """Role in the org."""
    name: Name | None = None
    """Name as people read it."""
    email: Email | None = None
    """Address that they sign in with."""
    guest_until: When | None = None
    """Unix seconds at which a guest is deactivated; null: they stay."""


@write(
    "members.update",
    scope="admin",
    words=(
        "make somebody an admin, change the role, promote a user, demote, change email of a user, "
        "extend a guest, permissions of a user, admin rights, downgrade to guest"
    ),
    emits=[MemberUpdated, MemberRoleChanged],
    people="people",
    undo="roles and addresses are set anew",
    example={"id": "@di", "role": "admin"},
)
def update(tx: Write, args: MembersUpdate) -> Member:
    """Change a member's role, name, address or, for a guest, how long they stay. For admins.

    Nobody changes their own role (403). Who makes an admin confirmed in the last ten minutes that it is them, and
    so did owners who make or change an owner; the last one stays (409). An address that another member has is 409.
    Whoever stops being a guest stays for good. Pending invites that somebody may not make with their new role are
    revoked.
    """
    row = queries.by_ref(tx, args.id, missing=NotFound)
    access.require_may_change(tx, row, role=args.role)
    role = args.role or row["role"]
    if role != row["role"]:
        if row["id"] == tx.caller.member:
            raise NotAllowed("Nobody changes their own role: ask another admin.")
        if row["state"] == "invited":
            raise Conflict(
                "An invited member has the role of their invite: invite them anew with another one."
            )
        access.require_owner_left(tx, row)
    columns = args.filled("name")
    if args.email is not None and args.email != row["email"]:
        _require_address_free(tx, args.email, row)
        columns["email"] = args.email
    if args.given("guest_until") or role != "guest":
        columns["guest_until"] = _guest_until(tx, args.guest_until, role)
    change(tx, row, columns)
    set_role(tx, row, role)
    return queries.one(tx, row["id"])


def set_role(tx: Write, row: MemberRow, role: str) -> None:
    if row["role"] == role:
        return
    tx.update("member", row["id"], role=role)
    sides = {"from": row["role"], "to": role}
    tx.emit(
        MemberRoleChanged(subject=f"member:{row['id']}", payload=sides, changes={"role": (row["role"], role)})
    )


def _require_address_free(tx: Write, email: str, row: MemberRow) -> None:
    other = tx.value(
        "select 1 from member where lower(email) = lower(:email) and id <> :id", email=email, id=row["id"]
    )
    if other is not None:
        raise Conflict("Another member has this address.")
    if row["state"] == "invited":
        raise Conflict(
            "An invited member has the address of their invite: revoke it and invite the other address."
        )


def _guest_until(tx: Write, until: int | None, role: str) -> int | None:
    if until is None:
        return None
    if role != "guest":
        raise InvalidInput("Only guests stay for a time.", field="guest_until")
    if until <= tx.now:
        raise InvalidInput("`guest_until` lies ahead; members.deactivate ends it now.", field="guest_until")
    return until
