"""Who may change whom: owners are changed by owners who have just confirmed that it is them."""

from kbwork.base.errors import Conflict, ElevationNeeded, NotAllowed
from kbwork.db.rows import MemberRow
from kbwork.db.tx import Read


def require_owner(tx: Read) -> None:
    """Raises NotAllowed or ElevationNeeded. The role is read anew: it may have gone since the call came in."""
    role = tx.value("select role from member where id = :id and state = 'active'", id=tx.caller.me())
    if role != "owner" or tx.caller.role != "owner":
        raise NotAllowed("Only an owner of the org may do this.")
    require_confirmed(tx)


def require_confirmed(tx: Read) -> None:
    """Raises ElevationNeeded where the caller did not confirm in the last ten minutes who they are."""
    if tx.caller.elevated_until <= tx.now:
        raise ElevationNeeded(
            "Confirm that it is you: sign in again or call auth.elevate; it holds for ten minutes. Keys cannot."
        )


def require_may_change(tx: Read, row: MemberRow, *, role: str | None = None) -> None:
    """Whether the caller, an admin, may change this member, or give them this role.

    Raises NotAllowed, ElevationNeeded, or Conflict for somebody who was erased.
    """
    if row["state"] == "erased":
        raise Conflict("Nothing is left of this member but the id: they were erased.")
    if "owner" in (row["role"], role):
        require_owner(tx)
    if role == "admin" and row["role"] != "admin":
        require_confirmed(tx)


def require_owner_left(tx: Read, row: MemberRow) -> None:
    """Raises Conflict where this is the last active owner."""
    if row["role"] != "owner" or row["state"] != "active":
        return
    other = tx.value(
        "select 1 from member where role = 'owner' and state = 'active' and id <> :id limit 1", id=row["id"]
    )
    if other is None:
        raise Conflict("The last owner stays: make somebody else an owner first.")
