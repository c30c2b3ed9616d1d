"""Erasing a person: the work alone stays."""

from kbwork.base.errors import Conflict, InvalidInput, NotFound
from kbwork.base.model import Input, Name, Text
from kbwork.core.jobs.kinds import enqueue
from kbwork.core.operations.declare import destructive
from kbwork.db.tx import Write
from kbwork.modules.members import access, queries
from kbwork.modules.members.departure.deactivate import end
from kbwork.modules.members.model import (
    JobStarted,
    MemberDeactivated,
)

ERASE = "members.erase"


class MembersErase(Input):
    id: Text
    """Member id, e-mail address or `@handle`."""
    confirm_name: Name
    """Their name as it is shown, so that nobody else is erased by mistake."""


@destructive(
    "members.erase",
    scope="admin",
    words="gdpr, right to be forgotten, delete personal data, erase a person, privacy request",
    emits=[MemberDeactivated],
    people="people",
    elevated=True,
    undo="what was erased is gone",
    example={"id": "@cy", "confirm_name": "Cy Moss"},
)
def erase(tx: Write, args: MembersErase) -> JobStarted:
    """Erase a person for good. For owners who have just confirmed.

    They are out at once, as with members.deactivate; a job then removes name, address, picture, profile, preferences,
    credentials, keys, marks, what they watch, and what personal fields say of them: in issues that they reported, and
    wherever such a field names them. Their work stays under `former member`, with their id. The name must match (422);
    the last owner stays (409).
    """
    access.require_owner(tx)
    row = queries.by_ref(tx, args.id, missing=NotFound)
    access.require_may_change(tx, row)
    if args.confirm_name != row["name"]:
        raise InvalidInput("This is not their name: nobody was erased.", field="confirm_name")
    if row["state"] == "invited":
        raise Conflict("They have not joined yet: revoke the invite instead.")
    access.require_owner_left(tx, row)
    end(tx, row, {})
    return JobStarted(job=enqueue(tx, ERASE, {"member": row["id"], "by": tx.caller.me()}))
