"""What the usual words of other tools for types, statuses and priorities are called here."""

import re

from kbwork.base.text import folded

_TYPES = {
    "defect": "bug",
    "error": "bug",
    "fault": "bug",
    "enhancement": "story",
    "feature": "story",
    "improvement": "story",
    "user story": "story",
    "sub-task": "subtask",
    "support": "task",
}
_STATUSES = {
    "new": "todo",
    "open": "todo",
    "reopened": "todo",
    "selected for development": "todo",
    "assigned": "todo",
    "accepted": "in_progress",
    "started": "in_progress",
    "doing": "in_progress",
    "feedback": "in_review",
    "review": "in_review",
    "in testing": "in_review",
    "testing": "in_review",
    "invalid": "cancelled",
    "rejected": "cancelled",
    "canceled": "cancelled",
    "wontfix": "cancelled",
    "won't do": "cancelled",
}
_PRIORITIES = {
    "urgent": ("urgent", "blocker", "immediate", "highest", "critical", "p0", "showstopper"),
    "high": ("high", "major", "important", "p1"),
    "medium": ("medium", "normal", "moderate", "p2"),
    "low": ("low", "minor", "trivial", "lowest", "p3", "p4"),
}


def type_key(word: str) -> str:
    """The key that a type of this word would have here."""
    plain = folded(word.strip())
    return _TYPES.get(plain, re.sub(r"[^a-z0-9]+", "-", plain).strip("-"))


def lane_key(word: str) -> str:
    """The key that a lane of this word would have here."""
    plain = folded(word.strip())
    return _STATUSES.get(plain, re.sub(r"[^a-z0-9]+", "_", plain).strip("_"))


def priority(word: str | None) -> str | None:
    """The priority that this word says, or none."""
    plain = re.sub(r"^[^a-z]+", "", folded((word or "").strip()))
    return next((found for found, words in _PRIORITIES.items() if plain in words), None)
