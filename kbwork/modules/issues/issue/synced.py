"""Issues as clients keep them: by columns, without their texts, by project.

The scope of a client has the issues that the caller sees in some projects, but those that are archived and those that
were done too long ago.
"""

from collections.abc import Iterable
from typing import Any

from pydantic_core import from_json

from kbwork.base.dataclasses import dataclass
from kbwork.core.access import visibility
from kbwork.core.jobs.kinds import Schedule
from kbwork.db.tx import Read, Write, json_array
from kbwork.issuefields import SIMPLE
from kbwork.modules import fields
from kbwork.modules.projects import ISSUE_SEEN

_SLICE = 5000
_TEXTS = {
    "id": "i.id",
    "key": "p.key || '-' || i.number",
    "project": "p.key",
    "type": "t.key",
    "title": "i.title",
    "lane": "l.key",
    "priority": "i.priority",
    "assignees": "(select json_group_array(a.who order by a.position, a.who) from issue_assignee a"
    " where a.issue = i.id)",
    "reporter": "i.reporter",
    "labels": "(select json_group_array(u.label order by u.label) from issue_label u where u.issue = i.id)",
    "components": "(select json_group_array(c.component order by c.component) from issue_component c"
    " where c.issue = i.id)",
    "parent": "i.parent",
    "sprint": "i.sprint",
    "milestone": "i.milestone",
    **{field.input: f"i.{field.column}" for field in SIMPLE},
    "rank": "i.rank",
    "level": "i.level",
    "blocked": "i.blockers > 0",
    "comments": "i.comments + iif(:kb_guest, 0, i.internal_comments)",
    "attachments": "i.attachments",
    "checks": "i.checks",
    "checks_done": "i.checks_done",
    "values": "null",
    "created_at": "i.created_at",
    "updated_at": "i.updated_at",
    "done_at": "i.done_at",
    "seq": "i.seq",
}
"""What each column is over `issue i`; `values` are put in by who knows own fields, and parents that are not seen taken
out."""
COLUMNS = tuple(_TEXTS)
"""`labels` and `components` by their ids, `parent` by that of an issue; `comments` to `checks_done` count."""
_LISTS = tuple(map(COLUMNS.index, ("assignees", "labels", "components")))
_PARENT, _VALUES = COLUMNS.index("parent"), COLUMNS.index("values")
_BLOCKED = COLUMNS.index("blocked")
_SELECT = (
    f"select {', '.join(_TEXTS.values())} from issue i join project p on p.id = i.project"
    " join issue_type t on t.id = i.type join lane l on l.id = i.lane"
)
_KEPT = (
    f"{ISSUE_SEEN} and i.archived_at is null and p.archived_at is null"
    " and (i.category <> 'done' or i.done_at >= :since)"
)


@dataclass(frozen=True, kw_only=True)
class IssueScope:
    """Which issues a client keeps."""

    projects: tuple[int, ...]
    """By internal number, in the order in which they are sent."""
    closed_since: int
    """Those that were done before it, in Unix seconds, are not kept."""


@dataclass(frozen=True, kw_only=True)
class IssuePiece:
    """Some of the issues that are kept of one project, in the order of their numbers."""

    project: int
    done: bool
    after: int
    """Those behind the issue with this number."""
    most: int


def some(tx: Read, scope: IssueScope, piece: IssuePiece) -> list[list[Any]]:
    """The rows of a piece."""
    state = "=" if piece.done else "<>"
    return _rows(
        tx,
        f"{_SELECT} where i.project = :project and i.id > :after and i.category {state} 'done' and {_KEPT}"
        " order by i.id limit :most",
        scope,
        project=piece.project,
        after=piece.after,
        most=piece.most,
    )


def present(tx: Read, scope: IssueScope, issues: Iterable[int]) -> list[list[Any]]:
    """Those of these issues that are kept, as they are now."""
    return _rows(
        tx,
        f"{_SELECT} where i.id in (select value from json_each(:ids))"
        f" and i.project in (select value from json_each(:within)) and {_KEPT} order by i.id",
        scope,
        ids=json_array(issues),
        within=json_array(scope.projects),
    )


def seen(tx: Read, issues: Iterable[int]) -> set[int]:
    """Those of these that the caller sees, be they kept or not."""
    return set(
        tx.column(
            f"select i.id from issue i where i.id in (select value from json_each(:ids)) and {ISSUE_SEEN}",
            ids=json_array(issues),
            **visibility.binds(tx),
        )
    )


def lost(tx: Read, since: int, until: int) -> set[int]:
    """The issues that the caller saw at some time behind one event, up to another, and sees no more.

    Who saw an issue is asked of what it was then: nobody is told that something is gone of which they never knew.
    """
    held = f"""
select distinct i.id from (
  select issue as id, project, level, reporter, who, null as deleted_at from issue_lost
    where seq > :since and seq <= :until
) i where i.who = :kb_me or i.who is null and {ISSUE_SEEN}
"""
    had = set(tx.column(held, since=since, until=until, **visibility.binds(tx)))
    return had - seen(tx, had) if had else had


def below_lost(tx: Read, since: int, until: int) -> set[int]:
    """The children of issues that some see or no more see since then: they name their parent to whom it is seen."""
    return set(
        tx.column(
            "select i.id from issue i where i.parent in"
            " (select issue from issue_lost where seq > :since and seq <= :until)",
            since=since,
            until=until,
        )
    )


def _rows(tx: Read, sql: str, scope: IssueScope, **binds: Any) -> list[list[Any]]:
    found = [list(row) for row in tx.tuples(sql, since=scope.closed_since, **binds, **visibility.binds(tx))]
    values = fields.values_of(tx, [row[0] for row in found])
    parents = seen(tx, {row[_PARENT] for row in found} - {None})
    for row in found:
        for at in _LISTS:
            row[at] = from_json(row[at]) if row[at] != "[]" else []
        if row[_PARENT] not in parents:
            row[_PARENT] = None
        row[_VALUES] = values[row[0]]
        row[_BLOCKED] = bool(row[_BLOCKED])
    return found


def _due(tx: Read) -> bool:
    return bool(tx.value(f"select exists ({_OLD})"))


def _trim(tx: Write) -> None:
    tx.execute(f"delete from issue_lost where id in ({_OLD} limit :most)", most=_SLICE)


_OLD = "select id from issue_lost where seq < (select coalesce(min(seq), 0) from events)"
TRIM = Schedule(name="issues.lost_trim", home=__name__, every_s=600, run=_trim, due=_due)
