"""What is on a project, or its owner's alone, such as views and boards: what the project says of it."""

from collections.abc import Callable, Mapping
from typing import Any

from kbwork.core.things.cascade import Cascade
from kbwork.core.things.thing import ref_of
from kbwork.db.tx import Read, Write
from kbwork.modules import trash
from kbwork.modules.projects import access

_SLICE = 50


def key_of(tx: Read, project: int | None) -> str | None:
    """The key of the project that something is on, if it is on one."""
    found: str | None = tx.value("select key from project where id = :id", id=project)
    return found


def is_kept(tx: Read, row: Mapping[str, Any], own: Callable[[], bool]) -> bool:
    """Whether the caller may change it, as it is or was: members and leads what is on a project, never a guest.

    `own` judges what is on none; a key that is limited to projects has none of that.
    """
    if tx.caller.guest:
        return False
    if row["project"] is not None:
        return access.at_least(tx, row["project"], "member")
    return tx.caller.projects is None and own()


def is_open(tx: Read, row: Mapping[str, Any]) -> bool:
    """Whether the project that it is on is at work, if it is on one."""
    project = tx.stored("project", [row["project"]]) if row["project"] is not None else None
    return project is None or project["archived_at"] is None


def require_open(tx: Read, row: Mapping[str, Any]) -> None:
    """Raises Conflict where the project that it is on is archived."""
    if row["project"] is not None:
        project = tx.stored("project", [row["project"]])
        assert project is not None
        access.require_open(project)


def purged_with_project(kind: str, table: str, home: str) -> Cascade:
    """All things of a kind go with their project, some at a time."""

    def purge(tx: Write, subject: str) -> bool:
        within, ref = ref_of(subject)
        if within != "project":
            return True
        found = tx.column(
            f"select id from {table} where project = :project order by id limit :most",
            project=access.purged(tx, ref),
            most=_SLICE,
        )
        return all(trash.purge(tx, f"{kind}:{ident}") for ident in found) and len(found) < _SLICE

    return Cascade(name=f"{kind}s", home=home, purge=purge)
