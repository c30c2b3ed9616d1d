"""Projects that are archived and brought back."""

from kbwork.base.model import Input
from kbwork.core.operations.declare import write
from kbwork.core.references import ProjectRef
from kbwork.db.tx import Write
from kbwork.modules.projects import access, ops
from kbwork.modules.projects.model import (
    Project,
    ProjectArchived,
    ProjectUnarchived,
)


class ProjectsArchive(Input):
    key: ProjectRef
    on: bool
    """false brings it back."""


@write(
    "projects.archive",
    scope="projects:write",
    words="close a project, project finished, put a project aside, reactivate a project, unarchive",
    emits=[ProjectArchived, ProjectUnarchived],
    example={"key": "WEB", "on": True},
)
def archive(tx: Write, args: ProjectsArchive) -> Project:
    """Put a project aside, or bring it back. An archived one is read and takes no change (409); lists leave it out.

    For its leads and admins. Its issues stay as they are.
    """
    project = access.project(tx, args.key)
    access.require_lead(tx, project)
    if (project["archived_at"] is not None) == args.on:
        return ops.one(tx, project["id"])
    tx.update("project", project["id"], archived_at=tx.now if args.on else None)
    kind = ProjectArchived if args.on else ProjectUnarchived
    payload = {"key": project["key"], "name": project["name"]}
    seq = tx.emit(kind(subject=f"project:{project['key']}", payload=payload))
    tx.execute("update project set seq = :seq where id = :id", seq=seq, id=project["id"])
    return ops.one(tx, project["id"])
