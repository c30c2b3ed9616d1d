"""Folding options of a field into another one in the values that issues have: few at once, many by a job."""

from kbwork.core.access import impersonate
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob, Schedule, enqueue
from kbwork.core.operations.dispatch import run_as_operation
from kbwork.core.things import undo
from kbwork.db.tx import Read, Row, Write, json_array
from kbwork.modules.fields import event_payloads
from kbwork.modules.fields.catalogue import Option, OwnField, catalogue
from kbwork.modules.fields.model import FieldOptionMerged

AT_ONCE = 500
_HOLDING = (
    "select issue, position from issue_value where field = :field and value in (select value from json_each(:gone))"
    " order by issue, position limit :most"
)


def fold(tx: Write, field: OwnField, gone: list[Option], into: int) -> int:
    """Put one option in the place of others in 500 values, and take the others away; answers the issues it was.

    Where more values hold them a job goes on, and the others are out of lists until then.
    """
    idents = [option.id for option in gone]
    for before in tx.column(
        "select id from field_option where heir in (select value from json_each(:gone))",
        gone=json_array(idents),
    ):
        tx.update("field_option", before, heir=into)
    issues = _move(tx, field.id, idents, into)
    if not _held(tx, field.id, idents):
        for ident in idents:
            tx.delete("field_option", ident)
        return issues
    for ident in idents:
        tx.update("field_option", ident, heir=into, left_at=tx.now)
    args = {
        "who": impersonate.caller_args(tx.caller),
        "undo": undo.token_of(tx),
        "field": field.id,
        "options": idents,
    }
    enqueue(tx, FOLD.kind, args, message=f"Merging options of {field.name}")
    return issues


def folds_into(tx: Read, options: list[int]) -> list[int]:
    """Those of the options into which others are being folded."""
    return tx.column(
        "select distinct heir from field_option where heir in (select value from json_each(:options))",
        options=json_array(options),
    )


def _step(tx: Write, job: RunningJob) -> Next:
    """The next 500 values. Options that somebody brought back keep what they have."""
    args = job.args
    rows = tx.all(
        "select id, name, heir from field_option where heir is not null and id in (select value from json_each(:ids))",
        ids=json_array(args["options"]),
    )
    if not rows:
        return Next(message="Nothing is left to merge")
    with impersonate.on_behalf_of(tx, args["who"]):
        run_as_operation(
            tx,
            tx.registry.require("fields.option_merge"),
            lambda inner: _go_on(inner, args["field"], rows),
            args["undo"],
        )
    if _held(tx, args["field"], [row["id"] for row in rows]):
        return Next(args=args, message="Merging options")
    return Next(message="Merged")


FOLD = JobKind(kind="fields.fold", home=__name__, step=_step)

_OVER = (
    "heir is not null and left_at <= :before and not exists"
    " (select 1 from issue_value v where v.field = field_option.field and v.value = field_option.id)"
)


def _any_over(tx: Read) -> bool:
    sql = f"select 1 from field_option where {_OVER} limit 1"
    return tx.value(sql, before=tx.now - undo.KEPT_S) is not None


def _sweep(tx: Write) -> None:
    """The rows of options that nobody can bring back any more."""
    tx.execute(f"delete from field_option where {_OVER}", before=tx.now - undo.KEPT_S)


SWEEP = Schedule(name="fields.sweep_options", home=__name__, every_s=3600, run=_sweep, due=_any_over)


def _go_on(tx: Write, field: int, rows: list[Row]) -> None:
    into = rows[0]["heir"]
    issues = _move(tx, field, [row["id"] for row in rows], into)
    known = catalogue(tx).get(field)
    if known is not None and into in known.by_id:
        payload = {"from": [row["name"] for row in rows], "into": known.by_id[into].name, "issues": issues}
        event_payloads.emit(tx, FieldOptionMerged, [known], payload=payload)


def _held(tx: Read, field: int, gone: list[int]) -> bool:
    return tx.one(_HOLDING, field=field, gone=json_array(gone), most=1) is not None


def _move(tx: Write, field: int, gone: list[int], into: int) -> int:
    """Put one option in the place of others in the next values, on an issue once; answers how many issues it was."""
    held: dict[int, list[int]] = {}
    for row in tx.all(_HOLDING, field=field, gone=json_array(gone), most=AT_ONCE):
        held.setdefault(row["issue"], []).append(row["position"])
    for issue, positions in held.items():
        there = tx.value(
            "select 1 from issue_value where issue = :issue and field = :field and value = :into",
            issue=issue,
            field=field,
            into=into,
        )
        for number, position in enumerate(positions):
            place = (issue, field, position)
            if number == 0 and there is None:
                tx.update("issue_value", place, value=into)
            else:
                tx.delete("issue_value", place)
    return len(held)
