"""What an issue names, and what it may name: who can be assigned, labels, a parent, a lane on the way, a level."""

from collections.abc import Mapping
from typing import Any

from kbwork.base.errors import Conflict, InvalidInput
from kbwork.base.model import Input
from kbwork.base.text import did_you_mean, folded, whole_number
from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.db.rows import IssueRow, LabelRow
from kbwork.db.tx import Read, Row
from kbwork.issuefields import SIMPLE
from kbwork.modules import labels, members, types
from kbwork.modules.issues import access, queries
from kbwork.modules.projects import access as projects
from kbwork.modules.workflows import lanes

MOST_ASSIGNEES = 20
MOST_CHILDREN = 10_000
MOST_LEVELS = 12


def label_rows(tx: Read, project: int, names: list[str]) -> list[LabelRow]:
    """Labels by name or id, once each. Raises InvalidInput naming the nearest, or two of one group."""
    known = labels.usable(tx, project)
    found: dict[int, LabelRow] = {}
    for name in names:
        row = _label(known, name)
        for other in found.values():
            if row["family"] is not None and other["family"] == row["family"] and other["id"] != row["id"]:
                raise InvalidInput(
                    f"{other['name']} and {row['name']} are of the group {row['family']!r} and exclude each other.",
                    field="labels",
                )
        found[row["id"]] = row
    return list(found.values())


def _label(known: list[LabelRow], name: str) -> LabelRow:
    wanted = folded(name.strip())
    for row in known:
        if wanted in (row["name_key"], str(row["id"])):
            return row
    names = [row["name"] for row in known]
    hint = did_you_mean(name, names, repr) or " Make it with labels.save."
    raise InvalidInput(f"There is no label {name!r} here.{hint}", field="labels", allowed=sorted(names)[:100])


def assignee_ids(tx: Read, names: list[str], *, bare: bool = False) -> list[str]:
    """Members and agents, in order and once each. `bare` names, of an import, stay as they are when nobody fits."""
    found = dict.fromkeys(assignee_id(tx, name, bare=bare) for name in names)
    if len(found) > MOST_ASSIGNEES:
        raise InvalidInput(f"An issue has at most {MOST_ASSIGNEES} assignees.", field="assignees")
    return list(found)


def assignee_id(tx: Read, ref: str, *, bare: bool = False, field: str = "assignees") -> str:
    """A member or an agent, as `assignee_ids`."""
    if ref.startswith("agent:"):
        name = ref.removeprefix("agent:")
        if tx.one("select 1 from agent where name = :name", name=name) is None:
            raise InvalidInput(f"There is no agent {name!r}.", field=field)
        return ref
    if bare:
        return person_or_name(tx, ref, field=field)
    row = members.by_ref(tx, ref, field=field)
    if row["state"] != "active":
        raise InvalidInput(f"{row['name']} is no active member.", field=field)
    return str(row["id"])


def assigned(tx: Read, ref: str, present: list[str]) -> str:
    """The one of the present assignees that a reference means, whoever they are now.

    Raises InvalidInput where it means nobody that is known.
    """
    if ref in present:
        return ref
    return ref if ref.startswith("agent:") else str(members.by_ref(tx, ref, field="assignees")["id"])


def require_days_fit(columns: Row) -> None:
    """Raises InvalidInput where it would be due before it starts."""
    start, due = columns["start_date"], columns["due_date"]
    if start and due and start > due:
        raise InvalidInput("It cannot be due before it starts.", field="due_date")


def person_or_name(tx: Read, ref: str, *, field: str = "imported.author") -> str:
    """A member's id where somebody fits, else the bare name, which holds no right.

    Raises InvalidInput for a name that looks like an identity of another sort.
    """
    found = members.find(tx, ref)
    if found is not None:
        return str(found["id"])
    if ":" in ref or ref.startswith("m_") or ref in ("system", "anonymous", "me"):
        raise InvalidInput(f"{ref!r} looks like an identity and is none that is known.", field=field)
    return ref


def require_assignees_see(tx: Read, project: int, assignees: list[str]) -> None:
    """Raises InvalidInput naming the first who would not see an issue of this project that they are assigned: whatever
    its level, all do who have a role there."""
    for who in assignees:
        if who.startswith("m_") and not _has_role(tx, who, project):
            raise _unseen(tx, who, "assignees")


def require_sees(tx: Read, issue: IssueRow, who: str, *, field: str) -> None:
    """Raises InvalidInput for a member who does not see the issue, or has no role in its project."""
    if not who.startswith("m_"):
        return
    if not (access.is_seen_by(tx, who, issue["id"]) and _has_role(tx, who, issue["project"])):
        raise _unseen(tx, who, field)


def _has_role(tx: Read, who: str, project: int) -> bool:
    return project in projects.roles(visibility.as_member(tx, who))


def _unseen(tx: Read, who: str, field: str) -> InvalidInput:
    name = tx.value("select name from member where id = :who", who=who)
    return InvalidInput(f"{name} does not see this issue's project: add them to it first.", field=field)


def parent_row(tx: Read, ref: str, level: int, *, child: int | None = None) -> IssueRow:
    """The issue that is to be the parent of one with this level. Raises InvalidInput or Conflict where it cannot."""
    row = named.seen(access.find(tx, ref), "issue", ref, field="parent")
    if row["archived_at"] is not None:
        raise Conflict(f"{ref} is archived: bring it back before giving it children.")
    if row["level_no"] <= level:
        raise InvalidInput(
            "A parent stands on a higher level than its child: see types.list.", field="parent"
        )
    above = up_from(tx, row["id"])
    if child is not None and child in above:
        raise InvalidInput("An issue cannot stand under itself.", field="parent")
    if len(above) >= MOST_LEVELS:
        raise InvalidInput(f"The hierarchy has at most {MOST_LEVELS} levels.", field="parent")
    count = tx.value(
        "select count(*) from (select 1 from issue where parent = :id limit :most)",
        id=row["id"],
        most=MOST_CHILDREN,
    )
    if count >= MOST_CHILDREN:
        raise InvalidInput(f"An issue has at most {MOST_CHILDREN} children.", field="parent")
    return row


def up_from(tx: Read, issue: int) -> list[int]:
    """An issue and those above it, the nearest first."""
    found: list[int] = tx.column(
        "with recursive up (id, depth) as (select :id, 1 union all"
        " select i.parent, up.depth + 1 from up join issue i on i.id = up.id"
        " where i.parent is not null and up.depth < 20)"
        " select id from up",
        id=issue,
    )
    return found


def level_of(tx: Read, name: str | None) -> str | None:
    """A level of visibility as stored: null for `project`. Raises InvalidInput for another word."""
    if name in (None, "", "project"):
        return None
    assert name is not None
    if name in ("public", "private"):
        return name
    number = whole_number(name.removeprefix("team:"))
    if name.startswith("team:") and number is not None:
        hidden = tx.caller.guest and visibility.find_named(tx, name) is None
        if not hidden and tx.one("select 1 from team where id = :id", id=number) is not None:
            return f"team:{number}"
        raise InvalidInput(f"There is no team {number}.", field="level")
    raise InvalidInput("A level is public, project, team:<id> or private.", field="level")


def require_known(args: Input) -> None:
    """What this org has none of cannot be named. Raises InvalidInput."""
    for field in ("releases", "affects"):
        if named := getattr(args, field):
            raise InvalidInput(
                f"The project has no {field.removesuffix('s')} {named[0]!r}.", field=field, allowed=[]
            )
    for field in ("milestone",):
        if getattr(args, field) is not None:
            raise InvalidInput(f"There is no {field} {getattr(args, field)}.", field=field)


def facts(tx: Read, columns: Mapping[str, Any], *, assignees: list[str], labels: list[str]) -> Row:
    """What conditions may ask of an issue that is to have these columns, beside its own fields."""
    lane = lanes.one(tx, columns["lane"])
    issue_type: Mapping[str, Any] = types.find(tx, columns["type"]) or {}
    parent = columns["parent"]
    return {field.name: columns[field.column] for field in SIMPLE if field.condition} | {
        "assignee": [word for who in assignees for word in _called(tx, who)],
        "label": labels,
        "level": columns["level"] or "project",
        "parent": queries.key_of(tx, queries.stored(tx, parent)) if parent else None,
        "priority": columns["priority"],
        "reporter": _called(tx, columns["reporter"]),
        "status": [lane["key"], lane["name"]],
        "title": columns["title"],
        "type": [issue_type.get("key"), issue_type.get("name")],
    }


def _called(tx: Read, who: str) -> list[str]:
    """An identity, and the handle of a member."""
    handle = members.handle_of(tx, who)
    return [who, f"@{handle}"] if handle else [who]
