"""What an import does to issues that are there: no rule, no workflow and nobody is asked, and one event tells of it.

Those that it brings in are made by `create.py`.
"""

from typing import Any

from kbwork.core.operations import nested
from kbwork.core.operations.validate import validate
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Read, Row, Write, json_array
from kbwork.issuefields import FIELDS
from kbwork.modules.issues import queries
from kbwork.modules.issues.events import IssueUpdated
from kbwork.modules.issues.issue import resolve, update
from kbwork.modules.issues.relations import blocked
from kbwork.modules.issues.relations.relations import relation_add
from kbwork.modules.issues.transitions import status
from kbwork.modules.workflows import lanes

_CLEAR = {field.input: field.clear for field in FIELDS}


def update_imported(tx: Write, issue: int, value: dict[str, Any], was: dict[str, Any]) -> None:
    """Change what `value` names, which is as issues.create takes it; `was` are the times and outcome at the source.

    Raises what issues.update raises.
    """
    row = queries.stored(tx, issue)
    with blocked.emit_changes(tx, row):
        _renew(tx, row, value, was)


def _renew(tx: Write, row: IssueRow, value: dict[str, Any], was: dict[str, Any]) -> None:
    plain = {name: one for name, one in value.items() if name not in ("status", "assignees")}
    plain |= {name: _CLEAR[name] for name, one in plain.items() if one is None and name in _CLEAR}
    args = validate(update.IssuesUpdate, {"key": f"issue:{row['id']}"} | plain)
    assert isinstance(args, update.IssuesUpdate)
    resolve.require_known(args)
    columns: dict[str, Any] = {}
    if "status" in value:
        target = lanes.by_name(tx, value["status"])
        columns = status.lane_columns(tx, row, lanes.one(tx, row["lane"]), target, was["outcome"])
        columns |= {"done_at": was["done_at"]} if target["category"] == "done" else {}
    assignees = None
    if "assignees" in value:
        assignees = resolve.assignee_ids(tx, value["assignees"], bare=True)
    update.change(tx, row, args, columns, assignees)
    if was["updated_at"] is not None:
        tx.execute("update issue set updated_at = :at where id = :id", at=was["updated_at"], id=row["id"])


def backfill_history(
    tx: Write, issue: int, changes: dict[str, Any], when: tuple[int, str, str, str | None]
) -> None:
    """Put a change of long ago into the history of an issue; the log alone hears of it. `when` has its time, who made
    it, what sort of caller that was, and by which key or agent."""
    key = queries.key_of(tx, queries.stored(tx, issue))
    payload = {"key": key, "project": key.rpartition("-")[0], "changes": changes}
    seq = tx.emit(IssueUpdated(subject=f"issue:{issue}", payload=payload, heard_by="audit"))
    tx.execute(
        "update events set at = :at, actor = :actor, actor_kind = :kind, via = :via where seq = :seq",
        at=when[0],
        actor=when[1],
        kind=when[2],
        via=when[3],
        seq=seq,
    )


def relate_imported(tx: Write, issue: str, kind: str, other: str) -> None:
    """Relate two issues, by subject, as issues.relation_add does; their times stay."""
    ids = json_array(int(ref_of(subject)[1]) for subject in (issue, other))
    times = _times(tx, ids)
    nested.run(tx, relation_add, {"key": issue, "kind": kind, "to": [other]})
    for ident, at in times.items():
        tx.execute("update issue set updated_at = :at where id = :id", at=at, id=ident)


def date_imported(tx: Write, ends: tuple[str, str], kind: str, was: Row) -> None:
    """When two issues, by subject, that were related now were so at the source: `lag_days`, `created_at` and
    `created_by`."""
    src, dst = (int(ref_of(end)[1]) for end in ends)
    tx.execute(
        "update relation set lag_days = :lag_days, created_at = :created_at, created_by = :created_by where"
        " (src = :src and dst = :dst or src = :dst and dst = :src) and kind in"
        " (select id from relation_kind where :kind in (key, name, inverse))",
        src=src,
        dst=dst,
        kind=kind,
        **was,
    )


def finish_imported(tx: Write, issue: int, line: Row) -> None:
    """Forget what its making here wrote down of its past, and put what is so once all else is there."""
    tx.execute("delete from span where subject = :subject", subject=f"issue:{issue}")
    tx.execute(
        "update issue set updated_at = coalesce(:updated_at, updated_at), archived_at = :archived_at,"
        " locked = :locked, lock_reason = :lock_reason where id = :id",
        id=issue,
        updated_at=line["updated_at"],
        archived_at=line["archived_at"],
        locked=int(line["locked"]),
        lock_reason=line["lock_reason"],
    )


def _times(tx: Read, ids: str) -> dict[int, int]:
    rows = tx.all("select id, updated_at from issue where id in (select value from json_each(:ids))", ids=ids)
    return {row["id"]: row["updated_at"] for row in rows}
