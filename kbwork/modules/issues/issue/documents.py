"""Issues as JSON: made once for all who are shown the same, and kept until something about them is changed.

What an issue says of others, its parent and the number of its children, is asked each time: who sees these is another
question.
"""

import sys
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from pydantic_core import to_json

from kbwork.core.operations.documents import Eyes, Made, ThingDocuments, split
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Read, json_array
from kbwork.modules import fields
from kbwork.modules.issues import queries
from kbwork.modules.issues.model import Issue
from kbwork.modules.projects import access as projects

_ROLES: dict[projects.Role | None, int] = {None: 0, "viewer": 1, "reporter": 2, "member": 3, "lead": 4}
_OWN, _WATCHED, _GUEST, _STARRED = 8, 16, 32, 64
_NAME_BYTES = 32
"""Of a name beside others: the text is shared."""
_FEW_NAMES = 16

_PEOPLE = """
select issue, 'watches', who from issue_watcher where issue in (select value from json_each(:ids))
union all
select issue, 'starred', member from star where issue in (select value from json_each(:ids))
"""


class _Facts(NamedTuple):
    """What decides which of its documents somebody is shown, and what is asked beside it."""

    project: int
    reporter: str
    watchers: Collection[str]
    starred_by: Collection[str]
    parent: int | None
    above: bool
    """It has children."""


class IssueEyes(Eyes):
    """By what they may do, and whether it is theirs, or watched or starred by them."""

    __slots__ = ("_guest", "_me", "_roles")

    def __init__(self, tx: Read) -> None:
        self._me = tx.caller.member or ""
        self._guest = _GUEST if tx.caller.guest else 0
        self._roles = {project: _ROLES[role] for project, role in projects.roles(tx).items()}

    def shown(self, facts: _Facts) -> int:
        return (
            self._roles.get(facts.project, 0)
            | (_OWN if facts.reporter == self._me else 0)
            | (_WATCHED if self._me in facts.watchers else 0)
            | (_STARRED if self._me in facts.starred_by else 0)
            | self._guest
        )


def _made(tx: Read, _: IssueEyes, issues: list[int]) -> Iterator[Made]:
    rows = queries.rows(tx, issues)
    beside = queries.Beside(tx, rows)
    people: dict[tuple[int, str], list[str]] = {}
    for issue, what, who in tx.tuples(_PEOPLE, ids=json_array(issues)):
        people.setdefault((issue, what), []).append(sys.intern(who))
    for row in rows:
        facts = _Facts(
            row["project"],
            sys.intern(row["reporter"]),  # the same few in all issues, and each read makes a text of its own
            _some(people.get((row["id"], "watches"), ())),
            _some(people.get((row["id"], "starred"), ())),
            row["parent"],
            row["children"] > 0,
        )
        size = _NAME_BYTES * (len(facts.watchers) + len(facts.starred_by))
        yield Made(row["id"], facts, _pieces(beside.issue(row), row), size)


def _some(names: Collection[str]) -> Collection[str]:
    """Of a few the smallest form, of many the one that is looked up in quickly."""
    return tuple(names) if len(names) <= _FEW_NAMES else frozenset(names)


def _relatives(tx: Read, issues: dict[int, _Facts]) -> Mapping[int, tuple[bytes, ...]]:
    """The key of the parent, the number of children, and of those that are done."""
    found = queries.relatives(
        tx,
        [facts.parent for facts in issues.values() if facts.parent is not None],
        [issue for issue, facts in issues.items() if facts.above],
    )
    return {issue: found.of(issue, facts.parent) for issue, facts in issues.items()}


def _pieces(issue: Issue, row: IssueRow) -> tuple[bytes, ...]:
    """The whole, or with room for its parent, the number of its children and of those that are done."""
    if row["parent"] is None and not row["children"]:
        return (to_json(issue),)
    first, behind_parent = split(issue, "parent")
    middle, last = split(behind_parent, "counts")
    before, behind_children = split(issue["counts"], "children")
    between, after = split(behind_children, "children_done")
    assert not between, "the two counts stand side by side"
    return (
        b'%b,"parent":' % to_json(first)[:-1],
        b',%b,"counts":%b,"children":' % (to_json(middle)[1:-1], to_json(before)[:-1]),
        b',"children_done":',
        b",%b,%b" % (to_json(after)[1:], to_json(last)[1:]),
    )


DOCUMENTS = ThingDocuments(
    kind="issue",
    table="issue",
    followed=True,
    shared={
        "component": ("name", "name_key"),
        "field": (),
        "field_layout": (),
        "field_option": (),
        "issue_type": ("key",),
        "label": ("name",),
        "lane": ("key", "name"),
        "project": ("key",),
    },
    parts={
        "ai_proposal": ("issue",),
        "customer_request": ("issue",),
        "sprint_past": ("issue",),
        "star": ("issue",),
    },
    make=_made,
    keeps=fields.stand_alone,
    fill=_relatives,
)
