"""Sprints as subjects, as what is searched, and as clients keep them."""

from kbwork.base.errors import Conflict
from kbwork.base.text import whole_number
from kbwork.core.ports.search import Searchable
from kbwork.core.things.synced import SyncedKind
from kbwork.core.things.thing import Revertible, Subject, Thing
from kbwork.db.tx import Read, Row, Tracked
from kbwork.modules.sprints import access, queries

SEARCHABLE = Searchable(
    texts="select id as ref, name as title, goal as body from sprint where deleted_at is null",
    rows="sprint s",
    ref="s.id",
    seen=access.SEEN,
    title="s.name",
    body="s.goal",
    path="'/sprints/' || s.id",
    at="s.created_at",
    author="s.created_by",
    heading="s.name",
    project="(select min(sp.project) from sprint_project sp where sp.sprint = s.id"
    " and sp.project in (select value from json_each(:kb_projects)))",
    project_key="(select p.key from sprint_project sp join project p on p.id = sp.project where sp.sprint = s.id"
    " and p.id in (select value from json_each(:kb_projects)) order by p.id limit 1)",
    status="s.state",
    states={"open": "s.state <> 'done'", "done": "s.state = 'done'"},
)


def _find(tx: Read, ref: str) -> Subject | None:
    ident = whole_number(ref)
    row = access.find(tx, ident) if ident is not None else None
    if row is None:
        return None
    return Subject(f"sprint:{row['id']}", "sprint", row["name"], f"/sprints/{row['id']}", row["state"])


def _editable(tx: Read, ref: str) -> bool:
    """Whether the caller keeps it now; it may have been deleted."""
    ident = whole_number(ref)
    row = tx.stored("sprint", [ident]) if ident is not None else None
    return row is not None and access.keeps(tx, row) and access.closed(tx, row) is None


def _fits(tx: Read, ref: str, before: Row) -> None:
    """After undo: at most one of its team is active. Raises Conflict."""
    row = tx.stored("sprint", [int(ref)])
    if row is None or row["deleted_at"] is not None or row["state"] != "active":
        return
    if ("state" in before or "deleted_at" in before) and (rivals := access.rivals(tx, row, "active")):
        raise Conflict(f"{access.called(tx, rivals[0])} is active now")


SPRINT = Thing(
    name="sprint",
    table="sprint",
    scope="sprints:read",
    home=__name__,
    search=SEARCHABLE,
    seen=f"exists (select 1 from sprint s where s.id = cast(:ref as integer) and {access.EVER_SEEN})",
    find=_find,
    binds=access.binds,
    rests_on=frozenset({"sprint_project"}),
    tracked={"sprint": Tracked("sprint", "id", {})},
    parts={"sprint_project": ("sprint",)},
    undo=Revertible(editable=_editable, fits=_fits),
)

SPRINTS = SyncedKind(
    home=__name__,
    kind="sprint",
    scope="sprints:read",
    columns=("id", "name", "projects", "team", "state", "goal", "start_date", "end_date"),
    rows=lambda tx: sorted(queries.brief(tx), key=lambda one: one["id"]),
)
