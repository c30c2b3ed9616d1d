"""Deleting a project, bringing it back from the trash, and purging it with its issues."""

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input, InTrash, Text
from kbwork.core.operations.declare import destructive
from kbwork.core.references import ProjectRef
from kbwork.core.things.thing import Trashed
from kbwork.db.rows import ProjectRow
from kbwork.db.tx import Write
from kbwork.modules import trash
from kbwork.modules.projects import access
from kbwork.modules.projects.model import ProjectDeleted, ProjectPurged, ProjectRestored

_SLICE = 100


class ProjectsDelete(Input):
    key: ProjectRef
    confirm_key: Text
    """The key once more: with the project go its issues and all else in it."""


@destructive(
    "projects.delete",
    scope="admin",
    words="remove a project, drop a project",
    emits=[ProjectDeleted],
    example={"key": "WEB", "confirm_key": "WEB"},
)
def delete(tx: Write, args: ProjectsDelete) -> InTrash:
    """Put a project with all its issues into the trash; trash.restore brings it back as it was.

    For admins who lead it: everybody's but private projects. Its key stays taken. An archived one can be deleted.
    """
    project = access.project(tx, args.key)
    access.require_lead(tx, project)
    if args.confirm_key.strip().upper() != project["key"]:
        raise InvalidInput(f"This is not the key {project['key']}.", field="confirm_key")
    issues = tx.value(
        "select coalesce(sum(issues), 0) from project_count where project = :id", id=project["id"]
    )
    tx.update("project", project["id"], deleted_at=tx.now)
    payload = {"key": project["key"], "name": project["name"]}
    tx.emit(ProjectDeleted(subject=f"project:{project['key']}", payload=payload))
    entry = trash.put(
        tx,
        f"project:{project['key']}",
        f"{project['key']} {project['name']}",
        project=project["id"],
        items=issues,
    )
    return InTrash(ok=True, trash=entry)


def restore(tx: Write, thing: Trashed) -> None:
    """Bring a project back with its issues."""
    row = tx.one(
        "select p.* from project_key k join project p on p.id = k.project where k.key = :key",
        ProjectRow,
        key=thing.ref,
    )
    assert row is not None
    tx.update("project", row["id"], deleted_at=None)
    payload = {"key": row["key"], "name": row["name"]}
    seq = tx.emit(ProjectRestored(subject=f"project:{row['key']}", payload=payload))
    tx.execute("update project set seq = :seq where id = :id", seq=seq, id=row["id"])


def unmake(tx: Write, row: ProjectRow) -> bool:
    """Remove a project that is as empty as it was made, and give its key back; False while there is more to remove.

    Raises ConstraintViolated where other things name it.
    """
    if not trash.purge(tx, f"project:{row['key']}"):
        return False
    for key in tx.column("select key from project_key where project = :id", id=row["id"]):
        tx.delete("project_key", key)
    tx.delete("project", row["id"])
    tx.emit(ProjectPurged(subject=f"project:{row['key']}"))
    return True


_PARTS = ("project_member", "project_type", "project_count", "project_status")


def emptied(tx: Write, ref: str) -> bool:
    """Purge its issues, a hundred at a time."""
    issues = tx.column(
        "select id from issue where project = :id order by id limit :most",
        id=access.purged(tx, ref),
        most=_SLICE,
    )
    whole = all(trash.purge(tx, f"issue:{issue}") for issue in issues)
    return whole and len(issues) < _SLICE


def purge(tx: Write, ref: str) -> bool:
    """Remove what it held. Its row and its keys stay, empty: a key never comes again."""
    project = access.purged(tx, ref)
    for table in _PARTS:
        tx.execute(f"delete from {table} where project = :id", id=project)
    tx.execute(
        "update project set name = '', description = '', icon = null, color = null, lead = null, budget = null,"
        " labels = '[]', start_date = null, due_date = null, default_view = null where id = :id",
        id=project,
    )
    return True
