"""Checklists that an import brings: with who did what and when, and nobody is told."""

from kbwork.db.tx import Row, Write


def add_imported(tx: Write, issue: int, rows: list[Row]) -> None:
    """Give an issue the lines of a checklist, in order, behind those that it has."""
    after = tx.value("select coalesce(max(position), -1) from check_item where issue = :issue", issue=issue)
    for number, row in enumerate(rows, start=1):
        tx.insert("check_item", issue=issue, position=after + number, **row)
