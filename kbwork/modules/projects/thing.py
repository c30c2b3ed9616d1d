"""Projects as subjects."""

from kbwork.core.access import identify, visibility
from kbwork.core.ports.files import Fileable, FileTarget
from kbwork.core.things.ai_material import ReadableByAI
from kbwork.core.things.synced import SyncedKind
from kbwork.core.things.thing import Revertible, Subject, Thing, Trashable
from kbwork.db.rows import ProjectRow
from kbwork.db.tx import Read, Write
from kbwork.modules.projects import access, queries
from kbwork.modules.projects.lifecycle import delete
from kbwork.modules.projects.model import Project, ProjectPurged
from kbwork.modules.projects.searchable import SEARCHABLE


def _find(tx: Read, ref: str) -> Subject | None:
    row = tx.one(
        f"select p.* from project_key k join project p on p.id = k.project where k.key = :key and {access.SEEN}",
        ProjectRow,
        key=ref.upper(),
        **visibility.binds(tx),
    )
    if row is None:
        return None
    state = "archived" if row["archived_at"] is not None else None
    return Subject(f"project:{row['key']}", "project", row["name"], f"/projects/{row['key']}", state)


def _editable(tx: Read, ref: str) -> bool:
    row = tx.one(
        "select p.id, p.archived_at from project_key k join project p on p.id = k.project where k.key = :key",
        key=ref.upper(),
    )
    return row is not None and row["archived_at"] is None and access.at_least(tx, row["id"], "lead")


def _deletable(tx: Read, ref: str) -> bool:
    found = tx.value("select project from project_key where key = :key", key=ref.upper())
    return found is not None and "lead" in (access.role_in(tx, found), access.roles_in_trash(tx).get(found))


def _former(tx: Read, ref: str) -> list[str]:
    """Events of a project stand under the key that it had then."""
    return tx.column(
        "select k.key from project_key k where k.project = (select project from project_key where key = :key)",
        key=ref.upper(),
    )


def _stamp(tx: Write, ref: str, seq: int, kind: str) -> None:
    tx.execute("update project set seq = :seq where key = :key", seq=seq, key=ref)


def _file_target(tx: Read, ref: str) -> FileTarget | None:
    row = tx.one(
        "select p.* from project_key k join project p on p.id = k.project where k.key = :key and p.deleted_at is null",
        ProjectRow,
        key=ref.upper(),
    )
    if row is None or access.role_in(tx, row["id"]) is None:
        return None
    return FileTarget(
        f"project:{row['key']}",
        adds=access.at_least(tx, row["id"], "member"),
        edits=access.at_least(tx, row["id"], "lead"),
        project=row["id"],
        closed=access.closed(row),
    )


def _within(tx: Read, ref: str) -> list[str] | None:
    key = tx.value(
        "select p.key from project_key k join project p on p.id = k.project where k.key = :key",
        key=ref.upper(),
    )
    return [f"project:{key}"] if key is not None else None


def _key_now(tx: Read, ref: str) -> str:
    return str(
        tx.value(
            "select p.key from project_key k join project p on p.id = k.project where k.key = :key", key=ref
        )
    )


_IN = "exists (select 1 from project_key k where k.key = :ref and k.project in (select value from json_each({})))"

PROJECT = Thing(
    name="project",
    scope="projects:read",
    home=__name__,
    search=SEARCHABLE,
    ai=ReadableByAI(within=_within),
    seen="exists (select 1 from project_key k where k.key = :ref"
    " and (k.project in (select value from json_each(:kb_projects))"
    " or k.project in (select value from json_each(:kb_trash))))",
    find=_find,
    former=_former,
    order=4,
    binds=access.binds,
    rests_on=identify.CALLER_TABLES
    | {
        "project",
        "project_key",
        "project_member",
        "project_type",
        "lane",
        "workflow",
        "issue_type",
        "setting",
    },
    undo=Revertible(
        editable=_editable,
        stamp=_stamp,
        wakeable=_deletable,
        volatile=frozenset({"seq", "numbers"}),
    ),
    files=Fileable(
        target=_file_target,
        told=lambda tx, ref: {"project": _key_now(tx, ref)},
        who_adds="on a project the role member",
        seen=_IN.format(":kb_projects"),
        known=_IN.format(":kb_projects"),
        adds=_IN.format(":kb_works"),
        edits=_IN.format(":kb_lead"),
        renamed=_key_now,
    ),
    trash=Trashable(
        deletable=_deletable,
        tables=frozenset({"project"}),
        restorable=":kb_admin and exists (select 1 from project_key k where k.key = :ref"
        " and k.project in (select value from json_each(:kb_trash)))",
        deleted_by="projects.delete",
        restore=delete.restore,
        emptied=delete.emptied,
        purge=delete.purge,
        purged=ProjectPurged,
    ),
)


def _all(tx: Read) -> list[Project]:
    """Those that the caller has a role in, archived ones too."""
    rows = tx.all(
        f"select p.* from project p where {access.SEEN} order by p.key", ProjectRow, **visibility.binds(tx)
    )
    return queries.shown(tx, rows)


PROJECTS = SyncedKind(
    home=__name__,
    kind="project",
    scope="projects:read",
    columns=(
        "key",
        "name",
        "kind",
        "icon",
        "color",
        "lead",
        "visibility",
        "modules",
        "default_type",
        "default_view",
        "labels",
        "triage",
        "health",
        "my_role",
        "former_keys",
        "archived_at",
    ),
    rows=_all,
)
