"""What a field of a source is: its kind, whose names its values are, and where a path may go on."""

from enum import StrEnum

from kbwork.base.dataclasses import dataclass


class FieldKind(StrEnum):
    """What a field holds; the value is how people are told."""

    TEXT = "a text"
    NAME = "a name"
    PERSON = "a person"
    NUMBER = "a number"
    DURATION = "a length of time"
    TIME = "a time"
    DAY = "a day"
    KEY = "a key"
    SUBJECT = "a thing"
    BOOL = "true or false"


ORDERED = frozenset({FieldKind.NUMBER, FieldKind.DURATION, FieldKind.TIME, FieldKind.DAY})
NAMED = frozenset({FieldKind.NAME, FieldKind.PERSON, FieldKind.KEY, FieldKind.SUBJECT})
CATEGORIES = ("todo", "in_progress", "done")
PRIORITIES = ("none", "low", "medium", "high", "urgent")
"""From the least weight to the most: the one name that has an order in comparisons."""


@dataclass(frozen=True, slots=True)
class FieldDef:
    """One field. `domain` says whose names its values are, `to` which source a path goes on in."""

    name: str
    kind: FieldKind
    many: bool = False
    domain: str = ""
    to: str = ""
    choices: tuple[str, ...] = ()
    """A closed list; without it and a domain a name is any word."""
    aliases: tuple[str, ...] = ()
    tracked: bool = False
    """Its history is kept."""
    module: str = ""
    """Comes with this module; empty: always there."""
