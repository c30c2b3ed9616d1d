"""List what can be taken back, and take it back."""

import json
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.errors import Conflict, InsufficientScope, InvalidInput, NotFound
from kbwork.base.events import Event
from kbwork.base.model import Id, Input, Int, Text
from kbwork.core import undo, visibility
from kbwork.core.operation import Operation, read, write
from kbwork.core.subjects import ref_of
from kbwork.db.tx import DryRun, Read, Resting, Row, Write
from kbwork.modules import trash
from kbwork.modules.undo import rules

_MOST_TOLD = 100


class UndoList(Input):
    limit: Annotated[Int, Field(ge=1, le=200)] | None = 20
    agent: Text | None = None
    """Name of an agent of yours: its changes only."""


class Undoable(TypedDict):
    """A change of the last 24 hours. `why` says why it cannot be taken back."""

    seq: int
    token: str
    at: int
    op: str
    summary: str
    can: bool
    why: str | None


_COLUMNS = (
    "u.seq, u.last_seq, coalesce(u.part_of, u.token) as token, u.at, u.op, u.why_not, u.undone_by,"
    " json(u.images) as images"
)


@read("undo.list", scope="activity:read", cached=False, example={"limit": 5})
def list_(tx: Read, args: UndoList) -> list[Undoable]:
    """List what you, your keys and your agents changed in the last 24 hours, newest first."""
    rows = tx.all(
        f"select {_COLUMNS} from undo u where u.member = :me and u.at > :since and (:via is null or u.via = :via)"
        " and (u.part_of is null or u.seq = (select min(p.seq) from undo p where p.part_of = u.part_of))"
        " order by u.seq desc limit :most",
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


class Undone(TypedDict):
    subject: str
    what: str


class Kept(TypedDict):
    subject: str
    why: str


class Applied(TypedDict):
    """What was set back, and what could not be."""

    undone: list[Undone]
    kept: list[Kept]


@write("undo.apply", scope="activity:write", emits_any=True, example={"seq": 10, "dry_run": True})
def apply(tx: Write, args: UndoApply) -> Applied:
    """Take back a change of yours, or of your keys and agents, of the last 24 hours.

    It needs the scope of what it takes back. Fields that somebody changed since are 409 with the list in `errors`
    and nothing happens, unless `force` is true. Twice is 409. The undoing is a change itself and can be undone.
    """
    records = _records(tx, args)
    op: Operation = tx.registry.require(records[0]["op"])
    if not tx.caller.scopes.intersection(op.scopes):
        raise InsufficientScope(
            f"Taking this back needs the scope {' or '.join(op.scopes)}.", scopes=list(op.scopes)
        )
    if (why := _why_not(records[0])) is not None:
        raise Conflict(f"This cannot be taken back: {why}.")
    plans = [
        (record, told, rules.plan(tx, record, told)) for record in records if (told := _events(tx, record))
    ]
    conflicts = [conflict for _, _, plan in plans for conflict in plan.conflicts]
    if conflicts and not args.force:
        raise Conflict(
            "Something changed since; `force` sets it back all the same.", errors=conflicts[:_MOST_TOLD]
        )
    for record, told, plan in plans:
        _take_back(tx, record, told, plan)
    undone = dict.fromkeys(step.subject for _, _, plan in plans for step in plan.steps)
    kept = {
        subject: why for _, _, plan in plans for subject, why in plan.kept.items() if subject not in undone
    }
    answer = Applied(
        undone=[Undone(subject=subject, what=op.summary) for subject in undone],
        kept=[Kept(subject=_named(tx, subject), why=why) for subject, why in kept.items()],
    )
    if args.dry_run:
        raise DryRun(answer)
    return answer


def _take_back(tx: Write, record: Row, told: list[Row], plan: rules.Plan) -> None:
    for step in plan.steps:
        _set_back(tx, step)
    tx.memo.clear()
    _require_fitting(tx, plan)
    if plan.steps:
        tx.undo_of = record["seq"]
        _tell(tx, told, {step.subject for step in plan.steps if step.whole})
        tx.undo_of = None
        tx.execute("update undo set undone_by = :by where seq = :seq", by=tx.seq, seq=record["seq"])


def _named(tx: Read, subject: str) -> str:
    """A subject, or its kind alone where the caller does not see it (any more, or with this key)."""
    return subject if visibility.find(tx, subject) is not None else ref_of(subject)[0]


def _listed(tx: Read, row: Row) -> Undoable:
    op: Operation = tx.registry.require(row["op"])
    told = _events(tx, row)
    subject = told[0]["subject"] if told else ""
    found = visibility.find(tx, subject)
    why = _why_not(row)
    if why is None and not tx.caller.scopes.intersection(op.scopes):
        why = f"it needs the scope {' or '.join(op.scopes)}"
    if why is None and told:
        why = rules.plan(tx, row, told).against
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
    binds = {"me": tx.caller.me(), "since": tx.now - undo.KEPT_S}
    rows = tx.all(
        f"select {_COLUMNS}, u.part_of from undo u where ({where}) and u.member = :me and u.at > :since"
        " order by u.seq desc",
        token=args.token,
        seq=args.seq,
        **binds,
    )
    if not rows:
        raise NotFound("There is no such change of yours in the last 24 hours; undo.list shows them.")
    if rows[0]["part_of"] is None:
        return rows
    return tx.all(
        f"select {_COLUMNS} from undo u where u.part_of = :whole and u.member = :me and u.at > :since"
        " order by u.seq desc",
        whole=rows[0]["part_of"],
        **binds,
    )


def _events(tx: Read, record: Row) -> list[Row]:
    return tx.all(
        "select kind, subject, audience, at, json(payload) as payload from events"
        " where seq between :seq and :last order by seq",
        seq=record["seq"],
        last=record["last_seq"],
    )


def _require_fitting(tx: Write, plan: rules.Plan) -> None:
    """What was set back keeps the rules of its module beside what is there now. Raises Conflict."""
    checks = {table: check for kind in visibility.kinds(tx).values() for table, check in kind.checks.items()}
    for step in plan.steps:
        if (check := checks.get(step.table)) is not None:
            check(tx, step.place)


def _set_back(tx: Write, step: rules.Step) -> None:
    place = tuple(step.place)
    try:
        if step.trash:
            _throw_away(tx, step)
        elif step.before is None:
            tx.delete(step.table, place)
        elif step.after is None:
            tx.insert(step.table, **step.before)
        else:
            tx.update(step.table, place, **step.before)
            if step.back:
                trash.take(tx, step.subject)
    except Resting:
        raise Conflict(
            f"Something else came to rest on {step.subject} since: take that back first."
        ) from None


def _throw_away(tx: Write, step: rules.Step) -> None:
    """What was made, or brought back, goes to the trash."""
    found = visibility.find(tx, step.subject)
    row = rules.row_of(tx, step) or {}
    tx.update(step.table, tuple(step.place), **(step.before or {}) | {"deleted_at": tx.now})
    title = found.title if found else step.subject
    trash.put(tx, step.subject, title, project=row.get("project"))


def _tell(tx: Write, told: list[Row], whole: set[str]) -> None:
    """The events of the change once more, with their sides turned round.

    Of `whole` subjects, which go to the trash or come back, that alone is told.
    """
    stamped: set[str] = set()
    done: set[str] = set()
    for row in told:
        if row["subject"] in done:
            continue
        if row["subject"] in whole:
            done.add(row["subject"])
        seq = tx.emit(_back(tx, row))
        name, ref = ref_of(row["subject"])
        kind = visibility.kinds(tx).get(name)
        of_itself = row["kind"].partition(".")[0] == name and row["subject"] not in stamped
        if of_itself and kind is not None and kind.stamp is not None:
            stamped.add(row["subject"])
            kind.stamp(tx, ref, seq)


def _back(tx: Read, row: Row) -> Event:
    """The event that takes a stored one back."""
    payload: dict[str, Any] = json.loads(row["payload"])
    payload.pop("undo", None)
    changes = {field: _turned(sides) for field, sides in payload.pop("changes", {}).items()}
    kind = _kind(tx, row["kind"])
    payload = kind.turned(payload, changes, tx.now - row["at"])
    if not changes and kind.inverse is not None:
        kind = _kind(tx, kind.inverse)
    return kind(subject=row["subject"], payload=payload, changes=changes, heard_by=row["audience"])


def _kind(tx: Read, name: str) -> type[Event]:
    """A kind of event by its name; one that this version does not know tells what it told."""
    found: type[Event] | None = tx.registry.events.get(name)
    return found or type("Unknown", (Event,), {"kind": name})


def _turned(sides: Any) -> Any:
    if "from" in sides:
        return (sides["to"], sides["from"])
    return {**sides, "from_size": sides.get("to_size"), "to_size": sides.get("from_size")}
