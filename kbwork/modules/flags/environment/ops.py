"""Environments of a flag project: list, make, change, delete."""

from typing import Annotated

from pydantic import Field

from kbwork.base import ids
from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input, Int, Name
from kbwork.core import named
from kbwork.core.operations.declare import destructive, read, write
from kbwork.db.rows import FlagEnvironmentRow, FlagProjectRow, FlagRow
from kbwork.db.tx import Read, Write, with_columns
from kbwork.modules.flags import access, answers, cascade
from kbwork.modules.flags.access import ProjectEnvironment
from kbwork.modules.flags.change import requests
from kbwork.modules.flags.definition import store
from kbwork.modules.flags.dry_run import Tried, done
from kbwork.modules.flags.model import (
    PROJECT_KEY,
    ChangeApplied,
    Environment,
    EnvironmentDeleted,
    EnvironmentRef,
    EnvironmentSaved,
    FlagPlanMoved,
    FlagProjectRef,
    FlagUpdated,
    Ref,
    SegmentDeleted,
    SegmentUpdated,
)

_MOST = 50


class FlagsEnvironments(Input):
    project: FlagProjectRef


@read(
    "flags.environments",
    scope="flags:read",
    words="which environments exist, staging, production, list environments",
    example={"project": "web"},
)
def environments(tx: Read, args: FlagsEnvironments) -> list[Environment]:
    """List the environments of a flag project, in the order in which they were made."""
    return answers.environments(tx, access.project(tx, args.project))


class FlagsEnvironmentSave(Tried):
    project: FlagProjectRef
    key: Ref
    """A new one makes it: 1 to 64 letters, digits, dots, dashes and underscores."""
    name: Name | None = None
    """Left out for a new one: its key."""
    critical: bool | None = None
    """What agents change here waits for approval, and it is deleted only by name."""
    require_approval: bool | None = None
    """What anybody changes here waits for approval."""
    min_approvals: Annotated[Int | None, Field(ge=1, le=10)] = None
    """So many people approve; 1 for a new one."""
    allow_self_approval: bool | None = None
    """Whether whoever asks for a change may approve it too."""


@write(
    "flags.environment_save",
    scope="admin",
    words=("new environment, add staging, approvals for production, critical environment, require approval"),
    undo="environments are changed back by hand",
    emits=[EnvironmentSaved, ChangeApplied, FlagPlanMoved, FlagUpdated, SegmentUpdated, SegmentDeleted],
    example={"project": "web", "key": "staging", "name": "Staging"},
)
def environment_save(tx: Write, args: FlagsEnvironmentSave) -> Environment:
    """Make an environment, or change one: fields that are not named stay.

    In a new one every flag is off, with its default variations. A flag project has at most 50 (422). Where the rules
    of approval are loosened, changes that waited and have enough approvals now are applied.
    """
    project = access.administered_project(tx, args.project)
    row = tx.one(
        "select * from flag_environment where project = :project and key = :key",
        FlagEnvironmentRow,
        project=project["id"],
        key=args.key,
    )
    saved = _make(tx, project, args) if row is None else _change(tx, project, row, args)
    return done(args, answers.environment(project, saved))


class FlagsEnvironmentDelete(Tried):
    project: FlagProjectRef
    key: EnvironmentRef
    confirm_key: Ref | None = None
    """For a critical environment: its key once more."""


@destructive(
    "flags.environment_delete",
    scope="admin",
    words="remove an environment, drop staging",
    undo="an environment that is deleted is gone, with its keys and targeting",
    emits=[EnvironmentDeleted],
    example={"project": "web", "key": "test"},
)
def environment_delete(tx: Write, args: FlagsEnvironmentDelete) -> list[Environment]:
    """Delete an environment for good: targeting, segments, history, changes, schedules, counts and SDK keys of it.

    A critical one asks for its key in `confirm_key` (422). Answers the environments that are left.
    """
    project = access.administered_project(tx, args.project)
    row = access.environment(tx, project, args.key)
    if row["critical"] and args.confirm_key != row["key"]:
        raise InvalidInput(
            f"{row['key']} is critical: confirm with its key that it is to be deleted.", field="confirm_key"
        )
    cascade.clear(tx, row["id"])
    tx.delete("flag_environment", row["id"])
    payload = {"environment": row["key"], "name": row["name"]}
    tx.emit(EnvironmentDeleted(subject=store.project_name(project), payload=payload))
    return done(args, answers.environments(tx, project))


def _make(tx: Write, project: FlagProjectRow, args: FlagsEnvironmentSave) -> FlagEnvironmentRow:
    if not PROJECT_KEY.fullmatch(args.key) or args.key == "flag":
        raise InvalidInput(
            "An environment's key is 1 to 64 letters, digits, dots, dashes and underscores, not `.` or `..`, and not"
            " `flag`, which is what diffs call the flag itself.",
            field="key",
        )
    count = tx.value("select count(*) from flag_environment where project = :id", id=project["id"])
    if count >= _MOST:
        raise InvalidInput(f"A flag project has at most {_MOST} environments.", field="key")
    environment = tx.insert(
        "flag_environment",
        project=project["id"],
        key=args.key,
        name=args.name or args.key,
        critical=int(bool(args.critical)),
        require_approval=int(bool(args.require_approval)),
        min_approvals=args.min_approvals or 1,
        allow_self_approval=int(bool(args.allow_self_approval)),
        version=1,
        key_salt=ids.salt(),
        created_at=tx.now,
    )
    row = tx.stored("flag_environment", [environment])
    assert row is not None
    for flag in tx.all("select * from flag where project = :id", FlagRow, id=project["id"]):
        store.add_config(tx, flag, row)
    _tell(tx, project, row)
    return row


def _change(
    tx: Write, project: FlagProjectRow, row: FlagEnvironmentRow, args: FlagsEnvironmentSave
) -> FlagEnvironmentRow:
    wanted = args.filled(
        "name", critical=int, require_approval=int, min_approvals=int, allow_self_approval=int
    )
    changed = named.diff(row, wanted)
    if not changed:
        return row
    tx.update("flag_environment", row["id"], **changed)
    after = with_columns(row, changed)
    _tell(tx, project, after, named.changes(row, changed))
    requests.move_all_on(tx, ProjectEnvironment(project, after))
    return after


def _tell(
    tx: Write,
    project: FlagProjectRow,
    row: FlagEnvironmentRow,
    changes: dict[str, tuple[object, object]] | None = None,
) -> None:
    payload = {"environment": row["key"], "name": row["name"]}
    subject = store.project_name(project)
    tx.emit(EnvironmentSaved(subject=subject, payload=payload, changes=changes or {}))
