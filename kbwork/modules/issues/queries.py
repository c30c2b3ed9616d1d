"""Issues as rows, and as the caller sees them: one query for each kind of part, however many issues."""

from typing import Any, NamedTuple, cast

from pydantic_core import from_json, to_json

from kbwork.base.dataclasses import dataclass
from kbwork.core.access import visibility
from kbwork.db.rows import IssueRow, MemberRow
from kbwork.db.tx import Read, Write, json_array
from kbwork.issuefields import SIMPLE
from kbwork.modules import fields, members
from kbwork.modules.issues import access
from kbwork.modules.issues.model import Can, Issue, IssueCounts, IssueRequest
from kbwork.modules.projects import ISSUE_SEEN
from kbwork.modules.projects import access as projects
from kbwork.modules.workflows import lanes

_CHILDREN = f"""
select i.parent, count(*) as children, sum(i.category = 'done') as done from issue i
  where i.parent in (select value from json_each(:ids)) and {ISSUE_SEEN} group by i.parent
"""
_PARENTS = (
    f"select i.id, p.key || '-' || i.number as key from issue i join project p on p.id = i.project"
    f" where i.id in (select value from json_each(:parents)) and {ISSUE_SEEN}"
)
_PARTS = """
select r.value as issue,
  (select json_group_array(a.who order by a.position, a.who) from issue_assignee a where a.issue = r.value)
    as assignees,
  (select json_group_array(l.name order by lower(l.name), l.id) from issue_label u join label l on l.id = u.label
    where u.issue = r.value) as labels,
  (select json_group_array(c.name order by c.name_key, c.id) from issue_component u
    join component c on c.id = u.component where u.issue = r.value) as components,
  (select json_group_array(f.sprint order by f.sprint) from sprint_past f where f.issue = r.value) as past_sprints,
  (select count(*) from issue_watcher w where w.issue = r.value) as watchers,
  exists (select 1 from issue_watcher w where w.issue = r.value and w.who = :me) as watching,
  exists (select 1 from star s where s.issue = r.value and s.member = :me) as starred,
  (select json_array(q.type, q.customer, q.channel) from customer_request q where q.issue = r.value) as request
from"""
_PARTS_OF_MANY, _PARTS_OF_ONE = f"{_PARTS} json_each(:ids) r", f"{_PARTS} (select :ids as value) r"
"""A single one, such as one that was just made, is no array that is taken apart."""

_MEMBERS: dict[str, Any] = {name: ... for name in Issue.__annotations__ if name in Issue.__required_keys__}
"""In the order of the shape. One that is not filled in cannot be written as JSON."""
_SIMPLE = tuple((field.input, field.column) for field in SIMPLE)


def key_of(tx: Read, row: IssueRow) -> str:
    """`WEB-12`."""
    project = tx.cached(
        ("project-key", row["project"]),
        lambda: tx.value("select key from project where id = :id", id=row["project"]),
    )
    return f"{project}-{row['number']}"


def shown(tx: Read, rows: list[IssueRow]) -> list[Issue]:
    """Stored issues, which the caller sees, in their shape."""
    if not rows:
        return []
    beside = Beside(tx, rows)
    return [beside.issue(row) for row in rows]


def one(tx: Read, issue: int) -> Issue:
    """An issue by its internal number, which must exist."""
    return shown(tx, [stored(tx, issue)])[0]


def stored(tx: Read, issue: int) -> IssueRow:
    """The row of an issue, which must exist."""
    row = tx.stored("issue", [issue])
    assert row is not None
    return row


def rows(tx: Read, issues: list[int]) -> list[IssueRow]:
    """The rows of some issues, which must exist, in this order."""
    found = {
        row["id"]: row
        for row in tx.all(
            "select * from issue where id in (select value from json_each(:ids))",
            IssueRow,
            ids=json_array(issues),
        )
    }
    return [found[issue] for issue in issues]


def by_ids(tx: Read, issues: list[int]) -> list[Issue]:
    """Some issues, which must exist and which the caller sees, in this order and in their shape."""
    return shown(tx, rows(tx, issues))


def assignees(tx: Read, issue: int) -> list[str]:
    """Who has it, the lead first."""
    return tx.column("select who from issue_assignee where issue = :id order by position", id=issue)


def labels(tx: Read, issue: int) -> list[str]:
    """The names of its labels, by name."""
    return tx.column(
        "select l.name from issue_label u join label l on l.id = u.label where u.issue = :id order by lower(l.name)",
        id=issue,
    )


def live_components(tx: Read, issue: int) -> list[str]:
    """The names of its components that are not archived."""
    return tx.column(
        "select c.name from issue_component u join component c on c.id = u.component"
        " where u.issue = :id and not c.archived order by c.name_key",
        id=issue,
    )


def child_rows(tx: Read, issue: int) -> list[IssueRow]:
    """The children that the caller sees, by rank, as rows."""
    return tx.all(
        f"select i.* from issue i where i.parent = :id and {ISSUE_SEEN} order by i.rank, i.id",
        IssueRow,
        id=issue,
        **visibility.binds(tx),
    )


def children(tx: Read, issue: int) -> list[Issue]:
    """The children that the caller sees, by rank."""
    return shown(tx, child_rows(tx, issue))


def watchers(tx: Read, issue: int) -> list[members.Member]:
    """Who watches it, by name."""
    rows = tx.all(
        "select m.* from issue_watcher w join member m on m.id = w.who where w.issue = :id"
        " order by lower(m.name), m.id",
        MemberRow,
        id=issue,
    )
    return members.shown(tx, [row for row in rows if members.seen(tx, row["id"])])


@dataclass(frozen=True, slots=True)
class Relatives:
    """Of the parents and children of some issues, what the caller sees."""

    parents: dict[int | None, str]
    """Their keys."""
    children: dict[int, tuple[int, int]]
    """How many each issue has, and how many of these are done."""

    def of(self, issue: int, parent: int | None) -> tuple[bytes, bytes, bytes]:
        """The key of its parent, and how many children it has and how many of these are done, as JSON."""
        children, done = self.children.get(issue, (0, 0))
        return to_json(self.parents.get(parent)), b"%d" % children, b"%d" % done


def relatives(tx: Read, parents: list[int], above: list[int]) -> Relatives:
    """Of these parents, and of the children of those `above`."""
    keys: dict[int | None, str] = {}
    counts: dict[int, tuple[int, int]] = {}
    if parents:
        rows = tx.all(_PARENTS, parents=json_array(parents), **visibility.binds(tx))
        keys = {row["id"]: row["key"] for row in rows}
    if above:
        rows = tx.all(_CHILDREN, ids=json_array(above), **visibility.binds(tx))
        counts = {row["parent"]: (row["children"], row["done"]) for row in rows}
    return Relatives(keys, counts)


class IssueParts(NamedTuple):
    """What hangs on one issue."""

    assignees: list[str]
    labels: list[str]
    components: list[str]
    past_sprints: list[int]
    watchers: int
    watching: bool
    """The caller does."""
    starred: bool
    """The caller did."""
    request: IssueRequest | None
    """The customer's request that it is."""


class NewIssue(NamedTuple):
    """An issue that was just made, and what was hung on it."""

    issue: int
    parts: IssueParts
    values: fields.Resolved
    """Of own fields."""
    touches: int
    """When that was all, as `Write.touches` says it."""


def new(tx: Write, made: NewIssue) -> Issue:
    """An issue that was just made: what hangs on it is asked for only where something was changed since."""
    row = stored(tx, made.issue)
    if tx.touches("issue", made.issue) != made.touches:
        return Beside(tx, [row]).issue(row)
    values = fields.values_of_new(tx, made.issue, made.values)
    return Beside(tx, [row], {made.issue: (made.parts, values)}).issue(row)


class Beside:
    """What stands in other tables about some issues, fetched once for all of them but for what is `known` of each: what
    hangs on it, and values of own fields."""

    def __init__(
        self,
        tx: Read,
        rows: list[IssueRow],
        known: dict[int, tuple[IssueParts, dict[str, Any]]] | None = None,
    ) -> None:
        self._tx = tx
        self._roles = projects.roles(tx)
        self._lanes = lanes.by_id(tx)
        self._types: dict[int, str] = tx.cached(
            "type-keys", lambda: {row["id"]: row["key"] for row in tx.all("select id, key from issue_type")}
        )
        ids = [row["id"] for row in rows]
        if known is None:
            self._parts, self._values = _parts(tx, ids), fields.values_of(tx, ids)
        else:
            self._parts = {issue: parts for issue, (parts, _) in known.items()}
            self._values = {issue: values for issue, (_, values) in known.items()}
        self._relatives = relatives(
            tx,
            [row["parent"] for row in rows if row["parent"] is not None],
            [row["id"] for row in rows if row["children"]],
        )

    def issue(self, row: IssueRow) -> Issue:
        tx = self._tx
        key = key_of(tx, row)
        lane = self._lanes[row["lane"]]
        role = self._roles.get(row["project"])
        edit = row["archived_at"] is None and access.edits(tx, row, role)
        parts = self._parts[row["id"]]
        found = {
            **_MEMBERS,
            "id": row["id"],
            "key": key,
            "project": key.rpartition("-")[0],
            "type": self._types[row["type"]],
            "title": row["title"],
            "body": row["body"],
            "body_doc": row["body_doc"],
            "status": lane["name"],
            "lane": lane["key"],
            "category": row["category"],
            "outcome": row["outcome"],
            "priority": row["priority"],
            "assignees": parts.assignees,
            "reporter": row["reporter"],
            "labels": parts.labels,
            "components": parts.components,
            "parent": self._relatives.parents.get(row["parent"]),
            "level_no": row["level_no"],
            "sprint": row["sprint"],
            "past_sprints": parts.past_sprints,
            "milestone": row["milestone"],
            "releases": [],
            "affects": [],
            "spent_seconds": 0,
            "left_seconds": None,
            "rank": row["rank"],
            "values": self._values[row["id"]],
            "level": row["level"],
            "locked": bool(row["locked"]),
            "blocked": row["blockers"] > 0,
            "counts": self._counts(row, parts.watchers),
            "request": parts.request,
            "source": row["source"],
            "external": row["external"],
            "watching": parts.watching,
            "starred": parts.starred,
            "can": Can(
                edit=edit,
                comment=access.comments(row, role),
                move=edit and access.moves(role),
                delete=access.deletes(tx, row, role),
            ),
            "created_at": row["created_at"],
            "created_by": row["created_by"],
            "updated_at": row["updated_at"],
            "status_at": row["status_at"],
            "started_at": row["started_at"],
            "done_at": row["done_at"],
            "archived_at": row["archived_at"],
            "seq": row["seq"],
            "path": f"/issues/{key}",
            **{name: row[column] for name, column in _SIMPLE},
        }
        return cast(Issue, found)

    def _counts(self, row: IssueRow, watchers: int) -> IssueCounts:
        children, done = self._relatives.children.get(row["id"], (0, 0))
        return IssueCounts(
            comments=row["comments"] + (0 if self._tx.caller.guest else row["internal_comments"]),
            attachments=row["attachments"],
            children=children,
            children_done=done,
            votes=row["votes"],
            watchers=watchers,
            checks=row["checks"],
            checks_done=row["checks_done"],
            links=row["links"],
        )


def _parts(tx: Read, issues: list[int]) -> dict[int, IssueParts]:
    me = tx.caller.member or ""
    if len(issues) == 1:
        found = tx.tuples(_PARTS_OF_ONE, ids=issues[0], me=me)
    else:
        found = tx.tuples(_PARTS_OF_MANY, ids=json_array(issues), me=me)
    return {
        issue: IssueParts(
            _list(assignees),
            _list(labels),
            _list(components),
            _list(sprints),
            watchers,
            bool(watching),
            bool(starred),
            _request(request),
        )
        for issue, assignees, labels, components, sprints, watchers, watching, starred, request in found
    }


def _request(text: str | None) -> IssueRequest | None:
    if text is None:
        return None
    kind, customer, channel = from_json(text)
    return IssueRequest(type=kind, customer=customer, channel=channel, company=None)


def _list(text: str) -> list[Any]:
    found: list[Any] = from_json(text) if text != "[]" else []
    return found
