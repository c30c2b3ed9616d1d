"""Who votes for an issue."""

from typing_extensions import TypedDict

from kbwork.base.model import Input
from kbwork.core.operations.declare import read, write
from kbwork.core.references import IssueRef
from kbwork.db.rows import MemberRow
from kbwork.db.tx import Read, Write
from kbwork.modules import members
from kbwork.modules.issues import access, preconditions
from kbwork.modules.issues.event_payloads import emit_about
from kbwork.modules.issues.events import (
    IssueUnvoted,
    IssueVoted,
)


class Votes(TypedDict):
    """How many have voted for an issue."""

    votes: int
    """Members who have voted for it."""


class IssuesVote(Input):
    key: IssueRef
    on: bool
    """False takes your vote back."""


@write(
    "issues.vote",
    scope="issues:write",
    words="upvote, plus one, support a request, I want this too, unvote, me too",
    emits=[IssueVoted, IssueUnvoted],
    example={"key": "WEB-1", "on": True},
)
def vote(tx: Write, args: IssuesVote) -> Votes:
    """Vote for an issue, or take your vote back. Whoever sees it has one vote; twice counts once.

    An archived issue takes no votes (409).
    """
    row = access.get(tx, args.key)
    preconditions.require_awake(tx, row)
    me = tx.caller.me()
    held = tx.stored("issue_vote", [row["id"], me]) is not None
    if args.on and not held:
        tx.insert("issue_vote", issue=row["id"], who=me, at=tx.now)
        emit_about(tx, row, IssueVoted, me)
    elif held and not args.on:
        tx.delete("issue_vote", (row["id"], me))
        emit_about(tx, row, IssueUnvoted, me)
    return Votes(votes=tx.value("select votes from issue where id = :id", id=row["id"]))


class IssuesVoters(Input):
    key: IssueRef


@read(
    "issues.voters",
    scope="issues:read",
    words="who voted, how many votes, who wants this",
    example={"key": "WEB-1"},
)
def voters(tx: Read, args: IssuesVoters) -> list[members.Member]:
    """List who voted for an issue, the first vote first."""
    rows = tx.all(
        "select m.* from issue_vote v join member m on m.id = v.who where v.issue = :id order by v.at, m.id",
        MemberRow,
        id=access.get(tx, args.key)["id"],
    )
    return members.shown(tx, [row for row in rows if members.seen(tx, row["id"])])
