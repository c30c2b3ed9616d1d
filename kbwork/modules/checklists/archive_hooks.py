"""Checklists restored from the archive of a project, behind what an issue has."""

from typing import Any

from kbwork.core.ports.archive import ArchiveHook, ArchiveReferences


def _restore(refs: ArchiveReferences, issue: int, checks: list[dict[str, Any]]) -> None:
    after = refs.tx.value(
        "select coalesce(max(position), -1) from check_item where issue = :issue", issue=issue
    )
    for number, row in enumerate(refs.rows("checks", checks), start=1):
        refs.tx.insert("check_item", issue=issue, position=after + number, **row)


CHECKS = ArchiveHook(home=__name__, line="issues.jsonl", name="checks", restored=_restore)
