"""Projects whose key changes."""

from kbwork.base.errors import Conflict
from kbwork.base.model import Input
from kbwork.core.operations.declare import write
from kbwork.core.references import ProjectRef
from kbwork.db.tx import Write
from kbwork.modules.projects import access, ops
from kbwork.modules.projects.model import (
    Project,
    ProjectKey,
    ProjectKeyChanged,
)


class ProjectsKeyChange(Input):
    key: ProjectRef
    new_key: ProjectKey
    """The key from now on: 2 to 10 capitals and digits, the first a letter."""


@write(
    "projects.key_change",
    scope="admin",
    words="rename the project key, change the prefix of tickets",
    emits=[ProjectKeyChanged],
    example={"key": "WEB", "new_key": "SHOP"},
)
def key_change(tx: Write, args: ProjectsKeyChange) -> Project:
    """Give a project another key. Its issues are called by the new one; the old keys keep working everywhere.

    A key that another project has or had is 409; one of its own former keys may come back.
    """
    project = access.project(tx, args.key)
    access.require_open(project)
    if args.new_key == project["key"]:
        return ops.one(tx, project["id"])
    owner = tx.value("select project from project_key where key = :key", key=args.new_key)
    if owner not in (None, project["id"]):
        raise Conflict(f"The key {args.new_key} is or was in use; take another one.")
    if owner is None:  # it stays the project's for ever, taken back or not
        tx.execute(
            "insert into project_key (key, project) values (:key, :id)", key=args.new_key, id=project["id"]
        )
    tx.update("project", project["id"], key=args.new_key)
    payload = {"key": args.new_key, "from": project["key"], "to": args.new_key}
    changes = {"key": (project["key"], args.new_key)}
    seq = tx.emit(ProjectKeyChanged(subject=f"project:{args.new_key}", payload=payload, changes=changes))
    tx.execute("update project set seq = :seq where id = :id", seq=seq, id=project["id"])
    return ops.one(tx, project["id"])
