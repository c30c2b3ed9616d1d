"""The operations of saved checks: list, make or change, delete."""

from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import ApprovalNeeded, Conflict, InvalidInput, NotFound
from kbwork.base.model import Id, Input, Name
from kbwork.core import named
from kbwork.core.operations.declare import destructive, read, write
from kbwork.db.rows import FlagCheckRow, FlagProjectRow
from kbwork.db.tx import Read, Write
from kbwork.modules.flags import access
from kbwork.modules.flags.access import ProjectEnvironment
from kbwork.modules.flags.change import approvals
from kbwork.modules.flags.definition import store
from kbwork.modules.flags.definition.content import packed
from kbwork.modules.flags.dry_run import Tried, done
from kbwork.modules.flags.guard import answers, expectations
from kbwork.modules.flags.guard.answers import FlagCheck
from kbwork.modules.flags.model import EnvironmentRef, FlagCheckSaved, FlagProjectRef, Json, Ref

_MOST = 100
_WHY = "a check is changed back by hand; one that was deleted is made anew"


class FlagsChecks(Input):
    project: FlagProjectRef
    environment: EnvironmentRef | None = None
    """Of this environment alone."""


@read(
    "flags.checks",
    scope="flags:read",
    words="saved flag tests, do the checks hold, guards of flags, who must keep the feature, assertions on flags",
    threaded=True,
    example={"project": "web", "environment": "test"},
)
def checks(tx: Read, args: FlagsChecks) -> list[FlagCheck]:
    """List saved checks with the flags that break them now, by environment and name."""
    project = access.project(tx, args.project)
    environment = access.environment(tx, project, args.environment) if args.environment is not None else None
    return answers.of_project(tx, project, environment)


class FlagsCheckSave(Tried):
    project: FlagProjectRef
    environment: EnvironmentRef
    name: Name
    """What people call it; unique in the environment."""
    context: Json
    """Who is looked at, such as `{"kind": "user", "key": "ana", "country": "PT"}`."""
    expected: Annotated[dict[Ref, Any], Field(min_length=1, max_length=1000)]
    """What it is to get, by key of the flag: an index of a variation, a value, `{"value": 5}` for a number, or null for
    the caller's default. Flags that are left out are not held."""
    enforce: bool | None = None
    """Whether a change that breaks it is refused; left out for a new one: no."""
    id: Id | None = None
    """Of the check that changes; left out: a new one."""


@write(
    "flags.check_save",
    scope="flags:write",
    words="protect a customer from flag changes, guard a flag, save a flag test, make sure the feature stays on for",
    undo=_WHY,
    emits=[FlagCheckSaved],
    example={
        "project": "web",
        "environment": "test",
        "name": "Bo gets the old checkout",
        "context": {"kind": "user", "key": "bo"},
        "expected": {"checkout": False},
        "enforce": False,
        "id": 1,
    },
)
def check_save(tx: Write, args: FlagsCheckSave) -> FlagCheck:
    """Save what a context is to get in an environment, or change that.

    While it is enforced, every change that would break it there is 409, whichever way it comes; `flags.update` takes
    `bypass`. What is broken already stays as it is. An agent leaves checks that are enforced to people where its own
    changes wait for approval (409 `approval-needed`). A flag that is not there is 404, one that is archived 409, and
    what it never serves 422. An environment has at most 100 (422), and of each name one (409).
    """
    place = access.place(tx, access.editable_project(tx, args.project), args.environment)
    before = _stored(tx, place, args.id) if args.id is not None else None
    enforce = args.enforce if args.enforce is not None else bool(before and before["enforce"])
    if before is not None and before["enforce"]:
        _require_person(tx, place)
    expectations.require_context(args.context)
    expectations.require_possible(tx, place.project, args.expected)
    _require_free(tx, place, args)
    columns: dict[str, Any] = {
        "name": args.name,
        "context": packed(args.context),
        "expected": packed(args.expected),
        "enforce": int(enforce),
    }
    if before is None:
        ident = tx.insert(
            "flag_check",
            environment=place.environment["id"],
            created_by=tx.caller.actor,
            created_at=tx.now,
            **columns,
        )
        _tell(tx, place, {"check": ident, "name": args.name, "enforce": enforce})
    else:
        ident = before["id"]
        if changed := named.diff(before, columns):
            tx.update("flag_check", ident, **changed)
            _tell(tx, place, {"check": ident, "name": args.name, "enforce": enforce})
    row = tx.stored("flag_check", [ident])
    assert row is not None
    return done(args, answers.one(tx, place, row))


class FlagsCheckDelete(Tried):
    project: FlagProjectRef
    id: Id
    """Id of the check, from `flags.checks`."""


@destructive(
    "flags.check_delete",
    scope="flags:write",
    words="remove a saved flag check, stop guarding a flag",
    undo=_WHY,
    emits=[FlagCheckSaved],
    example={"project": "web", "id": 1},
)
def check_delete(tx: Write, args: FlagsCheckDelete) -> list[FlagCheck]:
    """Delete a saved check; answers those that are left in the flag project. An agent leaves one that is enforced to
    people where its own changes wait for approval (409 `approval-needed`)."""
    project = access.editable_project(tx, args.project)
    row, place = _of_project(tx, project, args.id)
    if row["enforce"]:
        _require_person(tx, place)
    tx.delete("flag_check", row["id"])
    _tell(tx, place, {"check": row["id"], "name": row["name"], "deleted": True})
    return done(args, answers.of_project(tx, project))


def _of_project(tx: Read, project: FlagProjectRow, ident: int) -> tuple[FlagCheckRow, ProjectEnvironment]:
    """Raises NotFound."""
    row = tx.stored("flag_check", [ident])
    environment = tx.stored("flag_environment", [row["environment"]]) if row is not None else None
    if row is None or environment is None or environment["project"] != project["id"]:
        raise NotFound(f"The flag project {project['key']} has no check {ident}; flags.checks shows them.")
    return row, ProjectEnvironment(project, environment)


def _stored(tx: Read, place: ProjectEnvironment, ident: int) -> FlagCheckRow:
    """Raises NotFound, for one of another environment too: what it expects is of its own."""
    row, found = _of_project(tx, place.project, ident)
    if found.environment["id"] != place.environment["id"]:
        raise NotFound(
            f"{place.environment['key']} has no check {ident}; it is one of {found.environment['key']}."
        )
    return row


def _require_person(tx: Read, place: ProjectEnvironment) -> None:
    """Raises ApprovalNeeded where an agent would take away what keeps it from a change."""
    if approvals.as_agent(tx) and approvals.needed(tx, place.environment):
        raise ApprovalNeeded(
            f"What agents change in {place.environment['key']} waits for approval: a person has to change its checks."
        )


def _require_free(tx: Read, place: ProjectEnvironment, args: FlagsCheckSave) -> None:
    """Raises Conflict where another one has the name, InvalidInput where there are too many."""
    rows = tx.all(
        "select id, name from flag_check where environment = :environment",
        environment=place.environment["id"],
    )
    if any(row["name"] == args.name and row["id"] != args.id for row in rows):
        raise Conflict(f"{place.environment['key']} has a check {args.name!r} already; give its `id`.")
    if args.id is None and len(rows) >= _MOST:
        raise InvalidInput(f"An environment has at most {_MOST} checks.", field="environment")


def _tell(tx: Write, place: ProjectEnvironment, payload: Json) -> None:
    subject = store.project_name(place.project)
    tx.emit(FlagCheckSaved(subject=subject, payload={"environment": place.environment["key"], **payload}))
