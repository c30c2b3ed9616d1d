"""Taking a change back: its rows are set back, and it is told with its sides turned round."""

import json
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Problem
from kbwork.base.events import DomainEvent
from kbwork.core.access import impersonate, visibility
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob, enqueue
from kbwork.core.operations.dispatch import run_as_operation
from kbwork.core.things import row_subjects, undo
from kbwork.core.things.thing import Thing, ref_of
from kbwork.db.tx import ConstraintViolated, Read, Row, Write
from kbwork.modules import trash
from kbwork.modules.undo import undo_plan


@dataclass(frozen=True, slots=True)
class UndoRecord:
    """One record, its events, and how to take it back."""

    record: Row
    told: list[Row]
    plan: undo_plan.UndoPlan


class _Unfit(Exception):
    """Subject -> why it would not fit what is there now."""

    def __init__(self, subjects: dict[str, str]) -> None:
        super().__init__("unfit")
        self.subjects = subjects


def events(tx: Read, record: Row) -> list[Row]:
    """What the change told, in order."""
    return tx.all(
        "select kind, subject, audience, at, json(payload) as payload from events"
        " where seq between :seq and :last order by seq",
        seq=record["seq"],
        last=record["last_seq"],
    )


def take_back(tx: Write, part: UndoRecord) -> undo_plan.UndoPlan:
    """Set the rows of one record back and tell of it; answers what was done and what stayed.

    What would not fit what is there now, or on what something rests, stays; the rest goes on without it.
    """
    plan = part.plan
    while plan.steps:
        try:
            with tx.attempt():
                _set_all_back(tx, plan)
            break
        except _Unfit as found:
            plan = plan.without(found.subjects)
    if plan.steps:
        tx.undo_of = part.record["seq"]
        _tell(tx, part.told, plan)
        tx.undo_of = None
        tx.execute("update undo set undone_by = :by where seq = :seq", by=tx.seq, seq=part.record["seq"])
    return plan


def go_on(tx: Write, parts: list[UndoRecord], *, force: bool) -> None:
    """Leave the rest of a whole to a job. It counts as taken back from now on, and as one change with what was."""
    seqs = [part.record["seq"] for part in parts if part.plan.steps]
    if not seqs:
        return
    for seq in seqs:
        tx.execute("update undo set undone_by = :by where seq = :seq", by=tx.seq, seq=seq)
    args = {
        "who": impersonate.caller_args(tx.caller),
        "records": seqs,
        "force": force,
        "undo": undo.token_of(tx),
    }
    enqueue(tx, REST.kind, args, message=f"Taking back {len(seqs)} more steps of a change")


def _step(tx: Write, job: RunningJob) -> Next:
    """The next record, as whoever takes it back."""
    seq, *left = job.args["records"]
    with impersonate.as_starter(tx, job.args["who"]):
        run_as_operation(
            tx,
            tx.registry.require("undo.apply"),
            lambda inner: _take_rest(inner, seq, force=job.args["force"]),
            job.args["undo"],
        )
    if not left:
        return Next(message="Taken back")
    return Next(args=job.args | {"records": left}, message=f"{len(left)} more steps to take back")


REST = JobKind(kind="undo.rest", home=__name__, step=_step)


def _take_rest(tx: Write, seq: int, *, force: bool) -> None:
    """One record, as it fits now. What somebody changed meanwhile stays; where all does, it may be asked for again."""
    record = tx.one("select seq, last_seq, json(images) as images from undo where seq = :seq", seq=seq)
    told = events(tx, record) if record is not None else []
    if record is None or not told:
        return
    plan = undo_plan.plan(tx, record, told)
    if plan.conflicts and not force:
        changed = {conflict["path"].rpartition(".")[0] for conflict in plan.conflicts}
        plan = plan.without(dict.fromkeys(changed, "something changed since"))
    if not take_back(tx, UndoRecord(record, told, plan)).steps:
        tx.execute("update undo set undone_by = null where seq = :seq", seq=seq)


def _set_all_back(tx: Write, plan: undo_plan.UndoPlan) -> None:
    """Raises _Unfit naming the subjects whose rows do not keep the rules of their modules then."""
    were: dict[str, Row] = {}
    unfit: dict[str, str] = {}
    for step in plan.steps:
        if step.subject in unfit:
            continue
        now = undo_plan.row_of(tx, step) or {}
        try:
            _set_back(tx, step)
        except ConstraintViolated:
            unfit[step.subject] = _resting(step)
            continue
        if _is_the_thing(tx, step):
            moved = {name: now[name] for name, value in (step.before or {}).items() if now.get(name) != value}
            were[step.subject] = moved | were.get(step.subject, {})
    tx.memo.clear()
    if unfit := unfit or _misfits(tx, plan, were):
        raise _Unfit(unfit)


def _is_the_thing(tx: Read, step: undo_plan.UndoStep) -> bool:
    """Whether the row is that of the subject itself, and no part of it: also of kinds that never go to the trash."""
    name, ref = ref_of(step.subject)
    own = visibility.things(tx)[name].table == step.table and str(step.place[0]) == ref
    return own or row_subjects.own_subject(tx, step.table, step.place) == step.subject


def _resting(step: undo_plan.UndoStep) -> str:
    if step.before is None:
        return f"something else came to rest on {step.subject} since: take that back first"
    return "what it had is gone, or has another place now"


def _misfits(tx: Read, plan: undo_plan.UndoPlan, were: dict[str, Row]) -> dict[str, str]:
    """Subject -> why what was set back does not fit what is there now."""
    kinds = visibility.things(tx)
    checks = {table: check for kind in kinds.values() for table, check in kind.undo.checks.items()}
    found: dict[str, str] = {}
    for step in plan.steps:
        name, ref = ref_of(step.subject)
        fits = kinds[name].undo.fits if step.subject in were else None
        try:
            if (check := checks.get(step.table)) is not None:
                check(tx, step.place)
            if fits is not None:
                fits(tx, ref, were.pop(step.subject))
        except Problem as problem:
            found.setdefault(step.subject, problem.detail.rstrip("."))
    return found


def _set_back(tx: Write, step: undo_plan.UndoStep) -> None:
    place = tuple(step.place)
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


def _throw_away(tx: Write, step: undo_plan.UndoStep) -> None:
    """What was made, or brought back, goes to the trash."""
    found = visibility.find(tx, step.subject)
    row = undo_plan.row_of(tx, step) or {}
    tx.update(step.table, tuple(step.place), **(step.before or {}) | {"deleted_at": tx.now})
    title = found.title if found else step.subject
    trash.put(tx, step.subject, title, project=row.get("project"), space=row.get("space"))


def _tell(tx: Write, told: list[Row], plan: undo_plan.UndoPlan) -> None:
    """The events of the change once more, with their sides turned round, where something of theirs was set back.

    An event about a thing that has no rows in the change, such as of an issue that is blocked no more, goes with the
    one before it. Of things that go to the trash, or come back, that alone is told.
    """
    touched = {one for step in plan.steps for one in (step.subject, *step.named.all)}
    whole = {step.subject for step in plan.steps if step.whole}
    stamped: set[str] = set()
    done: set[str] = set()
    cause = None
    for row in told:
        if row["subject"] in touched or row["subject"] in plan.left:
            cause = row["subject"]
        if row["subject"] in done or (cause is not None and cause not in touched):
            continue
        if _kind(tx, row["kind"]).stands:
            continue
        if row["subject"] in whole:
            done.add(row["subject"])
        name, ref = ref_of(row["subject"])
        kind = visibility.things(tx).get(name)
        seq = tx.emit(_back(tx, row, kind))
        of_itself = row["kind"].partition(".")[0] == name and row["subject"] not in stamped
        if of_itself and kind is not None and kind.undo.stamp is not None:
            stamped.add(row["subject"])
            kind.undo.stamp(tx, ref, seq, row["kind"])


def _back(tx: Read, row: Row, of: Thing | None) -> DomainEvent:
    """The event that takes a stored one back."""
    payload: dict[str, Any] = json.loads(row["payload"])
    payload.pop("undo", None)
    changes = {field: _turned(sides) for field, sides in payload.pop("changes", {}).items()}
    kind = _kind(tx, row["kind"])
    payload = kind.turned(payload, changes, tx.now - row["at"])
    if of is not None and of.undo.retold is not None:
        payload = of.undo.retold(tx, ref_of(row["subject"])[1], row["kind"], payload)
    if not changes and kind.inverse is not None:
        kind = _kind(tx, kind.inverse)
    return kind(subject=row["subject"], payload=payload, changes=changes, heard_by=row["audience"])


def _kind(tx: Read, name: str) -> type[DomainEvent]:
    """A kind of event by its name; one that this version does not know tells what it told."""
    found: type[DomainEvent] | None = tx.registry.events.get(name)
    return found or type("Unknown", (DomainEvent,), {"kind": name})


def _turned(sides: Any) -> Any:
    if "from" in sides:
        return (sides["to"], sides["from"])
    return {**sides, "from_size": sides.get("to_size"), "to_size": sides.get("from_size")}
