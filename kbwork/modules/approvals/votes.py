"""What those who are asked say, and what comes of it: the issue moves once enough agree."""

import json
from typing import Any

from kbwork.base.caller import of_customer
from kbwork.base.errors import NotAllowed, Problem
from kbwork.core.access import impersonate
from kbwork.core.operations import nested
from kbwork.db.rows import ApprovalRow, ApprovalVoteRow, IssueRow
from kbwork.db.tx import Read, Write
from kbwork.modules import issues
from kbwork.modules.approvals import asked, requests
from kbwork.modules.approvals.model import ApprovalApproved, ApprovalRejected, ApprovalVoted
from kbwork.modules.issues import automatic, engine

_TOO_FEW = (
    "Asked of the project's leads too: fewer of those who are named may decide this than have to agree."
)
_STRANGER = "Whoever asked is not known here: they have to move it themselves."


def cast(
    tx: Write, found: ApprovalRow, row: IssueRow, *, approve: bool, note: str
) -> tuple[bool, str | None]:
    """The caller, who is asked, agrees to a request that waits, or refuses it.

    Answers (whether the issue moved with it, what stands against that though enough agree).
    """
    said: dict[str, Any] = {"who": tx.caller.actor} | ({"note": note} if note else {})
    _keep(tx, found, row, approve=approve, note=note)
    if not approve:
        requests.close(tx, found, row, "rejected", ApprovalRejected, **said)
        return False, None
    if _agreeing(tx, found) < found["needed"]:
        return False, None
    requests.close(tx, found, row, "approved", ApprovalApproved, **said)
    blocked = _move(tx, found, row)
    return blocked is None, blocked


def decide_from_outside(tx: Write, row: IssueRow, *, approve: bool, note: str) -> bool:
    """A customer who is asked says so of all that waits for them on an issue; False where nothing does. Raises
    NotAllowed where all of it is what they asked for themselves, and the ways let nobody decide that."""
    me = tx.caller.actor
    waiting = [
        one
        for one in requests.open_of(tx, row["id"])
        if one["state"] == "pending" and tx.stored("approval_approver", [one["id"], me]) is not None
    ]
    theirs = [
        one for one in waiting if one["self_approval"] or me not in (one["requested_by"], row["reporter"])
    ]
    if waiting and not theirs:
        raise NotAllowed(
            "Your own request is decided by others: you cannot agree to it or refuse it yourself."
        )
    for one in theirs:
        cast(tx, one, row, approve=approve, note=note)
    return bool(theirs)


def ask_from_outside(tx: Write, row: IssueRow, people: list[str]) -> bool:
    """The customer who calls asks these members, teams and customers, with those whom it names, to agree to the first
    way on that asks anybody; False where there is none. Where too few of them may decide it, as the customer's own
    request, the project's leads are asked as well: nobody would ever hear that it waits."""
    at = engine.standing_of(tx, row)
    step = next((one for one in engine.available(tx, row, at) if one.transition["approvers"]), None)
    if step is None:
        return False
    whole = list(dict.fromkeys([*asked.people(tx, people), *asked.approvers(tx, row, step)]))
    note = ""
    if len(asked.deciding(tx, row, step, whole)) < asked.needed(step):
        whole, note = list(dict.fromkeys([*whole, *asked.heads(tx, row)])), _TOO_FEW
    if not whole:
        return False
    requests.make(tx, row, step, whole, requests.Wish(asked.watched(step, at), note))
    return True


def _keep(tx: Write, found: ApprovalRow, row: IssueRow, *, approve: bool, note: str) -> None:
    """In place of what the same person said before."""
    me = tx.caller.actor
    said = {"approve": int(approve), "note": note}
    before: ApprovalVoteRow | None = tx.stored("approval_vote", [found["id"], me])
    if before is None:
        tx.insert("approval_vote", approval=found["id"], who=me, at=tx.now, **said)
    elif any(before[name] != value for name, value in said.items()):
        tx.update("approval_vote", (found["id"], me), at=tx.now, **said)
    else:
        return
    more = {"who": me, "approve": approve} | ({"note": note} if note else {})
    requests.tell(tx, ApprovalVoted, found, row, **more)


def _agreeing(tx: Read, found: ApprovalRow) -> int:
    """How many agree who are still there."""
    return int(
        tx.value(
            "select count(*) from approval_vote v where v.approval = :id and v.approve"
            f" and {asked.PRESENT.format(who='v.who')}",
            id=found["id"],
        )
    )


def _move(tx: Write, found: ApprovalRow, row: IssueRow) -> str | None:
    """Move the issue in the name of whoever asked. Answers what stands against it, and has done nothing then."""
    asker = json.loads(found["asker"]) if found["asker"] else None
    if asker is None:
        return _STRANGER
    try:
        with tx.attempt():
            if "customer" in asker:
                _move_for_customer(tx, found, row, asker["customer"])
                return None
            with impersonate.as_starter(tx, asker):
                value = {"key": f"issue:{found['issue']}", "to_status": found["to_status"]}
                nested.run(tx, "issues.transition", value)
    except Problem as problem:
        return problem.detail
    return None


def _move_for_customer(tx: Write, found: ApprovalRow, row: IssueRow, customer: int) -> None:
    """What a customer asked for goes the way that others agreed to: they may go no other."""
    step = asked.step_of(tx, row, found["transition"], found["to_status"])
    assert step is not None, "a way that is gone ends its requests"
    with impersonate.instead(tx, of_customer(customer)), automatic.after_change(tx, row):
        engine.execute(tx, issues.stored(tx, row["id"]), step, engine.TransitionRequest(freely=True))
