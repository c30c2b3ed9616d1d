"""What a text can be about: each source with its fields, its flags and what leads from one of its things to others.

The modules say which sources there are. Those that the manual knows and no module brings yet stand here, so that a text
which names one is told what it comes with.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property

from kbwork.base.dataclasses import dataclass, replace
from kbwork.tql.fields import NAMED, FieldDef, FieldKind


@dataclass(frozen=True, kw_only=True)
class SourceDef:
    """One source, such as `issues`."""

    name: str
    fields: tuple[FieldDef, ...]
    flags: tuple[str, ...] = ()
    module: str = ""
    """Comes with this module; empty: always there."""
    asked: bool = True
    """Stands behind `from`; others are what a path or a collection leads to."""
    domain: str = ""
    """Where its things are named by a key: the domain of these names, such as `asset`."""
    relations: frozenset[str] = frozenset()
    """The relations that stand between two of its things."""
    collections: frozenset[str] = frozenset()
    """What its things have as parts."""

    @cached_property
    def table(self) -> Mapping[str, FieldDef]:
        """Name without case -> field. Aliases stand under their own names, flags as fields that are true or false."""
        table = {name: FieldDef(name, FieldKind.BOOL, tracked=False) for name in self.flags}
        for field in self.fields:
            table |= {name.lower(): field for name in (field.name, *field.aliases)}
        return table

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names that its fields are known by."""
        return tuple(
            dict.fromkeys(name for field in self.table.values() for name in (field.name, *field.aliases))
        )


class Sources(dict[str, SourceDef]):
    """All sources by name: issues first, then as they are called."""

    def __init__(self, declared: Iterable[SourceDef]) -> None:
        found = {source.name: source for source in (*AHEAD, *declared)}
        if "issues" in found:
            found["requests"] = replace(found["issues"], name="requests", module="desk")
        super().__init__(
            (name, found[name]) for name in sorted(found, key=lambda name: (name != "issues", name))
        )

    @cached_property
    def asked(self) -> tuple[str, ...]:
        """Those that stand behind `from`."""
        return tuple(name for name, source in self.items() if source.asked)

    @cached_property
    def keyed(self) -> Mapping[str, str]:
        """Domains whose names are keys of things -> the source of these."""
        return {source.domain: name for name, source in self.items() if source.domain and name != "requests"}

    @cached_property
    def field_names(self) -> frozenset[str]:
        """Names of fields that hold names: as values they stand in quotes."""
        return frozenset(
            name for source in self.values() for name, field in source.table.items() if field.kind in NAMED
        )


def plain(kind: FieldKind, names: str) -> tuple[FieldDef, ...]:
    """Fields of one kind."""
    return tuple(FieldDef(name, kind) for name in names.split())


def person(name: str, *aliases: str, many: bool = False, module: str = "", tracked: bool = False) -> FieldDef:
    """A field that holds people, whom a path goes on from."""
    return FieldDef(
        name, FieldKind.PERSON, many, "person", "members", (), aliases, tracked=tracked, module=module
    )


def choice(name: str, *choices: str) -> FieldDef:
    """A field with a closed list of values."""
    return FieldDef(name, FieldKind.NAME, domain=name, choices=choices)


_PROJECT = FieldDef("project", FieldKind.NAME, domain="project", to="projects")
_LABEL = FieldDef("label", FieldKind.NAME, many=True, domain="label", aliases=("labels",))
_ISSUE = FieldDef("issue", FieldKind.KEY, domain="issue", to="issues")
_STAMPS = plain(FieldKind.TIME, "created updated")
FIELDS_AHEAD = (
    FieldDef(
        "milestone", FieldKind.NAME, domain="milestone", to="milestones", tracked=True, module="milestones"
    ),
    FieldDef(
        "release",
        FieldKind.NAME,
        True,
        "release",
        "releases",
        aliases=("releases", "fixVersion"),
        tracked=True,
        module="releases",
    ),
    FieldDef("affects", FieldKind.NAME, True, "release", "releases", tracked=True, module="releases"),
    FieldDef("company", FieldKind.NAME, domain="company", to="companies", tracked=True, module="companies"),
)
"""Fields of issues that come with modules which are not there yet."""
AHEAD = (
    SourceDef(
        name="worklogs",
        module="worklogs",
        flags=("mine", "locked"),
        fields=(
            person("member"),
            *plain(FieldKind.DAY, "date"),
            *plain(FieldKind.NUMBER, "id"),
            *plain(FieldKind.DURATION, "seconds"),
            FieldDef("activity", FieldKind.NAME),
            *plain(FieldKind.BOOL, "billable"),
            FieldDef("note", FieldKind.TEXT, aliases=("text",)),
            _ISSUE,
        ),
    ),
    SourceDef(name="table", module="tables", fields=()),
    SourceDef(
        name="companies",
        asked=False,
        fields=(*plain(FieldKind.TEXT, "name"), *plain(FieldKind.NAME, "sla")),
    ),
    SourceDef(
        name="milestones",
        asked=False,
        fields=(
            *plain(FieldKind.TEXT, "name"),
            *plain(FieldKind.NAME, "state"),
            person("owner"),
            *plain(FieldKind.DAY, "start due"),
            *plain(FieldKind.TIME, "reached"),
        ),
    ),
    SourceDef(
        name="releases",
        asked=False,
        fields=(
            *plain(FieldKind.TEXT, "name branch"),
            *plain(FieldKind.NAME, "state"),
            _PROJECT,
            *plain(FieldKind.DAY, "start due"),
            *plain(FieldKind.TIME, "released"),
        ),
    ),
    SourceDef(
        name="git",
        asked=False,
        fields=(
            *plain(FieldKind.TEXT, "title text branch"),
            *plain(FieldKind.NAME, "kind state checks repository"),
            person("author"),
            *_STAMPS,
            *plain(FieldKind.NUMBER, "number"),
        ),
    ),
    SourceDef(
        name="sla",
        asked=False,
        fields=(
            *plain(FieldKind.NAME, "goal policy state"),
            *plain(FieldKind.DURATION, "left used target"),
            *plain(FieldKind.TIME, "due stopped"),
        ),
    ),
)
"""Sources that come with modules which are not there yet."""
