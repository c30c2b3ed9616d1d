"""Workflows in the archive of a project that goes by them; people and teams stand in them by name."""

from typing import Any

from kbwork.core.ports.archive import ArchivedList, Count, Id, Long, Word, exact, few, peopled

_OBJECTS = few(dict[str, Any])
_TRANSITION = exact(
    "Step",
    {
        "key": Word,
        "name": Word,
        "from": few(Word),
        "to": Word,
        "who": few(Any),
        "if": _OBJECTS,
        "check": _OBJECTS,
        "ask": _OBJECTS,
        "approvers": few(Any),
        "needed": Count,
        "self_approval": bool,
        "watch": few(Word),
        "then": _OBJECTS,
        "auto_when": Long | None,
    },
)
"""A transition, as workflows.list answers it."""

WORKFLOWS = ArchivedList(
    "projects.jsonl",
    "words.workflows",
    table="workflow",
    late=True,
    columns={
        "name": Word,
        "start": Id,
        "lanes": few(Id),
        "transitions": peopled(few(_TRANSITION), known=True),
    },
)
