"""Requests for approval as rows and in their shapes, and what becomes of them."""

import json
from collections.abc import Iterable
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.core import named
from kbwork.core.access import impersonate, visibility
from kbwork.db.rows import ApprovalRow, ApprovalVoteRow, IssueRow
from kbwork.db.tx import Read, Write, json_array
from kbwork.modules import issues
from kbwork.modules.approvals import asked
from kbwork.modules.approvals.model import (
    OPEN,
    ApprovalCancelled,
    ApprovalEvent,
    ApprovalRequest,
    ApprovalRequested,
    State,
    Vote,
)
from kbwork.modules.issues import engine, event_payloads
from kbwork.modules.projects import ISSUE_SEEN
from kbwork.modules.workflows import TransitionStep

MOST = 1000
"""So many are listed at most."""
_SHOWN = f"""
select a.*, i.title, p.key || '-' || i.number as issue_key,
  i.archived_at is not null or p.archived_at is not null as asleep
  from approval a join issue i on i.id = a.issue join project p on p.id = i.project
  where a.id in (select value from json_each(:ids)) and {ISSUE_SEEN}
"""
_OPEN_ISSUES = "select distinct issue from approval where state in ('pending', 'approved')"


def find(tx: Read, ident: int) -> tuple[ApprovalRow, IssueRow]:
    """A request and its issue, which the caller sees. Raises NotFound."""
    row = tx.stored("approval", [ident])
    issue = issues.find(tx, f"issue:{row['issue']}") if row is not None else None
    if row is None or issue is None:
        return named.seen(None, "request for approval", ident, "approvals.list")
    return row, issue


def shown(tx: Read, idents: Iterable[int]) -> list[ApprovalRequest]:
    """In the order of their ids as given, without those whose issue the caller does not see."""
    wanted = list(idents)
    ids = json_array(wanted)
    rows = {row["id"]: row for row in tx.all(_SHOWN, ids=ids, **visibility.binds(tx))}
    people: dict[int, list[str]] = {}
    for one in tx.all(
        "select approval, who from approval_approver where approval in (select value from json_each(:ids))"
        " order by approval, position",
        ids=ids,
    ):
        people.setdefault(one["approval"], []).append(one["who"])
    votes: dict[int, list[ApprovalVoteRow]] = {}
    for vote in tx.all(
        "select * from approval_vote where approval in (select value from json_each(:ids)) order by approval, at, who",
        ApprovalVoteRow,
        ids=ids,
    ):
        votes.setdefault(vote["approval"], []).append(vote)
    there = asked.present(tx, {vote["who"] for cast in votes.values() for vote in cast})
    return [
        ApprovalRequest(
            id=row["id"],
            key=row["issue_key"],
            title=row["title"],
            to_status=row["to_status"],
            transition=row["transition"],
            approvers=people.get(row["id"], []),
            needed=row["needed"],
            approvals=sum(vote["approve"] and vote["who"] in there for vote in votes.get(row["id"], [])),
            note=row["note"],
            requested_by=row["requested_by"],
            state=row["state"],
            created_at=row["created_at"],
            decided_at=row["decided_at"],
            votes=[
                Vote(who=vote["who"], approve=bool(vote["approve"]), note=vote["note"], at=vote["at"])
                for vote in votes.get(row["id"], [])
            ],
            can_decide=not row["asleep"] and _decides(tx, row, people.get(row["id"], [])),
        )
        for row in (rows[ident] for ident in wanted if ident in rows)
    ]


@dataclass(frozen=True, slots=True)
class Wish:
    """`watched`: digests of the fields that must stay as they are; `note`: what whoever asks says to it."""

    watched: str
    note: str


def make(tx: Write, row: IssueRow, step: TransitionStep, people: list[str], wish: Wish) -> int:
    """The caller asks these people to agree that an issue goes this way. Answers the id of the request."""
    transition, caller = step.transition, tx.caller
    customer = caller.customer
    asker = {"customer": customer} if customer is not None else impersonate.caller_args(caller)
    ident = tx.insert(
        "approval",
        issue=row["id"],
        transition=transition["key"],
        leaves=row["lane"],
        to_status=step.to["key"],
        needed=asked.needed(step),
        self_approval=int(transition["self_approval"]),
        watched=wish.watched,
        note=wish.note,
        state="pending",
        requested_by=caller.actor,
        via=caller.via,
        asker=json.dumps(asker),
        created_at=tx.now,
    )
    for position, who in enumerate(people):
        tx.insert("approval_approver", approval=ident, who=who, position=position, waits=1)
    made = tx.stored("approval", [ident])
    assert made is not None
    tell(tx, ApprovalRequested, made, row, **({"note": wish.note} if wish.note else {}))
    return ident


def one(tx: Read, ident: int) -> ApprovalRequest:
    """A request that the caller sees."""
    (found,) = shown(tx, [ident])
    return found


def _decides(tx: Read, row: Any, people: list[str]) -> bool:
    caller = tx.caller
    return (
        row["state"] == "pending"
        and caller.kind in ("human", "key")
        and caller.member in people
        and (caller.member != row["requested_by"] or bool(row["self_approval"]))
    )


def tell(tx: Write, kind: type[ApprovalEvent], request: ApprovalRow, issue: IssueRow, **more: Any) -> None:
    """What happened to a request, on its issue."""
    payload = event_payloads.common_payload(tx, issue) | {
        "request": request["id"],
        "to_status": request["to_status"],
        **more,
    }
    tx.emit(kind(subject=f"issue:{issue['id']}", payload=payload))
    event_payloads.touch(tx, issue["id"])


def close(
    tx: Write, request: ApprovalRow, issue: IssueRow, state: State, kind: type[ApprovalEvent], **more: Any
) -> None:
    """A request comes to this state for good, whatever is undone of what it came with; that is told."""
    tx.execute(
        "update approval set state = :state, decided_at = coalesce(decided_at, :now) where id = :id",
        state=state,
        now=tx.now,
        id=request["id"],
    )
    tell(tx, kind, request, issue, **more)


def open_of(tx: Read, issue: int) -> list[ApprovalRow]:
    """The requests of an issue that wait, or are ready to move. Most issues have none, which takes no statement."""
    if issue not in tx.cached(
        "issues with open approvals", lambda: set(tx.column(_OPEN_ISSUES)), of=("approval",)
    ):
        return []
    return tx.all(
        "select * from approval where issue = :issue and state in ('pending', 'approved') order by id",
        ApprovalRow,
        issue=issue,
    )


def reconsider(tx: Write, issue: int) -> None:
    """Cancel what an issue that changed fits no more: it moved otherwise, is deleted, or a watched field changed."""
    requests = open_of(tx, issue)
    if not requests:
        return
    row = issues.stored(tx, issue)
    for request in requests:
        if (why := _over(tx, request, row)) is not None:
            close(tx, request, row, "cancelled", ApprovalCancelled, why=why)


def reconsider_all(tx: Write) -> None:
    """Cancel what waits for ways that are gone."""
    for issue in tx.column(_OPEN_ISSUES):
        reconsider(tx, issue)


def _over(tx: Read, request: ApprovalRow, row: IssueRow) -> str | None:
    """Why a request is over, in words."""
    if row["deleted_at"] is not None:
        return "the issue was deleted"
    if row["lane"] != request["leaves"]:
        return "the issue moved otherwise"
    step = asked.step_of(tx, row, request["transition"], request["to_status"])
    if step is None:
        return "the workflow has this way no more"
    before = json.loads(request["watched"])
    if before:
        now = json.loads(asked.watched(step, engine.standing_of(tx, row)))
        if any(now.get(field, digest) != digest for field, digest in before.items()):
            return "a field changed that must stay as it is"
    return None


def is_open(request: ApprovalRow) -> bool:
    return request["state"] in OPEN
