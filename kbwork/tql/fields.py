"""The catalogue: which fields each source has, of which kind, and where a path may go on.

It serves the check, completion, the compiler, and the names that own fields may not take.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from kbwork.tql.words import (
    AGGREGATES,
    ALL_FLAGS,
    COLLECTION_STARTS,
    FLAGS,
    FUNCTIONS,
    RELATION_STARTS,
    RESERVED,
)


class Kind(StrEnum):
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


ORDERED = frozenset({Kind.NUMBER, Kind.DURATION, Kind.TIME, Kind.DAY})
NAMED = frozenset({Kind.NAME, Kind.PERSON, Kind.KEY, Kind.SUBJECT})
CATEGORIES = ("todo", "in_progress", "done")
PRIORITIES = ("none", "low", "medium", "high", "urgent")
"""From the least weight to the most: the one name that has an order in comparisons."""


@dataclass(frozen=True, slots=True)
class FieldDef:
    """One field. `domain` says whose names its values are, `to` which source a path goes on in."""

    name: str
    kind: Kind
    many: bool = False
    domain: str = ""
    to: str = ""
    choices: tuple[str, ...] = ()
    """A closed list; without it and a domain a name is any word."""
    aliases: tuple[str, ...] = ()
    tracked: bool = True
    """Its history is kept."""
    module: str = ""
    """Comes with this module; empty: always there."""


def _plain(kind: Kind, names: str, *, tracked: bool = True) -> tuple[FieldDef, ...]:
    return tuple(FieldDef(name, kind, tracked=tracked) for name in names.split())


def _people(
    names: str, *, many: bool = False, module: str = "", tracked: bool = True
) -> tuple[FieldDef, ...]:
    return tuple(
        FieldDef(name, Kind.PERSON, many, "person", "members", tracked=tracked, module=module)
        for name in names.split()
    )


def _choice(name: str, *choices: str) -> FieldDef:
    return FieldDef(name, Kind.NAME, domain=name, choices=choices)


_PROJECT = FieldDef("project", Kind.NAME, domain="project", to="projects")
_LABEL = FieldDef("label", Kind.NAME, many=True, domain="label", aliases=("labels",))
_ISSUE = FieldDef("issue", Kind.KEY, domain="issue", to="issues")
_STAMPS = _plain(Kind.TIME, "created updated", tracked=False)

_ISSUES = (
    FieldDef("text", Kind.TEXT, tracked=False),
    FieldDef("title", Kind.TEXT, aliases=("summary",)),
    FieldDef("body", Kind.TEXT, aliases=("description",), tracked=False),
    FieldDef("comment", Kind.TEXT, tracked=False, module="comments"),
    _PROJECT,
    FieldDef("type", Kind.NAME, domain="type"),
    FieldDef("status", Kind.NAME, domain="status", aliases=("state",)),
    _choice("category", *CATEGORIES),
    FieldDef(
        "outcome",
        Kind.NAME,
        domain="outcome",
        choices=("completed", "cancelled", "duplicate"),
        tracked=False,
    ),
    _choice("priority", *PRIORITIES),
    _LABEL,
    FieldDef(
        "component", Kind.NAME, many=True, domain="component", aliases=("components",), module="components"
    ),
    FieldDef("milestone", Kind.NAME, domain="milestone", to="milestones", module="milestones"),
    FieldDef(
        "release", Kind.NAME, True, "release", "releases", (), ("releases", "fixVersion"), module="releases"
    ),
    FieldDef("affects", Kind.NAME, many=True, domain="release", to="releases", module="releases"),
    FieldDef("sprint", Kind.NAME, domain="sprint", to="sprints", module="sprints"),
    FieldDef("level", Kind.NAME, domain="level"),
    FieldDef("source", Kind.NAME, tracked=False),
    FieldDef("channel", Kind.NAME, module="desk"),
    FieldDef("request_type", Kind.NAME, domain="request_type", module="desk"),
    FieldDef("company", Kind.NAME, domain="company", to="companies", module="desk"),
    FieldDef("assignee", Kind.PERSON, True, "person", "members", aliases=("assignees",)),
    *_people("reporter"),
    *_people("creator updater", tracked=False),
    *_people("watcher voter", many=True, tracked=False),
    *_people("customer", module="desk"),
    *_people("participant", many=True, module="desk"),
    *_plain(Kind.NUMBER, "estimate"),
    *_plain(Kind.NUMBER, "level_no", tracked=False),
    FieldDef("rank", Kind.TEXT, tracked=False),
    *_plain(Kind.NUMBER, "votes watchers comments children children_done progress number", tracked=False),
    *_plain(Kind.DURATION, "spent left age cycle lead", tracked=False),
    *_STAMPS,
    *_plain(Kind.TIME, "started status_since archived_at viewed commented", tracked=False),
    FieldDef("closed", Kind.TIME, aliases=("resolved",), tracked=False),
    *_plain(Kind.DAY, "start due"),
    FieldDef("key", Kind.KEY, domain="issue", tracked=False),
    FieldDef("id", Kind.NUMBER, tracked=False),
    FieldDef("parent", Kind.KEY, domain="issue", to="issues"),
    FieldDef("root", Kind.KEY, domain="issue", to="issues", tracked=False),
    FieldDef("epic", Kind.KEY, domain="issue", to="issues", tracked=False),
    FieldDef("external", Kind.TEXT, tracked=False),
    FieldDef("asset", Kind.KEY, True, "asset", "assets", (), ("assets",), tracked=False, module="assets"),
    *(FieldDef(name, Kind.NUMBER, tracked=False, module="checklists") for name in ("checks", "checks_done")),
)

_SOURCES: dict[str, tuple[FieldDef, ...]] = {
    "issues": _ISSUES,
    "requests": _ISSUES,
    "pages": (
        *_plain(Kind.TEXT, "text title", tracked=False),
        FieldDef("space", Kind.NAME, domain="space", to="spaces"),
        FieldDef("parent", Kind.SUBJECT, domain="page", to="pages"),
        *_people("author updater owner"),
        _LABEL,
        FieldDef("state", Kind.NAME),
        *_STAMPS,
        *_plain(Kind.TIME, "verified", tracked=False),
        *_plain(Kind.NUMBER, "id views version", tracked=False),
        FieldDef("property", Kind.NAME, many=True),
    ),
    "comments": (
        FieldDef("text", Kind.TEXT, tracked=False, aliases=("body",)),
        *_people("author"),
        *_plain(Kind.TIME, "created", tracked=False),
        *_plain(Kind.BOOL, "internal resolved", tracked=False),
        FieldDef("on", Kind.SUBJECT, tracked=False),
        FieldDef("id", Kind.NUMBER, tracked=False),
        _ISSUE,
    ),
    "assets": (
        *_plain(Kind.TEXT, "text name", tracked=False),
        FieldDef("key", Kind.KEY, domain="asset", tracked=False),
        FieldDef("type", Kind.NAME, domain="asset_type"),
        FieldDef("status", Kind.NAME, domain="asset_status", choices=("active", "maintenance", "retired")),
        *_people("owner"),
        *_STAMPS,
    ),
    "worklogs": (
        *_people("member"),
        *_plain(Kind.DAY, "date", tracked=False),
        *_plain(Kind.NUMBER, "id", tracked=False),
        *_plain(Kind.DURATION, "seconds", tracked=False),
        FieldDef("activity", Kind.NAME),
        *_plain(Kind.BOOL, "billable", tracked=False),
        FieldDef("note", Kind.TEXT, tracked=False, aliases=("text",)),
        _ISSUE,
    ),
    "attachments": (
        *_plain(Kind.TEXT, "name text", tracked=False),
        *_plain(Kind.NAME, "id kind", tracked=False),
        *_plain(Kind.NUMBER, "size", tracked=False),
        *_people("author"),
        *_plain(Kind.TIME, "created", tracked=False),
    ),
    "sprints": (
        *_plain(Kind.TEXT, "name goal", tracked=False),
        _choice("state", "planned", "active", "done"),
        _PROJECT,
        FieldDef("team", Kind.NAME, domain="team", to="teams"),
        *_plain(Kind.DAY, "start end", tracked=False),
        *_plain(Kind.TIME, "started completed", tracked=False),
        *_plain(Kind.NUMBER, "id", tracked=False),
    ),
    "projects": (
        FieldDef("key", Kind.NAME, domain="project", tracked=False),
        *_plain(Kind.TEXT, "name text", tracked=False),
        *_plain(Kind.NAME, "kind visibility health"),
        *_people("lead"),
        _LABEL,
        *_plain(Kind.DAY, "start due", tracked=False),
        *_plain(Kind.TIME, "archived_at created", tracked=False),
    ),
    "members": (
        *_plain(Kind.TEXT, "name handle email title text", tracked=False),
        _choice("role", "owner", "admin", "member", "guest"),
        FieldDef("team", Kind.NAME, many=True, domain="team", to="teams"),
        _choice("state", "active", "invited", "deactivated", "erased"),
        FieldDef("zone", Kind.NAME),
        *_plain(Kind.TIME, "created", tracked=False),
    ),
    "table": (),
    "teams": (*_plain(Kind.TEXT, "name handle"), FieldDef("parent", Kind.NAME, domain="team", to="teams")),
    "companies": (*_plain(Kind.TEXT, "name"), *_plain(Kind.NAME, "sla")),
    "spaces": (*_plain(Kind.TEXT, "name"), *_plain(Kind.NAME, "key")),
    "milestones": (
        *_plain(Kind.TEXT, "name"),
        *_plain(Kind.NAME, "state"),
        *_people("owner"),
        *_plain(Kind.DAY, "start due"),
        *_plain(Kind.TIME, "reached"),
    ),
    "releases": (
        *_plain(Kind.TEXT, "name branch"),
        *_plain(Kind.NAME, "state"),
        _PROJECT,
        *_plain(Kind.DAY, "start due"),
        *_plain(Kind.TIME, "released"),
    ),
    "checks": (
        *_plain(Kind.TEXT, "text", tracked=False),
        *_people("assignee"),
        *_plain(Kind.DAY, "due", tracked=False),
        *_plain(Kind.TIME, "done_at", tracked=False),
    ),
    "git": (
        *_plain(Kind.TEXT, "title text branch", tracked=False),
        *_plain(Kind.NAME, "kind state checks repository", tracked=False),
        *_people("author"),
        *_STAMPS,
        *_plain(Kind.NUMBER, "number", tracked=False),
    ),
    "approvals": (
        *_plain(Kind.NAME, "state", tracked=False),
        *_people("approver"),
        *_plain(Kind.TIME, "created decided", tracked=False),
    ),
    "sla": (
        *_plain(Kind.NAME, "goal policy state", tracked=False),
        *_plain(Kind.DURATION, "left used target", tracked=False),
        *_plain(Kind.TIME, "due stopped", tracked=False),
    ),
    "versions": (
        *_people("author"),
        *_plain(Kind.TIME, "created", tracked=False),
        *_plain(Kind.TEXT, "title", tracked=False),
    ),
}


def _catalogue() -> dict[str, dict[str, FieldDef]]:
    """Of issues a history is kept, of nothing else."""
    tables: dict[str, dict[str, FieldDef]] = {}
    for source, fields in _SOURCES.items():
        table = {name.lower(): _flag(name) for name in FLAGS.get(source, ())}
        for field in fields if fields is _ISSUES else [replace(one, tracked=False) for one in fields]:
            table |= {name.lower(): field for name in (field.name, *field.aliases)}
        tables[source] = table
    return tables


def _flag(name: str) -> FieldDef:
    return FieldDef(name, Kind.BOOL, tracked=False)


CATALOGUE = _catalogue()
"""Source -> name without case -> field. Aliases stand under their own names, flags as fields that are true or false."""


def names_of(source: str) -> Iterable[str]:
    """The names that a source's fields are known by."""
    found = CATALOGUE[source].values()
    return dict.fromkeys(name for field in found for name in (field.name, *field.aliases))


OWN_MAY_NOT = frozenset(
    {
        *RESERVED,
        *AGGREGATES,
        *FUNCTIONS,
        *ALL_FLAGS,
        *RELATION_STARTS,
        *COLLECTION_STARTS,
        *CATALOGUE["issues"],
        "cf",
    }
)
"""Keys that an own field may not take: words of the language and fields of issues, without case."""
