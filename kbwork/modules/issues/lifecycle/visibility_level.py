"""Setting the level of an issue; who sees an issue of which level says `projects/issue_access`."""

from kbwork.base.model import Input, Text
from kbwork.core.operations.declare import write
from kbwork.core.references import IssueRef
from kbwork.db.tx import Write
from kbwork.modules.issues import event_payloads, preconditions, queries
from kbwork.modules.issues.events import IssueLevelChanged, IssueUpdated
from kbwork.modules.issues.issue import resolve
from kbwork.modules.issues.model import Issue
from kbwork.modules.issues.preconditions import require_lead


class IssuesLevelSet(Input):
    key: IssueRef
    level: Text
    """`public`, `project` (the default, as is an empty text), `team:<id>` or `private`."""


@write(
    "issues.level_set",
    scope="issues:write",
    words=(
        "hide a ticket, confidential, private ticket, restrict who sees, security issue, "
        "make it public, visible to the team alone, secret"
    ),
    emits=[IssueUpdated, IssueLevelChanged],
    example={"key": "WEB-1", "level": "private"},
)
def level_set(tx: Write, args: IssuesLevelSet) -> Issue:
    """Say who sees an issue: `public` every member of the org, `project` whoever sees the project.

    `team:<id>` leaves of those the team, `private` nobody but its reporter, assignees and the project's leads. Leads
    and admins set it. From the next call on it is gone for those who lose sight of it, with its comments and files.
    """
    row = preconditions.changeable(tx, args.key)
    require_lead(tx, row, "set its level")
    level = resolve.level_of(tx, args.level)
    if level == row["level"]:
        return queries.one(tx, row["id"])
    tx.update("issue", row["id"], level=level)
    sides = (row["level"] or "project", level or "project")
    event_payloads.updated(tx, row, {"level": (row["level"], level)})
    payload = event_payloads.common_payload(tx, row) | {"from": sides[0], "to": sides[1]}
    changes = {"level": (row["level"], level)}
    tx.emit(IssueLevelChanged(subject=f"issue:{row['id']}", payload=payload, changes=changes))
    return queries.one(tx, row["id"])
