"""Reports as rows and in their shape."""

import json

from kbwork.core import named
from kbwork.db.rows import ReportRow
from kbwork.db.tx import Read
from kbwork.modules.analytics import recipients
from kbwork.modules.analytics.model import Report

LOST = "Whoever saved it last is no admin any more: another admin saves it to go on."


def stored(tx: Read, ident: int) -> ReportRow:
    """Raises NotFound."""
    return named.known(tx.stored("report", [ident]), "report", ident, "analytics.reports")


def every(tx: Read) -> list[ReportRow]:
    return tx.all("select * from report order by id", ReportRow)


def has_author(tx: Read, row: ReportRow) -> bool:
    """Whether whoever saved it last is an admin now."""
    found = tx.value(
        "select 1 from member where id = :id and state = 'active' and role in ('owner', 'admin')",
        id=row["author"],
    )
    return found is not None


def shown(tx: Read, row: ReportRow) -> Report:
    return Report(
        id=row["id"],
        name=row["name"],
        sql=row["sql"],
        every=row["every"],
        recipients=recipients.of(tx, row["id"]),
        created_by=row["created_by"],
        last_error=row["last_error"],
        last_result=json.loads(row["last_result"]) if row["last_result"] is not None else None,
        last_rows=row["last_rows"],
        last_run_at=row["last_run_at"],
        next_run_at=row["next_run_at"],
    )
