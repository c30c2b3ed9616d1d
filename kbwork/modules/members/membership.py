"""How somebody becomes a member: invited first, active when they accept. For the modules that let people in."""

from kbwork.base import ids
from kbwork.base.errors import Conflict
from kbwork.core.access import callers
from kbwork.db.rows import MemberRow
from kbwork.db.tx import Read, Write
from kbwork.modules.members.model import MemberInvited, MemberRoleChanged


def by_address(tx: Read, email: str) -> MemberRow | None:
    """Who has this address, whatever their state."""
    return tx.one("select * from member where lower(email) = lower(:email)", MemberRow, email=email)


def invite(tx: Write, email: str, role: str) -> str:
    """Make somebody an invited member, or give one who is a new role; answers the id.

    Until they accept, the name is what stands before the @, and the handle the id: nobody mentions them by chance.
    """
    known = by_address(tx, email)
    if known is not None:
        assert known["state"] == "invited", "only the invited are invited again"
        if known["role"] != role:
            tx.update("member", known["id"], role=role)
            sides = {"from": known["role"], "to": role}
            subject = f"member:{known['id']}"
            tx.emit(
                MemberRoleChanged(subject=subject, payload=sides, changes={"role": (known["role"], role)})
            )
        return str(known["id"])
    member = ids.member_id()
    tx.insert(
        "member",
        id=member,
        name=email.partition("@")[0],
        handle=member,
        email=email,
        role=role,
        state="invited",
        created_at=tx.now,
    )
    tx.emit(MemberInvited(subject=f"member:{member}", payload={"role": role}))
    return member


def uninvite(tx: Write, email: str) -> None:
    """Take an invited member away who never came; nobody else is touched."""
    known = by_address(tx, email)
    if known is not None and known["state"] == "invited":
        tx.delete("member", known["id"])


def join(tx: Write, email: str, name: str, role: str) -> str:
    """Make the member with this address active, or make one; answers the id.

    They have no credentials yet, and nobody is told: the caller emits MemberJoined. Raises Conflict where they were a
    member before: nobody is revived by an invite.
    """
    known = by_address(tx, email)
    if known is None:
        member = callers.add_member(tx, name=name, email=email, role=role)
    elif known["state"] != "invited":
        raise Conflict("This is the address of a member already: sign in, or ask an admin.")
    else:
        member = str(known["id"])
        handle = callers.free_handle(tx, name)
        tx.update("member", member, name=name, handle=handle, role=role, state="active", created_at=tx.now)
    return member
