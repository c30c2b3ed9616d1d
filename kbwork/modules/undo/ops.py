"""List what can be taken back, and take it back."""

from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.errors import Conflict, InsufficientScope, InvalidInput, NotFound
from kbwork.base.model import Id, Input, Int, Text
from kbwork.core.access import visibility
from kbwork.core.operations.declare import Operation, read, write
from kbwork.core.things import undo
from kbwork.core.things.thing import ref_of
from kbwork.db.tx import DryRun, Read, Row, Write, json_array
from kbwork.modules.undo import take_back, undo_plan

_MOST_TOLD = 100
_ROWS_AT_ONCE = 1000


class UndoList(Input):
    limit: Annotated[Int, Field(ge=1, le=200)] | None = 20
    """Changes to answer; 20 unless given."""
    agent: Text | None = None
    """Name of an agent of yours: its changes only."""


class Undoable(TypedDict):
    """A change of the last 24 hours. `why` says why it cannot be taken back."""

    seq: int
    """Number of the first event of the change."""
    token: str
    """What to pass to `undo.apply`."""
    at: int
    """When it was made, in Unix seconds."""
    op: str
    """Operation that made it, such as `issues.update`."""
    summary: str
    """What it did, in words."""
    can: bool
    """Whether it can be taken back."""
    why: str | None
    """Why it cannot be; null: it can."""


_COLUMNS = (
    "u.seq, u.last_seq, coalesce(u.part_of, u.token) as token, u.at, u.op, u.why_not, u.undone_by,"
    " json(u.images) as images"
)


@read(
    "undo.list",
    scope="activity:read",
    words=("what did I just do, my recent changes, what can I undo, what did my agent change, my actions"),
    cached=False,
    example={"limit": 5},
)
def list_(tx: Read, args: UndoList) -> list[Undoable]:
    """List what you, your keys and your agents changed in the last 24 hours, newest first."""
    where, given = _of_given(tx)
    rows = tx.all(
        f"select {_COLUMNS} from undo u where u.member = :me and u.at > :since and (:via is null or u.via = :via)"
        " and (u.part_of is null or u.seq = (select min(p.seq) from undo p where p.part_of = u.part_of)"
        " and not exists (select 1 from undo h where h.token = u.part_of))"
        f"{where} order by u.seq desc limit :most",
        **given,
        me=tx.caller.me(),
        since=tx.now - undo.KEPT_S,
        via=f"agent:{args.agent}" if args.agent else None,
        most=args.limit or 20,
    )
    return [_listed(tx, row) for row in rows]


class UndoApply(Input):
    token: Text | None = None
    """From the answer of a bulk change, or of undo.list."""
    seq: Id | None = None
    """Any event of the change; one of the two."""
    force: bool | None = None
    """Set back fields that were changed since, too."""
    dry_run: bool | None = None
    """Say what would be set back and change nothing."""


class Undone(TypedDict):
    subject: str
    """What was set back, such as `issue:12`."""
    what: str
    """What was taken back of it, in words."""


class Kept(TypedDict):
    subject: str
    """What stays as it is, such as `issue:12`."""
    why: str
    """Why it does."""


class Applied(TypedDict):
    """What was set back, and what could not be."""

    undone: list[Undone]
    """What was set back."""
    kept: list[Kept]
    """What stays, with the reason."""


@write(
    "undo.apply",
    scope="activity:write",
    words=(
        "undo that, revert my change, take it back, I made a mistake, roll back, oops, reverse, "
        "did not mean that, undo the last change"
    ),
    emits_any=True,
    example={"seq": 10, "dry_run": True},
)
def apply(tx: Write, args: UndoApply) -> Applied:
    """Take back a change of yours, or of your keys and agents, of the last 24 hours.

    It needs the scope of what it takes back. Fields that somebody changed since are 409 with the list in `errors`
    and nothing happens, unless `force` is true. Twice is 409. The undoing is a change itself and can be undone.

    What you may not change now, what is gone, and what would not fit what is there now stays, with the reason in
    `kept`; 409 where nothing is left to take back because of that. Of a change of many hundred things the first are
    set back in this call, and a job goes on with the rest.
    """
    records = _records(tx, args)
    op: Operation = tx.registry.require(records[0]["op"])
    if not tx.caller.scopes.intersection(op.scopes):
        raise InsufficientScope(
            f"Taking this back needs the scope {' or '.join(op.scopes)}.", scopes=list(op.scopes)
        )
    if (why := _why_not(records[0])) is not None:
        raise Conflict(f"This cannot be taken back: {why}.")
    parts = _planned(tx, [record for record in records if record["undone_by"] is None])
    conflicts = [conflict for part in parts for conflict in part.plan.conflicts]
    if conflicts and not args.force:
        raise Conflict(
            "Something changed since; `force` sets it back all the same.", errors=conflicts[:_MOST_TOLD]
        )
    at_once = _at_once(parts)
    plans = [take_back.take_back(tx, part) for part in parts[:at_once]]
    if parts[at_once:]:
        take_back.go_on(tx, parts[at_once:], force=bool(args.force))
        plans += [part.plan for part in parts[at_once:]]
    answer = _applied(tx, op, plans)
    if not answer["undone"] and (unfit := next((plan.unfit for plan in plans if plan.unfit), None)):
        raise Conflict(f"This cannot be taken back: {next(iter(unfit.values()))}.")
    if args.dry_run:
        raise DryRun(answer)
    return answer


def _planned(tx: Read, records: list[Row]) -> list[take_back.UndoRecord]:
    """What each record of the whole would do, the newest first: an older one finds rows as a newer one leaves them."""
    ahead: dict[str, Row | None] = {}
    return [
        take_back.UndoRecord(record, told, undo_plan.plan(tx, record, told, ahead))
        for record in records
        if (told := take_back.events(tx, record))
    ]


def _at_once(parts: list[take_back.UndoRecord]) -> int:
    """How many of the records are taken back in this call."""
    rows = 0
    for number, part in enumerate(parts):
        rows += len(part.plan.steps)
        if number and rows > _ROWS_AT_ONCE:
            return number
    return len(parts)


def _applied(tx: Read, op: Operation, plans: list[undo_plan.UndoPlan]) -> Applied:
    undone = dict.fromkeys(step.subject for plan in plans for step in plan.steps)
    kept = {subject: why for plan in plans for subject, why in plan.kept.items() if subject not in undone}
    return Applied(
        undone=[Undone(subject=subject, what=op.summary) for subject in undone],
        kept=[Kept(subject=_named(tx, subject), why=why) for subject, why in kept.items()],
    )


def _named(tx: Read, subject: str) -> str:
    """A subject, or its kind alone where the caller does not see it (any more, or with this key)."""
    return subject if visibility.find(tx, subject) is not None else ref_of(subject)[0]


def _listed(tx: Read, row: Row) -> Undoable:
    op: Operation = tx.registry.require(row["op"])
    told = take_back.events(tx, row)
    subject = told[0]["subject"] if told else ""
    found = visibility.find(tx, subject)
    why = _why_not(row)
    if why is None and not tx.caller.scopes.intersection(op.scopes):
        why = f"it needs the scope {' or '.join(op.scopes)}"
    if why is None and told:
        why = undo_plan.plan(tx, row, told).against
    summary = f"{op.summary}: {found.title}" if found else op.summary
    return Undoable(
        seq=row["seq"],
        token=row["token"],
        at=row["at"],
        op=row["op"],
        summary=summary,
        can=why is None,
        why=why,
    )


def _of_given(tx: Read) -> tuple[str, dict[str, Any]]:
    """The condition on `undo u`, begun by `and`, that its operation is of a module that the caller was given, and what
    it binds; empty for whoever was given all."""
    if tx.caller.modules is None:
        return "", {}
    given = [op.id for op in tx.registry.operations.values() if tx.caller.holds(op.module)]
    return " and u.op in (select value from json_each(:given))", {"given": json_array(given)}


def _why_not(record: Row) -> str | None:
    if record["undone_by"] is not None:
        return "it was taken back already"
    return str(record["why_not"]) if record["why_not"] is not None else None


def _records(tx: Read, args: UndoApply) -> list[Row]:
    """The record that is meant, or those of the whole that it is part of, the newest first."""
    if (args.token is None) == (args.seq is None):
        raise InvalidInput("Name one of `token` and `seq`.", field="token")
    by_seq = "u.seq = (select max(seq) from undo where seq <= :seq) and u.last_seq >= :seq"
    where = "u.token = :token or u.part_of = :token" if args.token else by_seq
    of_given, given = _of_given(tx)
    binds = {"me": tx.caller.me(), "since": tx.now - undo.KEPT_S}
    rows = tx.all(
        f"select {_COLUMNS} from undo u where ({where}) and u.member = :me and u.at > :since{of_given}"
        " order by u.seq desc",
        **given,
        token=args.token,
        seq=args.seq,
        **binds,
    )
    if not rows:
        raise NotFound("There is no such change of yours in the last 24 hours; undo.list shows them.")
    return tx.all(
        f"select {_COLUMNS} from undo u where (u.part_of = :whole or u.token = :whole) and u.member = :me"
        " and u.at > :since order by u.token = :whole desc, u.seq desc",  # what came behind rests on how it began
        whole=rows[0]["token"],
        **binds,
    )
