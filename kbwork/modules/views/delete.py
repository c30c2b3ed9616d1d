"""Deleting a view, bringing it back from the trash, and purging it."""

from typing import Any

from kbwork.base.errors import Conflict
from kbwork.base.model import Id
from kbwork.core.operations.declare import destructive
from kbwork.core.things.thing import Trashed
from kbwork.db.rows import ViewRow
from kbwork.db.tx import Read, Row, Write
from kbwork.modules import trash
from kbwork.modules.projects import placement
from kbwork.modules.views import access, queries, row_counts
from kbwork.modules.views.model import View, ViewDeleted, ViewRestored, told


class ViewsDelete(row_counts.CountedInput):
    id: Id
    """Id of the view."""


def _counted(tx: Read, args: ViewsDelete) -> ViewsDelete:
    args.keep(row_counts.counts(tx, [row_counts.asked(row) for row in queries.rows(tx)]))
    return args


@destructive(
    "views.delete",
    scope="boards:write",
    words="remove a view, delete a saved filter",
    emits=[ViewDeleted],
    foresee=_counted,
    threaded=True,
    example={"id": 1},
)
def delete(tx: Write, args: ViewsDelete) -> list[View]:
    """Put a view into the trash; trash.restore brings it back with those who subscribed to it. Answers those left.

    Who may change it may delete it (403). Nothing of it is mailed meanwhile.
    """
    row = access.view(tx, args.id)
    access.require_keeper(tx, row)
    tx.update("view", row["id"], deleted_at=tx.now)
    tx.emit(ViewDeleted(subject=f"view:{row['id']}", payload=_told(tx, row)))
    trash.put(tx, f"view:{row['id']}", row["name"], project=row["project"])
    return [queries.shown(tx, left, args.count) for left in queries.rows(tx)]


def restore(tx: Write, thing: Trashed) -> None:
    """Bring a view back; an external id that its owner gave to another meanwhile stays there.

    Raises Conflict where its project is archived.
    """
    row = tx.stored("view", [int(thing.ref)])
    assert row is not None
    access.require_keeper(tx, row)
    columns: dict[str, Any] = {"deleted_at": None}
    if external_taken(tx, row):
        columns["external"] = None
    tx.update("view", row["id"], **columns)
    tx.emit(ViewRestored(subject=f"view:{row['id']}", payload=_told(tx, row)))


def fits(tx: Read, ref: str, before: Row) -> None:
    """After undo: what the rules want of it. Raises Conflict."""
    row = tx.stored("view", [int(ref)])
    if row is None or row["deleted_at"] is not None:
        return
    if not access.keeps(tx, row):
        raise Conflict("You do not keep it as it was.")


def external_taken(tx: Read, row: ViewRow) -> bool:
    """Whether another view of the owner has its external id now."""
    found = tx.value(
        "select 1 from view where owner = :owner and external = :external and id <> :id and deleted_at is null",
        owner=row["owner"],
        external=row["external"],
        id=row["id"],
    )
    return found is not None


def purge(tx: Write, ref: str) -> bool:
    """Remove a view for good, with its subscriptions."""
    tx.execute("delete from view_subscription where view = :id", id=int(ref))
    tx.execute("delete from view where id = :id", id=int(ref))
    return True


def _told(tx: Read, row: ViewRow) -> dict[str, Any]:
    return told(row, placement.key_of(tx, row["project"]))
