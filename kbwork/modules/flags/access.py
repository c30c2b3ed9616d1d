"""Who sees flags, and who changes them.

A flag project that is tied to a project of work is seen by whoever sees that one and changed by its members and leads;
any other is seen and changed by all members. A key that is limited to projects has the tied ones of those alone.
"""

from typing import Any, NamedTuple

from kbwork.base.errors import Conflict, NotAllowed, NotFound
from kbwork.base.text import did_you_mean
from kbwork.core.access import visibility
from kbwork.db.rows import FlagEnvironmentRow, FlagProjectRow, FlagRow, FlagSegmentRow
from kbwork.db.tx import Read
from kbwork.modules.projects import access

SEEN = (
    "not :kb_guest and (fp.work_project is null and :kb_wide"
    " or fp.work_project in (select value from json_each(:kb_projects))"
    " or :kb_admin and :kb_wide and fp.work_project in"
    " (select id from project where deleted_at is not null and visibility <> 'private'))"
)
"""The condition on `flag_project fp`: the caller sees it. One whose project of work lies in the trash is seen by
admins, who may untie it: its SDK keys still serve."""


class ProjectEnvironment(NamedTuple):
    """An environment of a flag project."""

    project: FlagProjectRow
    environment: FlagEnvironmentRow


def binds(tx: Read) -> dict[str, Any]:
    """What the condition binds beside what those on projects do."""
    return {"kb_wide": int(tx.caller.projects is None)}


def project(tx: Read, key: str) -> FlagProjectRow:
    """The flag project with this key, in any case. Raises NotFound where the caller sees none."""
    row = tx.one(
        f"select fp.* from flag_project fp where fp.key_folded = :key and {SEEN}",
        FlagProjectRow,
        key=key.strip().lower(),
        **visibility.binds(tx),
    )
    if row is None:
        known = tx.column(f"select fp.key from flag_project fp where {SEEN}", **visibility.binds(tx))
        raise NotFound(f"There is no flag project {key!r} that you can see.{did_you_mean(key, known)}")
    return row


def editable_project(tx: Read, key: str) -> FlagProjectRow:
    """The same, of which the caller may change flags. Raises NotAllowed or Conflict besides."""
    row = project(tx, key)
    if not may_change(tx, row):
        raise NotAllowed(
            "The flags of this project are changed by members and leads of the project it is tied to."
        )
    require_open(row)
    if row["work_project"] is not None:
        tied = tx.stored("project", [row["work_project"]])
        assert tied is not None
        access.require_open(tied)
    return row


def administered_project(tx: Read, key: str) -> FlagProjectRow:
    """The same, whose environments and keys the caller keeps: admins do."""
    row = project(tx, key)
    require_admin(tx)
    require_open(row)
    return row


def may_change(tx: Read, row: FlagProjectRow) -> bool:
    """Whether the caller may change the flags of a project that they see."""
    if tx.caller.guest or tx.caller.role == "anonymous":
        return False
    return row["work_project"] is None or access.at_least(tx, row["work_project"], "member")


def require_admin(tx: Read) -> None:
    """Raises NotAllowed where the caller is no admin."""
    if not tx.caller.admin:
        raise NotAllowed("Flag projects, environments, SDK keys, templates and settings are kept by admins.")


def require_open(row: FlagProjectRow) -> None:
    """Raises Conflict where the flag project is archived."""
    if row["archived_at"] is not None:
        raise Conflict(
            f"The flag project {row['key']} is archived; flags.project_save with its key brings it back."
        )


def place(tx: Read, project: FlagProjectRow, key: str) -> ProjectEnvironment:
    """An environment of a project, with it. Raises NotFound."""
    return ProjectEnvironment(project, environment(tx, project, key))


def environment(tx: Read, project: FlagProjectRow, key: str) -> FlagEnvironmentRow:
    """An environment of a project. Raises NotFound."""
    row = tx.one(
        "select * from flag_environment where project = :project and key = :key",
        FlagEnvironmentRow,
        project=project["id"],
        key=key,
    )
    if row is None:
        known = tx.column("select key from flag_environment where project = :project", project=project["id"])
        raise NotFound(
            f"The flag project {project['key']} has no environment {key!r}.{did_you_mean(key, known)}",
            field="environment",
        )
    return row


def flag(tx: Read, project: FlagProjectRow, key: str) -> FlagRow:
    """A flag of a project, archived or not, by its key or an alias. Raises NotFound."""
    row = tx.one(
        "select * from flag where project = :project and key = :key", FlagRow, project=project["id"], key=key
    ) or tx.one(
        "select f.* from flag_alias a join flag f on f.id = a.flag"
        " where a.project = :project and a.key = :key and a.dropped_at is null",
        FlagRow,
        project=project["id"],
        key=key,
    )
    if row is None:
        known = tx.column("select key from flag where project = :project", project=project["id"])
        raise NotFound(f"The flag project {project['key']} has no flag {key!r}.{did_you_mean(key, known)}")
    return row


def segment(tx: Read, environment: FlagEnvironmentRow, key: str) -> FlagSegmentRow:
    """A segment of an environment. Raises NotFound."""
    row = tx.one(
        "select * from flag_segment where environment = :environment and key = :key",
        FlagSegmentRow,
        environment=environment["id"],
        key=key,
    )
    if row is None:
        known = tx.column("select key from flag_segment where environment = :id", id=environment["id"])
        raise NotFound(
            f"The environment {environment['key']} has no segment {key!r}.{did_you_mean(key, known)}"
        )
    return row
