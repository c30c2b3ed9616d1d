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
    tracked: bool = True
    """Its history is kept."""
    module: str = ""
    """Comes with this module; empty: always there."""


def _plain(kind: FieldKind, names: str, *, tracked: bool = True) -> tuple[FieldDef, ...]:
    return tuple(FieldDef(name, kind, tracked=tracked) for name in names.split())


def _people(
    names: str, *, many: bool = False, module: str = "", tracked: bool = True
) -> tuple[FieldDef, ...]:
    return tuple(
        FieldDef(name, FieldKind.PERSON, many, "person", "members", tracked=tracked, module=module)
        for name in names.split()
    )


def _choice(name: str, *choices: str) -> FieldDef:
    return FieldDef(name, FieldKind.NAME, domain=name, choices=choices)


_PROJECT = FieldDef("project", FieldKind.NAME, domain="project", to="projects")
_LABEL = FieldDef("label", FieldKind.NAME, many=True, domain="label", aliases=("labels",))
_ISSUE = FieldDef("issue", FieldKind.KEY, domain="issue", to="issues")
_STAMPS = _plain(FieldKind.TIME, "created updated", tracked=False)

_ISSUES = (
    FieldDef("text", FieldKind.TEXT, tracked=False),
    FieldDef("title", FieldKind.TEXT, aliases=("summary",)),
    FieldDef("body", FieldKind.TEXT, aliases=("description",), tracked=False),
    FieldDef("comment", FieldKind.TEXT, tracked=False, module="comments"),
    _PROJECT,
    FieldDef("type", FieldKind.NAME, domain="type"),
    FieldDef("status", FieldKind.NAME, domain="status", aliases=("state",)),
    _choice("category", *CATEGORIES),
    FieldDef(
        "outcome",
        FieldKind.NAME,
        domain="outcome",
        choices=("completed", "cancelled", "duplicate"),
        tracked=False,
    ),
    _choice("priority", *PRIORITIES),
    _LABEL,
    FieldDef(
        "component",
        FieldKind.NAME,
        many=True,
        domain="component",
        aliases=("components",),
        module="components",
    ),
    FieldDef("milestone", FieldKind.NAME, domain="milestone", to="milestones", module="milestones"),
    FieldDef(
        "release",
        FieldKind.NAME,
        True,
        "release",
        "releases",
        (),
        ("releases", "fixVersion"),
        module="releases",
    ),
    FieldDef("affects", FieldKind.NAME, many=True, domain="release", to="releases", module="releases"),
    FieldDef("sprint", FieldKind.NAME, domain="sprint", to="sprints", module="sprints"),
    FieldDef("level", FieldKind.NAME, domain="level"),
    FieldDef("source", FieldKind.NAME, tracked=False),
    FieldDef("channel", FieldKind.NAME, module="desk"),
    FieldDef("request_type", FieldKind.NAME, domain="request_type", module="desk"),
    FieldDef("company", FieldKind.NAME, domain="company", to="companies", module="desk"),
    FieldDef("assignee", FieldKind.PERSON, True, "person", "members", aliases=("assignees",)),
    *_people("reporter"),
    *_people("creator updater", tracked=False),
    *_people("watcher voter", many=True, tracked=False),
    *_people("customer", module="desk"),
    *_people("participant", many=True, module="desk"),
    *_plain(FieldKind.NUMBER, "estimate"),
    *_plain(FieldKind.NUMBER, "level_no", tracked=False),
    FieldDef("rank", FieldKind.TEXT, tracked=False),
    *_plain(
        FieldKind.NUMBER, "votes watchers comments children children_done progress number", tracked=False
    ),
    *_plain(FieldKind.DURATION, "spent left age cycle lead", tracked=False),
    *_STAMPS,
    *_plain(FieldKind.TIME, "started status_since archived_at viewed commented", tracked=False),
    FieldDef("closed", FieldKind.TIME, aliases=("resolved",), tracked=False),
    *_plain(FieldKind.DAY, "start due"),
    FieldDef("key", FieldKind.KEY, domain="issue", tracked=False),
    FieldDef("id", FieldKind.NUMBER, tracked=False),
    FieldDef("parent", FieldKind.KEY, domain="issue", to="issues"),
    FieldDef("root", FieldKind.KEY, domain="issue", to="issues", tracked=False),
    FieldDef("epic", FieldKind.KEY, domain="issue", to="issues", tracked=False),
    FieldDef("external", FieldKind.TEXT, tracked=False),
    FieldDef(
        "asset", FieldKind.KEY, True, "asset", "assets", (), ("assets",), tracked=False, module="assets"
    ),
    *(
        FieldDef(name, FieldKind.NUMBER, tracked=False, module="checklists")
        for name in ("checks", "checks_done")
    ),
)

_SOURCES: dict[str, tuple[FieldDef, ...]] = {
    "issues": _ISSUES,
    "requests": _ISSUES,
    "pages": (
        *_plain(FieldKind.TEXT, "text title", tracked=False),
        FieldDef("space", FieldKind.NAME, domain="space", to="spaces"),
        FieldDef("parent", FieldKind.SUBJECT, domain="page", to="pages"),
        *_people("author updater owner"),
        _LABEL,
        FieldDef("state", FieldKind.NAME),
        *_STAMPS,
        *_plain(FieldKind.TIME, "verified", tracked=False),
        *_plain(FieldKind.NUMBER, "id views version", tracked=False),
        FieldDef("property", FieldKind.NAME, many=True),
    ),
    "comments": (
        FieldDef("text", FieldKind.TEXT, tracked=False, aliases=("body",)),
        *_people("author"),
        *_plain(FieldKind.TIME, "created", tracked=False),
        *_plain(FieldKind.BOOL, "internal resolved", tracked=False),
        FieldDef("on", FieldKind.SUBJECT, tracked=False),
        FieldDef("id", FieldKind.NUMBER, tracked=False),
        _ISSUE,
    ),
    "assets": (
        *_plain(FieldKind.TEXT, "text name", tracked=False),
        FieldDef("key", FieldKind.KEY, domain="asset", tracked=False),
        FieldDef("type", FieldKind.NAME, domain="asset_type"),
        FieldDef(
            "status", FieldKind.NAME, domain="asset_status", choices=("active", "maintenance", "retired")
        ),
        *_people("owner"),
        *_STAMPS,
    ),
    "worklogs": (
        *_people("member"),
        *_plain(FieldKind.DAY, "date", tracked=False),
        *_plain(FieldKind.NUMBER, "id", tracked=False),
        *_plain(FieldKind.DURATION, "seconds", tracked=False),
        FieldDef("activity", FieldKind.NAME),
        *_plain(FieldKind.BOOL, "billable", tracked=False),
        FieldDef("note", FieldKind.TEXT, tracked=False, aliases=("text",)),
        _ISSUE,
    ),
    "attachments": (
        *_plain(FieldKind.TEXT, "name text", tracked=False),
        *_plain(FieldKind.NAME, "id kind", tracked=False),
        *_plain(FieldKind.NUMBER, "size", tracked=False),
        *_people("author"),
        *_plain(FieldKind.TIME, "created", tracked=False),
    ),
    "sprints": (
        *_plain(FieldKind.TEXT, "name goal", tracked=False),
        _choice("state", "planned", "active", "done"),
        _PROJECT,
        FieldDef("team", FieldKind.NAME, domain="team", to="teams"),
        *_plain(FieldKind.DAY, "start end", tracked=False),
        *_plain(FieldKind.TIME, "started completed", tracked=False),
        *_plain(FieldKind.NUMBER, "id", tracked=False),
    ),
    "projects": (
        FieldDef("key", FieldKind.NAME, domain="project", tracked=False),
        *_plain(FieldKind.TEXT, "name text", tracked=False),
        *_plain(FieldKind.NAME, "kind visibility health"),
        *_people("lead"),
        _LABEL,
        *_plain(FieldKind.DAY, "start due", tracked=False),
        *_plain(FieldKind.TIME, "archived_at created", tracked=False),
    ),
    "members": (
        *_plain(FieldKind.TEXT, "name handle email title text", tracked=False),
        _choice("role", "owner", "admin", "member", "guest"),
        FieldDef("team", FieldKind.NAME, many=True, domain="team", to="teams"),
        _choice("state", "active", "invited", "deactivated", "erased"),
        FieldDef("zone", FieldKind.NAME),
        *_plain(FieldKind.TIME, "created", tracked=False),
    ),
    "table": (),
    "teams": (
        *_plain(FieldKind.TEXT, "name handle"),
        FieldDef("parent", FieldKind.NAME, domain="team", to="teams"),
    ),
    "companies": (*_plain(FieldKind.TEXT, "name"), *_plain(FieldKind.NAME, "sla")),
    "spaces": (*_plain(FieldKind.TEXT, "name"), *_plain(FieldKind.NAME, "key")),
    "milestones": (
        *_plain(FieldKind.TEXT, "name"),
        *_plain(FieldKind.NAME, "state"),
        *_people("owner"),
        *_plain(FieldKind.DAY, "start due"),
        *_plain(FieldKind.TIME, "reached"),
    ),
    "releases": (
        *_plain(FieldKind.TEXT, "name branch"),
        *_plain(FieldKind.NAME, "state"),
        _PROJECT,
        *_plain(FieldKind.DAY, "start due"),
        *_plain(FieldKind.TIME, "released"),
    ),
    "checks": (
        *_plain(FieldKind.TEXT, "text", tracked=False),
        *_people("assignee"),
        *_plain(FieldKind.DAY, "due", tracked=False),
        *_plain(FieldKind.TIME, "done_at", tracked=False),
    ),
    "git": (
        *_plain(FieldKind.TEXT, "title text branch", tracked=False),
        *_plain(FieldKind.NAME, "kind state checks repository", tracked=False),
        *_people("author"),
        *_STAMPS,
        *_plain(FieldKind.NUMBER, "number", tracked=False),
    ),
    "approvals": (
        *_plain(FieldKind.NAME, "state", tracked=False),
        *_people("approver"),
        *_plain(FieldKind.TIME, "created decided", tracked=False),
    ),
    "sla": (
        *_plain(FieldKind.NAME, "goal policy state", tracked=False),
        *_plain(FieldKind.DURATION, "left used target", tracked=False),
        *_plain(FieldKind.TIME, "due stopped", tracked=False),
    ),
    "versions": (
        *_people("author"),
        *_plain(FieldKind.TIME, "created", tracked=False),
        *_plain(FieldKind.TEXT, "title", tracked=False),
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
    return FieldDef(name, FieldKind.BOOL, tracked=False)


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
