"""Changing many issues at once: each whole or not at all, with a reason; one undo for all of it."""

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.errors import InvalidInput, Problem
from kbwork.base.model import Input, Text
from kbwork.core.access import impersonate
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob, enqueue
from kbwork.core.operations import nested
from kbwork.core.operations.declare import write
from kbwork.core.operations.dispatch import run_as_operation
from kbwork.core.ports.query import TYPED
from kbwork.core.things import undo
from kbwork.db.tx import DryRun, Read, Write, json_array
from kbwork.modules.issues import access, event_payloads, queries
from kbwork.modules.issues.model import IssueChanges, Names

MOST = 5000
AT_ONCE = 200
_PLAIN = tuple(IssueChanges.model_fields)


class Skipped(TypedDict):
    """An issue that stays as it is, and why."""

    key: str
    """Issue that stays as it is."""
    reason: str
    """Why it does."""


class BulkDone(TypedDict):
    """How many changed; `undo` is a token for undo.apply. With a `job` the figures are in its result."""

    changed: int
    """Issues that changed, or would with `dry_run`."""
    skipped: list[Skipped]
    """Issues that stay as they are, with the reason."""
    undo: str | None
    """Token for `undo.apply`; null where nothing is to be undone."""
    job: int | None
    """Job that does what takes longer; null: all is done."""


class BulkChanges(IssueChanges):
    """Fields as in issues.update, and what other operations do."""

    to_status: Text | None = None
    """Lane to move to, by key or name."""
    assignees: Annotated[list[Text], Field(max_length=20)] | None = None
    """The whole list."""
    add_labels: Names | None = None
    """Names of labels to put on."""
    remove_labels: Names | None = None
    """Names of labels to take off."""
    delete: bool | None = None
    """True puts them into the trash."""
    archive: bool | None = None
    """false brings them back."""
    move_to: Text | None = None
    """Key of the project to move them to."""


class IssuesBulk(Input):
    keys: Annotated[list[Text], Field(min_length=1, max_length=MOST)] | None = None
    """Issues by key."""
    tql: Annotated[str, Field(max_length=20_000)] | None = None
    """One of the two; 5,000 issues at most."""
    changes: BulkChanges
    """What is to be changed on each of them."""
    dry_run: bool | None = None
    """Say what would happen and change nothing."""
    notify: bool | None = None
    """True: it stands in the inboxes of those who watch, like a change of one issue; else in nobody's."""


def _found(tx: Read, args: IssuesBulk) -> IssuesBulk:
    """With the issues that the query finds, as the caller sees them. Raises InvalidInput."""
    if args.tql is None or args.keys is not None:
        return args
    language = tx.registry.language
    if language is None:
        raise InvalidInput("The query language is switched off: name the issues in `keys`.", field="tql")
    found = language.issues(tx, args.tql, MOST + 1, TYPED)
    if len(found) > MOST:
        raise InvalidInput(f"More than {MOST:,} issues fit: narrow it.", field="tql")
    return args.model_copy(update={"keys": [f"issue:{ident}" for ident in found], "tql": None})


@write(
    "issues.bulk",
    scope="issues:write",
    words=(
        "change many tickets at once, mass update, bulk edit, mass change, change all, "
        "update several, close all, label all, assign all, raise the priority of all, at once"
    ),
    emits_any=True,
    foresee=_found,
    guests=False,
    example={"keys": ["WEB-1", "WEB-2"], "changes": {"priority": "low", "add_labels": ["bug"]}},
)
def bulk(tx: Write, args: IssuesBulk) -> BulkDone:
    """Change many issues at once, named by `keys` or found by `tql`. More than 5,000 are 422.

    Each changes whole, or is skipped with the reason: right, workflow, approval, a field that does not fit, or no issue
    that you see. The others go on. Up to 200 are changed in this call; more by a job in steps of 200, whose result has
    the figures. `dry_run` says what would happen. One undo takes all of it back; the events carry `bulk`, and one
    `issue.updated` tells all that changed of an issue. In a batch the issues are named by `keys` (422).
    """
    changes = args.changes.model_dump(exclude_unset=True)
    if not changes:
        raise InvalidInput("Name at least one change.", field="changes")
    keys = _keys(args)
    if len(keys) > AT_ONCE:
        return _by_job(tx, keys, changes, args)
    tx.bulk = 0
    with tx.telling(args.notify or None):
        changed, skipped = _change(tx, keys, changes)
    tx.bulk = None
    answer = BulkDone(
        changed=changed, skipped=skipped, undo=undo.token_of(tx) if tx.events else None, job=None
    )
    if args.dry_run:
        raise DryRun(answer | {"undo": None})
    return answer


def _keys(args: IssuesBulk) -> list[str]:
    if (args.keys is None) == (args.tql is None):
        raise InvalidInput("Name one of `keys` and `tql`.", field="keys")
    if args.keys is None:
        raise InvalidInput("Inside another operation the issues are named in `keys`.", field="tql")
    return list(dict.fromkeys(args.keys))


def _change(tx: Write, keys: list[str], changes: dict[str, Any]) -> tuple[int, list[Skipped]]:
    """Change each, or take back what was done to it and say why. An issue twice is changed once."""
    changed: list[int] = []
    skipped: list[Skipped] = []
    seen: set[int] = set()
    for key in keys:
        row = access.find(tx, key)
        if row is None:
            skipped.append(Skipped(key=key, reason=f"There is no issue {key!r} that you can see."))
            continue
        if row["id"] in seen:
            continue
        seen.add(row["id"])
        name = queries.key_of(tx, row)
        try:
            with tx.attempt():
                before = len(tx.events)
                _one(tx, row["id"], changes)
                if len(tx.events) > before:
                    changed.append(row["id"])
        except Problem as problem:
            skipped.append(Skipped(key=name, reason=problem.detail))
    return len(changed), skipped


def _one(tx: Write, issue: int, changes: dict[str, Any]) -> None:
    """All that is to happen to one issue, told once."""
    with event_payloads.updated_once(tx, issue):
        _set(tx, f"issue:{issue}", changes)
    if changes.get("delete"):
        nested.run(tx, "issues.delete", {"key": f"issue:{issue}"})


def _set(tx: Write, key: str, changes: dict[str, Any]) -> None:
    """What issues keep beside being deleted, in an order in which one does not stand in the way of the next."""

    def run(op_id: str, **value: Any) -> None:
        nested.run(tx, op_id, value)

    if changes.get("archive") is False:
        run("issues.archive", keys=[key], on=False)
    if changes.get("move_to"):
        run("issues.move", keys=[key], project=changes["move_to"])
    plain = {name: changes[name] for name in _PLAIN if name in changes} | _labels(tx, key, changes)
    if plain:
        run("issues.update", key=key, **plain)
    if changes.get("assignees") is not None:
        run("issues.assign", key=key, assignees=changes["assignees"])
    if changes.get("to_status"):
        run("issues.transition", key=key, to_status=changes["to_status"])
    if changes.get("archive"):
        run("issues.archive", keys=[key], on=True)


def _labels(tx: Read, key: str, changes: dict[str, Any]) -> dict[str, Any]:
    """The whole list of labels, where some are put on or taken off."""
    more, fewer = changes.get("add_labels") or [], changes.get("remove_labels") or []
    if not more and not fewer:
        return {}
    row = access.get(tx, key)
    base = changes.get("labels")
    had = queries.labels(tx, row["id"]) if base is None else base
    gone = {name.casefold() for name in fewer}
    adds = _exclusive(tx, row["project"], more)
    kept = [name for name in had if name.casefold() not in gone and name not in adds]
    return {"labels": [*kept, *(name for name in more if name.casefold() not in gone)]}


def _exclusive(tx: Read, project: int, names: list[str]) -> set[str]:
    """The labels that go when these come: others of their groups, among those that the project may use."""
    found = tx.column(
        "select o.name from label l join label o on o.family = l.family and o.id <> l.id"
        " where l.family is not null and folded(l.name) in (select folded(value) from json_each(:names))"
        " and coalesce(l.project, :project) = :project and coalesce(o.project, :project) = :project",
        names=json_array(names),
        project=project,
    )
    return set(found)


def _by_job(tx: Write, keys: list[str], changes: dict[str, Any], asked: IssuesBulk) -> BulkDone:
    dry_run = bool(asked.dry_run)
    token = undo.new_token(tx)
    args = {
        "who": impersonate.caller_args(tx.caller),
        "keys": keys,
        "changes": changes,
        "dry_run": dry_run,
        "notify": asked.notify or None,
        "undo": token,
        "at": 0,
        "bulk": 0,
        "changed": 0,
        "skipped": [],
    }
    job = enqueue(tx, BULK.kind, args, message=f"Changing {len(keys)} issues")
    return BulkDone(changed=0, skipped=[], undo=None if dry_run else token, job=job)


def _step(tx: Write, job: RunningJob) -> Next:
    """The next 200, as whoever started it."""
    args = job.args
    keys = args["keys"][args["at"] : args["at"] + AT_ONCE]
    with impersonate.as_starter(tx, args["who"]):
        try:
            done = _part(tx, args, lambda inner: _change(inner, keys, args["changes"]))
            bulk_of = tx.bulk
        finally:
            tx.bulk = None
    at = args["at"] + len(keys)
    result = {"changed": args["changed"] + done[0], "skipped": [*args["skipped"], *done[1]]}
    message = f"Changed {result['changed']} of {len(args['keys'])}"
    if at >= len(args["keys"]):
        token = None if args["dry_run"] else args["undo"]
        return Next(result=result | {"undo": token, "dry_run": args["dry_run"]}, message=message)
    return Next(
        args=args | result | {"at": at, "bulk": bulk_of or 0},
        progress=at / len(args["keys"]),
        message=message,
    )


def _part(tx: Write, args: dict[str, Any], fn: Callable[[Write], Any]) -> Any:
    tx.memo.clear()
    tx.bulk = args["bulk"]
    op = tx.registry.require("issues.bulk")
    with tx.telling(args.get("notify")), tx.attempt(keep=not args["dry_run"]):
        return run_as_operation(tx, op, fn, args["undo"])


BULK = JobKind(kind="issues.bulk", home=__name__, step=_step)
