"""Flag projects: list, make, rename, tie to a project of work, archive."""

from typing import Annotated

from pydantic import Field

from kbwork.base.errors import Conflict, InvalidInput, NotFound
from kbwork.base.model import Empty, Name, Ok, Text
from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.core.operations.declare import destructive, read, write
from kbwork.db.rows import FlagProjectRow
from kbwork.db.tx import Read, Row, Write
from kbwork.modules.flags import access
from kbwork.modules.flags.definition import store
from kbwork.modules.flags.dry_run import Tried, done
from kbwork.modules.flags.model import (
    PROJECT_KEY,
    EnvironmentSaved,
    FlagProject,
    FlagProjectRef,
    Ref,
    SdkKeyRevoked,
)
from kbwork.modules.projects import access as work


@read("flags.projects", scope="flags:read", words="flag projects, apps with flags", example={})
def projects(tx: Read, args: Empty) -> list[FlagProject]:
    """List the flag projects that you see, but archived ones, with their environments and how many flags live there."""
    rows = tx.all(
        f"select fp.*, (select count(*) from flag f where f.project = fp.id and not f.archived) as flags"
        f" from flag_project fp where fp.archived_at is null and {access.SEEN} order by fp.key_folded",
        **visibility.binds(tx),
    )
    return [
        FlagProject(
            project=row["key"], name=row["name"], environments=_environments(tx, row), flags=row["flags"]
        )
        for row in rows
    ]


class FlagsProjectSave(Tried):
    project: Ref
    """Its key; a new one makes it: 1 to 64 letters, digits, dots, dashes and underscores, unique without case."""
    name: Name | None = None
    """Left out for a new one: its key."""
    work_project: Annotated[Text | None, Field(max_length=64)] = None
    """Key of the project of work that it is tied to; null unties it."""


@write(
    "flags.project_save",
    scope="admin",
    words="new flag project, rename a flag project, app with flags",
    undo="flag projects are changed back by hand",
    emits=[EnvironmentSaved],
    example={"project": "shop", "name": "Shop"},
)
def project_save(tx: Write, args: FlagsProjectSave) -> Ok:
    """Make a flag project, or change one: fields that are not named stay. One that was archived comes back.

    A new one has no environments. One that is tied to a project of work is seen by whoever sees that, and changed by
    its members and leads; any other by all members. The key of one that you do not see is 409.
    """
    access.require_admin(tx)
    row = tx.one(
        "select * from flag_project where key_folded = :key", FlagProjectRow, key=args.project.lower()
    )
    if row is None:
        _make(tx, args)
    else:
        _change(tx, _seen(tx, args.project), args)
    return done(args, Ok(ok=True))


class FlagsProjectArchive(Tried):
    project: FlagProjectRef


@destructive(
    "flags.project_archive",
    scope="admin",
    words="retire a flag project, remove a flag project",
    undo="flags.project_save with its key brings it back; its SDK keys are gone",
    emits=[SdkKeyRevoked, EnvironmentSaved],
    example={"project": "web"},
)
def project_archive(tx: Write, args: FlagsProjectArchive) -> Ok:
    """Archive a flag project: it is listed no more, nothing in it changes, and its SDK keys are revoked.

    What was waiting there for its time waits until it is brought back by flags.project_save.
    """
    row = access.administered_project(tx, args.project)
    keys = tx.all(
        "select k.*, e.key as environment_key from flag_environment e join sdk_key k on k.environment = e.id"
        " and k.revoked_at is null where e.project = :id order by k.id",
        id=row["id"],
    )
    for key in keys:
        tx.update("sdk_key", key["id"], revoked_at=tx.now)
        payload = {"environment": key["environment_key"], "key": key["id"], "kind": key["kind"]}
        tx.emit(SdkKeyRevoked(subject=store.project_name(row), payload=payload))
    tx.update("flag_project", row["id"], archived_at=tx.now)
    _tell(tx, row, {"archived": True})
    return done(args, Ok(ok=True))


def _seen(tx: Read, key: str) -> FlagProjectRow:
    try:
        return access.project(tx, key)
    except NotFound:
        raise Conflict(f"The key {key!r} is taken; choose another one.") from None


def _make(tx: Write, args: FlagsProjectSave) -> None:
    if not PROJECT_KEY.fullmatch(args.project):
        raise InvalidInput(
            "A flag project's key is 1 to 64 letters, digits, dots, dashes and underscores, not `.` or `..`.",
            field="project",
        )
    tied = work.project(tx, args.work_project)["id"] if args.work_project else None
    name = args.name or args.project
    project = tx.insert(
        "flag_project",
        key=args.project,
        key_folded=args.project.lower(),
        name=name,
        work_project=tied,
        created_at=tx.now,
    )
    row = tx.stored("flag_project", [project])
    assert row is not None
    _tell(tx, row, {"name": name})


def _change(tx: Write, row: FlagProjectRow, args: FlagsProjectSave) -> None:
    wanted: dict[str, str | int | None] = {"archived_at": None} | args.filled("name")
    if args.given("work_project"):
        wanted["work_project"] = work.project(tx, args.work_project)["id"] if args.work_project else None
    changed = named.diff(row, wanted)
    if changed:
        tx.update("flag_project", row["id"], **changed)
        _tell(tx, row, {"name": wanted.get("name", row["name"])})


def _tell(tx: Write, row: FlagProjectRow, payload: dict[str, object]) -> None:
    tx.emit(EnvironmentSaved(subject=store.project_name(row), payload={"environment": None, **payload}))


def _environments(tx: Read, row: Row) -> list[str]:
    return tx.column("select key from flag_environment where project = :id order by id", id=row["id"])
