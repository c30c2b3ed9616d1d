"""What issues and workflows ask of approvals: who may go a way that was approved, and what a change ends."""

import contextlib
from collections.abc import Iterator

from kbwork.db.rows import ApprovalRow, IssueRow
from kbwork.db.tx import Read, Write
from kbwork.modules.approvals import requests
from kbwork.modules.approvals.model import ApprovalMoved
from kbwork.modules.issues import Approvals
from kbwork.modules.workflows import TransitionStep


def _approved(tx: Read, row: IssueRow) -> frozenset[str]:
    return frozenset(one["transition"] for one in _ready(tx, row))


@contextlib.contextmanager
def _spending(tx: Write, row: IssueRow, step: TransitionStep) -> Iterator[None]:
    """The request is done before the issue moves, so that the move does not end it, and that is told behind it."""
    found = [one for one in _ready(tx, row) if one["transition"] == step.transition["key"]]
    for one in found:
        tx.execute("update approval set state = 'done' where id = :id", id=one["id"])
    yield
    for one in found:
        requests.tell(tx, ApprovalMoved, one, row)


def _ready(tx: Read, row: IssueRow) -> list[ApprovalRow]:
    """The approved requests of an issue that the caller asked for."""
    return [
        one
        for one in requests.open_of(tx, row["id"])
        if one["state"] == "approved"
        and one["requested_by"] == tx.caller.actor
        and one["leaves"] == row["lane"]
    ]


ON_ISSUES = Approvals(
    home=__name__,
    approved=_approved,
    spending=_spending,
    reconsider=requests.reconsider,
    reconsider_all=requests.reconsider_all,
)
