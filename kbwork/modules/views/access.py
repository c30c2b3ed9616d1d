"""Who sees a view, and who keeps it.

One on a project is seen by whoever sees the project and kept by its members and leads. Any other is seen and kept by
its owner; one that is shared is seen by everybody and kept by admins too. A key that is limited to projects has the
views of those alone.
"""

from collections.abc import Mapping
from typing import Any

from kbwork.base.errors import NotAllowed
from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.db.rows import ViewRow
from kbwork.db.tx import Read
from kbwork.modules.projects import access, placement

_OFF_PROJECT = "v.project is null and :kb_wide"
SEEN = (
    "v.deleted_at is null and (v.project in (select value from json_each(:kb_projects))"
    f" or {_OFF_PROJECT} and (v.owner = :kb_me or v.shared))"
)
"""The condition on `view v`: the caller sees it."""

RESTORABLE = (
    "v.deleted_at is not null and (v.project in (select value from json_each(:kb_work))"
    f" or {_OFF_PROJECT} and (v.owner = :kb_me or v.shared and :kb_admin))"
)
"""The condition on `view v`: it is in the trash, and the caller could have put it there and may bring it back."""

ALL_SEEN = (
    "select v.id from json_each(:kb_projects) k join view v on v.project = k.value where v.deleted_at is null"
    f" union select v.id from view v where v.owner = :kb_me and {_OFF_PROJECT} and v.deleted_at is null"
    " union select v.id from view v where v.shared = 1 and v.project is null and v.deleted_at is null and :kb_wide"
)
"""The ids of all that the caller sees, by the indexes."""


def binds(tx: Read) -> dict[str, Any]:
    """What these conditions bind beside what those on projects do."""
    return {"kb_wide": int(tx.caller.projects is None)}


def view(tx: Read, ident: int) -> ViewRow:
    """The stored view. Raises NotFound where the caller sees none."""
    return named.seen(find(tx, ident), "view", ident, "views.list")


def find(tx: Read, ident: int) -> ViewRow | None:
    """As `view`, or None."""
    return tx.one(
        f"select v.* from view v where v.id = :id and {SEEN}", ViewRow, id=ident, **visibility.binds(tx)
    )


def keeps(tx: Read, row: Mapping[str, Any]) -> bool:
    """Whether the caller may change it, as it is or was."""
    me = tx.caller.member
    return placement.is_kept(tx, row, lambda: bool(row["owner"] == me or (row["shared"] and tx.caller.admin)))


def require_keeper(tx: Read, row: Mapping[str, Any]) -> None:
    """Raises NotAllowed where others keep it, Conflict where its project is archived."""
    if not keeps(tx, row):
        raise NotAllowed(_why_not(tx, row))
    placement.require_open(tx, row)


def _why_not(tx: Read, row: Mapping[str, Any]) -> str:
    if row["project"] is not None:
        return "The views of a project are kept by its members and leads; views.copy makes one of your own."
    if tx.caller.projects is not None:
        return "A key that is limited to projects keeps views of these projects alone: name one in `project`."
    return "A shared view is kept by its owner and by admins; views.copy makes one of your own."


def may_subscribe_others(tx: Read, row: ViewRow) -> bool:
    """Whether the caller may have it mailed to others: its owner, leads of its project, admins for a shared one."""
    if row["project"] is not None and row["owner"] != tx.caller.member:
        return access.at_least(tx, row["project"], "lead")
    return keeps(tx, row)
