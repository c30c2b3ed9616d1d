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
    """Id of the option."""
    name: str
    """What people choose."""
    color: str
    """Colour as `#rrggbb`."""
    archived: bool
    """Whether it is not chosen anew."""
    parent: int | None
    """Id of the option it stands under in a cascade; null: none."""


class Field(TypedDict):
    """A field that the org made. `projects` are those that the caller sees, none stands for all; so with `types`.

    `used` counts the issues with a value that the caller sees.
    """

    key: str
    """Key by which values and queries name it; it never changes."""
    name: str
    """What people read."""
    kind: Kind
    """What its values are."""
    on: Home
    """What has the field."""
    description: str
    """What to fill in; empty: nothing said."""
    options: list[FieldOption]
    """What may be chosen, in order; empty for kinds without a choice."""
    projects: list[str]
    """Keys of the projects it is for, as far as the caller sees them; empty: all."""
    types: list[str]
    """Keys of the issue types it is for; empty: all."""
    default: Any
    """What an issue holds where nothing is given, any JSON that fits the kind; null: nothing."""
    formula: str | None
    """What it computes; null: nothing."""
    min: float | None
    """Least number, or characters of a text; null: no limit."""
    max: float | None
    """Greatest number, or characters of a text; null: no limit."""
    pattern: str | None
    """Regular expression that is found in a text; null: any text."""
    personal: bool
    """Whether it says something of a person: left out of exports and events."""
    used: int
    """Issues with a value that the caller sees."""


class FieldLayout(TypedDict):
    """Which fields the issues of one type have in one project, by key, in order."""

    project: str
    """Key of the project."""
    type: str
    """Key of the issue type."""
    create: list[str]
    """Keys of fields that are asked for when an issue is made, in order."""
    edit: list[str]
    """Keys of fields that an issue shows, in order."""
    required: list[str]
    """Keys of fields that an issue must have."""
    rules: list[dict[str, Any]]
    """What shows, requires or sets fields, as `fields.layout_save` takes it."""


class _FieldEvent(DomainEvent):
    """Something that happened to an own field."""

    about: ClassVar[dict[str, str]] = {"key": "field"}


class FieldSaved(_FieldEvent):
    kind = "field.saved"
    part = "key"
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
    part = "type"
    scope = "projects:read"
