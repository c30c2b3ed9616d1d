"""Who may see an issue, and who may comment on it: its level of visibility and its lock."""

from kbwork.base.errors import NotAllowed
from kbwork.base.model import Input, Name, Text
from kbwork.core.operation import write
from kbwork.db.tx import Read, Row, Write
from kbwork.modules.issues import opening, parts, queries, telling
from kbwork.modules.issues.events import IssueLevelChanged, IssueLocked, IssueUnlocked, IssueUpdated
from kbwork.modules.issues.model import Issue
from kbwork.modules.projects import access as projects


class IssuesLevelSet(Input):
    key: Text
    level: Text
    """`public`, `project` (the default, as is an empty text), `team:<id>` or `private`."""


@write(
    "issues.level_set",
    scope="issues:write",
    emits=[IssueUpdated, IssueLevelChanged],
    example={"key": "WEB-1", "level": "private"},
)
def level_set(tx: Write, args: IssuesLevelSet) -> Issue:
    """Say who sees an issue: `public` every member of the org, `project` whoever sees the project.

    `team:<id>` leaves of those the team, `private` nobody but its reporter, assignees and the project's leads. Leads
    and admins set it. From the next call on it is gone for those who lose sight of it, with its comments and files.
    """
    row = opening.changeable(tx, args.key)
    _require_lead(tx, row, "set its level")
    level = parts.level_of(tx, args.level)
    if level == row["level"]:
        return queries.one(tx, row["id"])
    tx.update("issue", row["id"], level=level)
    sides = (row["level"] or "project", level or "project")
    telling.updated(tx, row, {"level": (row["level"], level)})
    payload = telling.common(tx, row) | {"from": sides[0], "to": sides[1]}
    changes = {"level": (row["level"], level)}
    tx.emit(IssueLevelChanged(subject=f"issue:{row['id']}", payload=payload, changes=changes))
    return queries.one(tx, row["id"])


class IssuesLock(Input):
    key: Text
    on: bool
    reason: Name | None = None


@write(
    "issues.lock",
    scope="projects:write",
    emits=[IssueUpdated, IssueLocked, IssueUnlocked],
    example={"key": "WEB-1", "on": True, "reason": "It went off the topic"},
)
def lock(tx: Write, args: IssuesLock) -> Issue:
    """Let only leads and admins comment on an issue, or everybody again who may. Leads and admins do it.

    What it says stays open to change. Locking a locked one again changes nothing but the reason.
    """
    row = opening.changeable(tx, args.key)
    _require_lead(tx, row, "lock it")
    reason = args.reason if args.on else None
    was = bool(row["locked"])
    tx.update("issue", row["id"], locked=int(args.on), lock_reason=reason)
    if was != args.on:
        telling.updated(tx, row, {"locked": (was, args.on)})
        kind = IssueLocked if args.on else IssueUnlocked
        payload = telling.common(tx, row) | {"reason": args.reason or row["lock_reason"]}
        tx.emit(kind(subject=f"issue:{row['id']}", payload=payload))
    return queries.one(tx, row["id"])


def _require_lead(tx: Read, row: Row, what: str) -> None:
    if not projects.at_least(tx, row["project"], "lead"):
        raise NotAllowed(f"You may change {queries.key_of(tx, row)}, but only leads of its project {what}.")
