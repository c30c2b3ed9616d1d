"""What must hold among labels, whoever changes them: free names, and groups whose labels exclude each other."""

from typing import Any

from kbwork.base.errors import Conflict
from kbwork.base.text import folded
from kbwork.core.access import visibility
from kbwork.db.rows import LabelRow
from kbwork.db.tx import Read
from kbwork.modules.labels import queries


def require_free(tx: Read, name: str, project: int | None, *, but: int | None = None) -> None:
    """The name is not taken among the labels that can stand beside this one. Raises Conflict."""
    if queries.same_name(tx, name, project, but=but):
        raise Conflict(f"The name {name!r} is taken; names are unique without case.")


def require_exclusive(tx: Read, label: LabelRow) -> None:
    """No issue carries another label of its group. Raises Conflict."""
    if label["family"] is None:
        return
    both = tx.value(
        "select count(distinct one.issue) from issue_label one join issue_label other on other.issue = one.issue"
        " join label l on l.id = other.label where one.label = :label and l.id <> :label and l.family = :family",
        label=label["id"],
        family=label["family"],
    )
    if both:
        raise Conflict(
            f"{both} issues carry another label of the group {label['family']!r}: take one of them off first."
        )


def family(tx: Read, group: str | None) -> str | None:
    """A group as a label that the caller sees spells it: one that differs in case alone is the same group."""
    if not group:
        return None
    for known in tx.column(
        f"select distinct l.family from label l where l.family is not null and {queries.LABEL_SEEN}",
        **visibility.binds(tx),
    ):
        if folded(known) == folded(group):
            return str(known)
    return group


def check_label(tx: Read, place: list[Any]) -> None:
    """A label that was set back fits beside those that are there now."""
    row = tx.stored("label", place)
    if row is not None:
        require_free(tx, row["name"], row["project"], but=row["id"])
        require_exclusive(tx, row)


def check_use(tx: Read, place: list[Any]) -> None:
    """A label that came back to an issue excludes no other on it."""
    row = tx.stored("label", [place[1]])
    if row is not None and tx.stored("issue_label", place) is not None:
        require_exclusive(tx, row)
