"""The lanes of a new org."""

from kbwork.base.text import folded
from kbwork.db.tx import Write

_FIRST = (
    ("backlog", "Backlog", "todo", "#8b93a1", None),
    ("todo", "To do", "todo", "#6b7280", None),
    ("in_progress", "In progress", "in_progress", "#d9822b", None),
    ("in_review", "In review", "in_progress", "#2f7fd1", None),
    ("done", "Done", "done", "#3f9142", "completed"),
    ("cancelled", "Cancelled", "done", "#9aa0aa", "cancelled"),
    ("duplicate", "Duplicate", "done", "#9aa0aa", "duplicate"),
)


def seed(tx: Write) -> None:
    """The lanes of a new org."""
    for position, (key, name, category, color, outcome) in enumerate(_FIRST, 1):
        tx.insert(
            "lane",
            key=key,
            name=name,
            name_key=folded(name),
            category=category,
            color=color,
            outcome=outcome,
            stops_sla=0,
            description="",
            position=float(position),
        )
