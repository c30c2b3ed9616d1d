"""How the fields of an issue changed."""

import json
from typing import Any

from kbwork.base.model import Cursor, Input, Limit, Paged, Text
from kbwork.core.operations import pagination
from kbwork.core.operations.declare import read
from kbwork.core.references import IssueRef
from kbwork.db.tx import Read, Row
from kbwork.modules.issues import access
from kbwork.modules.issues.model import FieldChange


class IssuesHistory(Input):
    key: IssueRef
    field: Text | None = None
    """One field only, such as `status` or `assignees`."""
    cursor: Cursor | None = None
    limit: Limit | None = None


@read(
    "issues.history",
    scope="issues:read",
    words=(
        "who changed the status, who changed the description, field changes, when was it moved, "
        "changelog of a ticket, previous value, when was it closed, who closed"
    ),
    example={"key": "WEB-1"},
)
def history(tx: Read, args: IssuesHistory) -> Paged[FieldChange]:
    """List how the fields of an issue changed, the latest first.

    Long texts are told by their sizes; a parent that you do not see is not named.
    """
    issue = access.get(tx, args.key)
    at = pagination.place(tx, args)
    most = pagination.limit(args)
    rows = tx.all(
        "select e.seq, e.at, e.actor, e.via, c.key as field, c.value as change from events e,"
        " json_each(e.payload, '$.changes') c where e.subject = :subject and e.kind = 'issue.updated'"
        " and (:field is null or c.key = :field) and (:seq is null or (e.seq, c.key) < (:seq, :name))"
        " order by e.seq desc, c.key desc limit :most",
        subject=f"issue:{issue['id']}",
        field=args.field or None,
        seq=at[0] if at else None,
        name=at[1] if at else None,
        most=most + 1,
    )
    after = None
    if len(rows) > most:
        after = pagination.cursor(tx, args, [rows[most - 1]["seq"], rows[most - 1]["field"]])
    return {"items": [_change(tx, row) for row in rows[:most]], "next": after}


def _change(tx: Read, row: Row) -> FieldChange:
    sides: Any = json.loads(row["change"])
    if row["field"] == "parent":
        sides = {side: key if key and access.find(tx, key) else None for side, key in sides.items()}
    return {
        "seq": row["seq"],
        "at": row["at"],
        "who": row["actor"],
        "via": row["via"],
        "field": row["field"],
        "from": sides["from"] if "from" in sides else sides.get("from_size"),
        "to": sides["to"] if "to" in sides else sides.get("to_size"),
    }
