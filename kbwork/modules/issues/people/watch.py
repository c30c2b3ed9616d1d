"""Who watches an issue."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.errors import Conflict, InvalidInput
from kbwork.base.model import Input, Text
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read, write
from kbwork.core.references import IssueRef
from kbwork.db.deferred import Appended
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Read, Write
from kbwork.modules import members
from kbwork.modules.issues import access, queries
from kbwork.modules.issues.event_payloads import emit_about
from kbwork.modules.issues.events import (
    IssueUnwatched,
    IssueWatched,
)
from kbwork.modules.projects import access as projects

MOST_WATCHERS = 1000
_WATCHERS = Appended(
    "issue_watcher",
    "insert into issue_watcher values (?, ?, ?, ?) on conflict do nothing",
    columns=("issue", "who", "reason", "at"),
)


class Watchers(TypedDict):
    """Ids of the members who watch an issue now, as far as the caller sees them."""

    watchers: list[str]
    """Ids of members, as far as the caller sees them."""


class IssuesWatch(Input):
    key: IssueRef
    on: bool
    """False ends it."""
    members: Annotated[list[Text], Field(min_length=1, max_length=100)] | None = None
    """You, unless given."""


@write(
    "issues.watch",
    scope="issues:write",
    words=(
        "follow, subscribe, unfollow, unsubscribe, notify me, stop notifications, keep me posted, "
        "mute, get updates on, cc somebody, stop getting notified, keep an eye on"
    ),
    emits=[IssueWatched, IssueUnwatched],
    example={"key": "WEB-1", "on": True},
)
def watch(tx: Write, args: IssuesWatch) -> Watchers:
    """Watch an issue, or watch it no longer. To change it for others you need to be able to edit the issue.

    A reporter of a project who sees only their own issues there sees those that they were made to watch, too. Whoever
    has no role in the project cannot watch (422). Twice is no change.
    """
    row = access.get(tx, args.key)
    named = args.members or ["me"]
    people = [members.by_ref(tx, ref, field="members")["id"] for ref in named]
    if any(who != tx.caller.member for who in people):
        access.require_edit(tx, row, queries.key_of(tx, row))
    for who in dict.fromkeys(people):
        if args.on:
            _start(tx, row, who)
        elif tx.delete("issue_watcher", (row["id"], who)):
            emit_about(tx, row, IssueUnwatched, who)
    return Watchers(watchers=[member["id"] for member in queries.watchers(tx, row["id"])])


class IssuesWatchers(Input):
    key: IssueRef


@read(
    "issues.watchers",
    scope="issues:read",
    words="who follows, followers, who gets notified, subscribers",
    example={"key": "WEB-1"},
)
def watchers(tx: Read, args: IssuesWatchers) -> list[members.Member]:
    """List who watches an issue, by name."""
    return queries.watchers(tx, access.get(tx, args.key)["id"])


def _start(tx: Write, row: IssueRow, who: str) -> None:
    if tx.stored("issue_watcher", [row["id"], who]) is not None:
        return
    if tx.value("select count(*) from issue_watcher where issue = :id", id=row["id"]) >= MOST_WATCHERS:
        raise Conflict(f"{MOST_WATCHERS} people watch {queries.key_of(tx, row)}, and more are not to be.")
    tx.insert("issue_watcher", issue=row["id"], who=who, reason="watching", at=tx.now)
    _require_sees(tx, row, who)
    emit_about(tx, row, IssueWatched, who)


def _require_sees(tx: Read, row: IssueRow, who: str) -> None:
    """Raises InvalidInput where somebody who watches it would not see it."""
    theirs = visibility.as_member(tx, who)
    in_project = row["project"] in projects.roles(theirs) or who == tx.caller.member
    if not (in_project and access.is_seen_by(tx, who, row["id"])):
        name = tx.value("select name from member where id = :who", who=who)
        raise InvalidInput(f"{name} does not see this issue.", field="members")


def add_watcher(tx: Write, issue: int, who: str, reason: str) -> bool:
    """Somebody watches an issue from now on; who does already goes on for the first reason. Answers whether they can:
    only members do."""
    if not who.startswith("m_"):
        return False
    tx.append(_WATCHERS, issue, who, reason, tx.now)
    return True
