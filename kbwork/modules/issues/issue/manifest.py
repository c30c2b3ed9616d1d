"""Issues in the archive of a project: their own columns, old texts, former numbers, and what they were when."""

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from kbwork.core.ports import archive
from kbwork.core.ports.archive import HUNG, Day, Id, Long, Person, Short, Time, Word
from kbwork.issuefields import SIMPLE

_CHANGED = re.compile(r"[a-z_]{1,40}|values\..{1,60}")
_TEXTS = ("title", "priority", "type", "status", "parent", "outcome", "project", "start_date", "due_date")
_SETS = ("assignees", "labels", "components")


def _changed(changes: dict[str, Any]) -> dict[str, Any]:
    """Raises ValueError for what no field is called, and for a side that the field cannot hold."""
    for name, sides in changes.items():
        if not _CHANGED.fullmatch(name):
            raise ValueError(f"no field is called {name[:60]!r}")
        for side in ("from", "to"):
            if not _holds(name, sides.get(side)):
                raise ValueError(f"{name}.{side}: this is nothing that it holds")
    return changes


def _holds(name: str, value: Any) -> bool:
    if value is None or name.startswith("values."):
        return True
    if name in _TEXTS:
        return isinstance(value, str)
    if name in _SETS:
        return isinstance(value, list) and all(_is_name(one) for one in value)
    return _is_name(value) or isinstance(value, int | float)


def _is_name(value: Any) -> bool:
    """A text, or somebody as `{"$who": id}`."""
    return isinstance(value, str) or (isinstance(value, dict) and set(value) <= {"$who", "$team"})


_SIDE = archive.Scalar | bool | None | archive.few(Any) | dict[str, Any]
_SIDES = archive.exact("Sides", {"from": _SIDE, "to": _SIDE})
"""What a field held before and after."""
_SIZES = archive.exact(
    "KbzSizes", {"from_size": archive.Count, "to_size": archive.Count, "revision": archive.Count | None}
)
"""How long a text was before and after, and which revision keeps the one before."""

_SIMPLE = {"number": archive.Finite | None, "date": Day | None, "text": Long | None}
"""What a simple field is, by its kind."""

ISSUES = archive.ArchivedLine(
    file="issues.jsonl",
    place=50,
    thing="issue",
    each="select * from issue where id in (select value from json_each(:ids)) order by id",
    columns={
        "number": archive.Number,
        "title": Long,
        "body": Long,
        "body_doc": Long | None,
        "outcome": Literal["completed", "cancelled", "duplicate"] | None,
        "priority": Id,
        **{field.column: _SIMPLE[field.kind] for field in SIMPLE},
        "lock_reason": Long | None,
        "rank": Annotated[str, Field(pattern=r"^[0-9a-z]{1,60}$")],
        "source": Long | None,
        "external": Word | None,
        "created_at": Time,
        "updated_at": Time,
        "status_at": Time,
        "started_at": Time | None,
        "done_at": Time | None,
        "archived_at": Time | None,
        "project": archive.Home,
        "type": archive.named("issue_type", word=Id),
        "lane": archive.named("lane", word=Id),
        "reporter": Person,
        "created_by": Person,
        "assignees": HUNG,
        "labels": HUNG,
        "components": HUNG,
        "parent": archive.Place | None,
        "level": Word | None,
        "locked": bool,
        "values": archive.keyed(Any),
        "held": HUNG,
        "watchers": HUNG,
        "votes": HUNG,
        "revisions": HUNG,
        "checks": HUNG,
        "links": HUNG,
        "assets": HUNG,
    },
    optional=frozenset(field.column for field in SIMPLE),
)
REVISIONS = archive.ArchivedList(
    "issues.jsonl",
    "revisions",
    table="issue_revision",
    order="revision",
    most=archive.MANY,
    columns={
        "who": Person,
        "revision": archive.Count,
        "at": Time,
        "via": Short | None,
        "title": Long,
        "body": Long,
    },
)
FORMER_NUMBERS = archive.ArchivedList(
    "issues.jsonl",
    "former_numbers",
    table="former_number",
    order="number",
    where="project = :project",
    bare=True,
    most=archive.SEVERAL,
    columns={"number": archive.Number},
)


SPANS = archive.ArchivedList(
    "issues.jsonl",
    "spans",
    table="spell",
    by="subject",
    order="from_at, id",
    most=archive.MANY,
    late=True,
    checked=archive.held_by_field,
    columns={
        "field": Word,
        "value": Long | archive.few(Word),
        "from_at": Time,
        "to_at": Time | None,
        "by": Person,
    },
)
"""`field:<key>` is one of the org's own fields."""
HISTORY = archive.ArchivedList(
    "issues.jsonl",
    "history",
    table="events",
    by="subject",
    select="subject, at, actor as who, actor_kind as who_kind, via, payload -> '$.changes' as changes",
    where="kind = 'issue.updated' and payload -> '$.changes' is not null",
    order="seq",
    most=archive.MANY,
    late=True,
    columns={
        "at": Time,
        "who": Person,
        "who_kind": Literal["human", "key", "agent", "system", "automation"],
        "via": Short | None,
        "changes": archive.peopled(Annotated[archive.keyed(_SIDES | _SIZES), AfterValidator(_changed)]),
    },
)
"""Changes as issues.history tells them: field -> its sides."""
