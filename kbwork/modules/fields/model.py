"""The words of own fields."""

from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from pydantic import StringConstraints
from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent

Kind = Literal[
    "text",
    "paragraph",
    "number",
    "money",
    "bool",
    "date",
    "datetime",
    "duration",
    "select",
    "multi_select",
    "cascade",
    "member",
    "members",
    "team",
    "issue",
    "page",
    "asset",
    "url",
    "rating",
    "formula",
    "rollup",
]
Home = Literal["issue", "worklog", "company", "request"]
FieldKey = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,39}$")]

TEXTS: frozenset[Kind] = frozenset({"text", "paragraph", "url"})
BOUNDED: frozenset[Kind] = frozenset({"number", "money", "duration", "text", "paragraph"})
"""Kinds that take `min` and `max`: of the number, or of how many characters."""
CHOICES: frozenset[Kind] = frozenset({"select", "multi_select", "cascade"})
"""Kinds whose values are options."""
SETS: frozenset[Kind] = frozenset({"multi_select", "members"})
"""Kinds with several values, each at most once."""
REFERENCES: frozenset[Kind] = frozenset({"issue", "page", "asset"})
COMPUTED: frozenset[Kind] = frozenset({"formula", "rollup"})

MOST_FIELDS = 200
MOST_OPTIONS = 1000
MOST_PROJECTS = 100
MOST_STEPS = 5
"""How deep the options of a cascade stand under each other."""


class Stored(NamedTuple):
    """One element of a value as it is kept. `unit` is the currency of an amount."""

    value: int | float | str
    unit: str | None = None


class FieldOption(TypedDict):
    """One of the values that may be chosen; `parent` is the id of the one it stands under in a cascade."""

    id: int
    name: str
    color: str
    archived: bool
    parent: int | None


class Field(TypedDict):
    """A field that the org made. `projects` are those that the caller sees, none stands for all; so with `types`.

    `used` counts the issues with a value that the caller sees.
    """

    key: str
    name: str
    kind: Kind
    on: Home
    description: str
    options: list[FieldOption]
    projects: list[str]
    types: list[str]
    default: Any
    formula: str | None
    min: float | None
    max: float | None
    pattern: str | None
    personal: bool
    used: int


class FieldLayout(TypedDict):
    """Which fields the issues of one type have in one project, by key, in order."""

    project: str
    type: str
    create: list[str]
    edit: list[str]
    required: list[str]
    rules: list[dict[str, Any]]


class _FieldEvent(DomainEvent):
    """Something that happened to an own field."""

    about: ClassVar[dict[str, str]] = {"key": "field"}


class FieldSaved(_FieldEvent):
    kind = "field.saved"
    inverse = "field.deleted"
    audience = "members"
    scope = "projects:read"


class FieldDeleted(_FieldEvent):
    kind = "field.deleted"
    inverse = "field.restored"
    audience = "members"
    scope = "projects:read"


class FieldRestored(_FieldEvent):
    kind = "field.restored"
    inverse = "field.deleted"
    audience = "members"
    scope = "projects:read"


class FieldPurged(DomainEvent):
    kind = "field.purged"
    audience = "admin"


class FieldOptionMerged(_FieldEvent):
    kind = "field.option_merged"
    audience = "members"
    scope = "projects:read"


class LayoutSaved(DomainEvent):
    kind = "layout.saved"
    scope = "projects:read"
