"""Views as subjects."""

from kbwork.base.text import whole_number
from kbwork.core.things.synced import SyncedKind
from kbwork.core.things.thing import Revertible, Subject, Thing, Trashable
from kbwork.db.tx import Read, Tracked
from kbwork.modules.views import access, delete, queries
from kbwork.modules.views.model import ViewPurged
from kbwork.modules.views.searchable import SEARCHABLE


def _find(tx: Read, ref: str) -> Subject | None:
    ident = whole_number(ref)
    row = access.find(tx, ident) if ident is not None else None
    return Subject(f"view:{row['id']}", "view", row["name"], f"/views/{row['id']}") if row else None


def _editable(tx: Read, ref: str) -> bool:
    """Whether the caller keeps it, and they and its project are at work; it may lie in the trash."""
    ident = whole_number(ref)
    row = tx.stored("view", [ident]) if ident is not None else None
    if row is None or not access.keeps(tx, row):
        return False
    project = tx.stored("project", [row["project"]]) if row["project"] is not None else None
    return project is None or project["archived_at"] is None


VIEW = Thing(
    name="view",
    table="view",
    scope="boards:read",
    home=__name__,
    search=SEARCHABLE,
    seen="exists (select 1 from view v where v.id = cast(:ref as integer)"
    f" and ({access.SEEN} or {access.RESTORABLE}))",
    find=_find,
    binds=access.binds,
    tracked={"view": Tracked("view", "id", {})},
    undo=Revertible(
        editable=_editable,
        fits=delete.fits,
    ),
    trash=Trashable(
        deletable=_editable,
        tables=frozenset({"view"}),
        restorable=f"exists (select 1 from view v where v.id = cast(:ref as integer) and {access.RESTORABLE})",
        deleted_by="views.delete",
        restore=delete.restore,
        purge=delete.purge,
        purged=ViewPurged,
    ),
)

VIEWS = SyncedKind(
    home=__name__,
    kind="view",
    scope="boards:read",
    columns=(
        "id",
        "name",
        "tql",
        "layout",
        "columns",
        "group_by",
        "subgroup_by",
        "sort",
        "project",
        "owner",
        "shared",
        "icon",
        "subscribed",
    ),
    rows=lambda tx: [queries.shown(tx, row, lambda _: -1) for row in queries.rows(tx)],
)
