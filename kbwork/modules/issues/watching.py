"""Who watches an issue, and who votes for it."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.errors import Conflict, InvalidInput
from kbwork.base.model import Input, Text
from kbwork.core import visibility
from kbwork.core.operation import read, write
from kbwork.db.tx import Read, Row, Write
from kbwork.modules import members
from kbwork.modules.issues import access, opening, queries, telling
from kbwork.modules.issues.events import IssueUnvoted, IssueUnwatched, IssueVoted, IssueWatched
from kbwork.modules.projects import access as projects
from kbwork.modules.projects.access import ISSUE_SEEN

MOST_WATCHERS = 1000


class Watchers(TypedDict):
    """Ids of the members who watch an issue now, as far as the caller sees them."""

    watchers: list[str]


class Votes(TypedDict):
    """How many have voted for an issue."""

    votes: int


class IssuesWatch(Input):
    key: Text
    on: bool
    members: Annotated[list[Text], Field(min_length=1, max_length=100)] | None = None
    """You, unless given."""


@write(
    "issues.watch",
    scope="issues:write",
    emits=[IssueWatched, IssueUnwatched],
    example={"key": "WEB-1", "on": True},
)
def watch(tx: Write, args: IssuesWatch) -> Watchers:
    """Watch an issue, or watch it no longer. To change it for others you need to be able to edit the issue.

    A reporter of a project who sees only their own issues there sees those that they were made to watch, too. Whoever
    has no role in the project cannot watch (422). Twice is no change.
    """
    row = access.issue(tx, args.key)
    named = args.members or ["me"]
    people = [members.by_ref(tx, ref, field="members")["id"] for ref in named]
    if any(who != tx.caller.member for who in people):
        access.require_edit(tx, row, queries.key_of(tx, row))
    for who in dict.fromkeys(people):
        if args.on:
            _start(tx, row, who)
        elif tx.delete("issue_watcher", (row["id"], who)):
            _tell(tx, row, IssueUnwatched, who)
    return Watchers(watchers=[member["id"] for member in queries.watchers(tx, row["id"])])


class IssuesWatchers(Input):
    key: Text


@read("issues.watchers", scope="issues:read", example={"key": "WEB-1"})
def watchers(tx: Read, args: IssuesWatchers) -> list[members.Member]:
    """List who watches an issue, by name."""
    return queries.watchers(tx, access.issue(tx, args.key)["id"])


class IssuesVote(Input):
    key: Text
    on: bool


@write(
    "issues.vote",
    scope="issues:write",
    emits=[IssueVoted, IssueUnvoted],
    example={"key": "WEB-1", "on": True},
)
def vote(tx: Write, args: IssuesVote) -> Votes:
    """Vote for an issue, or take your vote back. Whoever sees it has one vote; twice counts once.

    An archived issue takes no votes (409).
    """
    row = access.issue(tx, args.key)
    opening.require_awake(tx, row)
    me = tx.caller.me()
    held = tx.stored("issue_vote", [row["id"], me]) is not None
    if args.on and not held:
        tx.insert("issue_vote", issue=row["id"], who=me, at=tx.now)
        _tell(tx, row, IssueVoted, me)
    elif held and not args.on:
        tx.delete("issue_vote", (row["id"], me))
        _tell(tx, row, IssueUnvoted, me)
    return Votes(votes=tx.value("select votes from issue where id = :id", id=row["id"]))


class IssuesVoters(Input):
    key: Text


@read("issues.voters", scope="issues:read", example={"key": "WEB-1"})
def voters(tx: Read, args: IssuesVoters) -> list[members.Member]:
    """List who voted for an issue, the first vote first."""
    rows = tx.all(
        "select m.* from issue_vote v join member m on m.id = v.who where v.issue = :id order by v.at, m.id",
        id=access.issue(tx, args.key)["id"],
    )
    return members.shown(tx, [row for row in rows if members.seen(tx, row["id"])])


def _start(tx: Write, row: Row, who: str) -> None:
    if tx.stored("issue_watcher", [row["id"], who]) is not None:
        return
    if tx.value("select count(*) from issue_watcher where issue = :id", id=row["id"]) >= MOST_WATCHERS:
        raise Conflict(f"{MOST_WATCHERS} people watch {queries.key_of(tx, row)}, and more are not to be.")
    tx.insert("issue_watcher", issue=row["id"], who=who, reason="watching", at=tx.now)
    _require_sees(tx, row, who)
    _tell(tx, row, IssueWatched, who)


def _require_sees(tx: Read, row: Row, who: str) -> None:
    """Raises InvalidInput where somebody who watches it would not see it."""
    theirs = visibility.as_member(tx, who)
    in_project = row["project"] in projects.roles(theirs) or who == tx.caller.member
    seen = theirs.value(
        f"select 1 from issue i where i.id = :id and {ISSUE_SEEN}", id=row["id"], **visibility.binds(theirs)
    )
    if seen is None or not in_project:
        name = tx.value("select name from member where id = :who", who=who)
        raise InvalidInput(f"{name} does not see this issue.", field="members")


def _tell(
    tx: Write,
    row: Row,
    kind: type[IssueWatched] | type[IssueUnwatched] | type[IssueVoted] | type[IssueUnvoted],
    who: str,
) -> None:
    tx.emit(kind(subject=f"issue:{row['id']}", payload=telling.common(tx, row) | {"who": who}))
