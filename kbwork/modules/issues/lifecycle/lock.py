"""Who may comment on an issue: its lock."""

from kbwork.base.model import Input, Name
from kbwork.core.operations.declare import write
from kbwork.core.references import IssueRef
from kbwork.db.tx import Write
from kbwork.modules.issues import event_payloads, preconditions, queries
from kbwork.modules.issues.events import IssueLocked, IssueUnlocked, IssueUpdated
from kbwork.modules.issues.model import Issue
from kbwork.modules.issues.preconditions import require_lead


class IssuesLock(Input):
    key: IssueRef
    on: bool
    """False unlocks it."""
    reason: Name | None = None
    """Why it is locked, for people to read."""


@write(
    "issues.lock",
    scope="projects:write",
    words=(
        "stop comments, nobody may comment, close the discussion, freeze a ticket, heated, unlock, "
        "comments off"
    ),
    emits=[IssueUpdated, IssueLocked, IssueUnlocked],
    example={"key": "WEB-1", "on": True, "reason": "It went off the topic"},
)
def lock(tx: Write, args: IssuesLock) -> Issue:
    """Let only leads and admins comment on an issue, or everybody again who may. Leads and admins do it.

    What it says stays open to change. Locking a locked one again changes nothing but the reason.
    """
    row = preconditions.changeable(tx, args.key)
    require_lead(tx, row, "lock it")
    reason = args.reason if args.on else None
    was = bool(row["locked"])
    tx.update("issue", row["id"], locked=int(args.on), lock_reason=reason)
    if was != args.on:
        event_payloads.updated(tx, row, {"locked": (was, args.on)})
        kind = IssueLocked if args.on else IssueUnlocked
        payload = event_payloads.common_payload(tx, row) | {"reason": args.reason or row["lock_reason"]}
        tx.emit(kind(subject=f"issue:{row['id']}", payload=payload))
    return queries.one(tx, row["id"])
