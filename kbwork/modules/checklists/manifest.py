"""Checklists of issues in the archive of a project."""

from kbwork.core.ports.archive import ArchivedList, Day, Doer, Long, Person, Place, Time

CHECKS = ArchivedList(
    "issues.jsonl",
    "checks",
    table="check_item",
    order="position, id",
    numbered="position",
    late=True,
    columns={
        "text": Long,
        "assignee": Doer | None,
        "due_date": Day | None,
        "done_at": Time | None,
        "done_by": Person | None,
        "promoted": Place | None,
        "created_at": Time,
        "created_by": Person,
    },
)
"""`promoted` is the issue that a line became."""
