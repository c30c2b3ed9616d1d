"""Handing over what somebody holds: the issues they work on, reported or watch."""

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import Field

from kbwork.base.errors import Conflict, InvalidInput, NotFound
from kbwork.base.model import Body, Input, Text
from kbwork.core.access import visibility
from kbwork.core.operations import nested
from kbwork.core.operations.declare import write
from kbwork.db.tx import Row, Write
from kbwork.modules.members import queries
from kbwork.modules.members.model import Changed, MemberTransferred

MOST = 1000
"""Things handed over in one call: it is one transaction, and others wait for it."""

What = Literal["assigned", "reported", "watching", "rules", "views", "goals", "components"]
_NAMED = "issues.watch"


class MembersTransfer(Input):
    from_: Text = Field(alias="from")
    """Who hands over; they may have left."""
    to: Text
    what: Annotated[list[What], Field(min_length=1, max_length=7)] | None = None
    """Everything that can be handed over unless given."""
    tql: Body | None = None
    """A query that narrows the issues."""


@write(
    "members.transfer",
    scope="admin",
    emits=[MemberTransferred],
    people="people",
    undo="what was handed over is handed back the same way",
    example={"from": "@cy", "to": "@di", "what": ["assigned"]},
)
def transfer(tx: Write, args: MembersTransfer) -> Changed:
    """Give what one member holds to another. For admins.

    `assigned` takes the issues that are not done, `reported` and `watching` all that are not archived: of the issues
    that you lead, at most 1,000 a call; call again until `changed` is 0. The one who takes over is an active member
    who sees them (422). Rights that stood on holding them go along.
    """
    giver = queries.by_ref(tx, args.from_, field="from", missing=NotFound)
    taker = queries.by_ref(tx, args.to, field="to")
    if args.tql:
        raise InvalidInput("This version hands over whole lists: leave `tql` out.", field="tql")
    return Changed(changed=hand_over(tx, giver, taker, args.what))


def hand_over(
    tx: Write, giver: Row, taker: Row, what: list[What] | None = None, *, whole: bool = False
) -> int:
    """Hand over and tell of it; answers how many things changed hands. Raises InvalidInput.

    `whole`: raises Conflict where one call is not enough.
    """
    if taker["id"] == giver["id"]:
        raise InvalidInput("Name somebody else to take over.", field="to")
    if taker["state"] != "active":
        raise InvalidInput(f"{taker['name']} is no active member.", field="to")
    if what is not None and "watching" in what and _NAMED not in tx.registry.operations:
        raise InvalidInput(
            "Watching is everyone's own here: leave it out.", field="what", allowed=list(_HANDED)
        )
    left = MOST
    told: dict[str, int] = {}
    for name in dict.fromkeys(what or _HANDED):
        if (hand := _HANDED.get(name)) is None:
            continue
        told[name] = hand(tx, giver, taker["id"], left)
        left -= told[name]
    if whole and left <= 0:
        raise Conflict(f"{giver['name']} holds {MOST} things or more: hand over with members.transfer first.")
    changed = sum(told.values())
    if changed:
        payload: dict[str, Any] = {
            "from": giver["id"],
            "to": taker["id"],
            "changed": {k: n for k, n in told.items() if n},
        }
        tx.emit(MemberTransferred(subject=f"member:{giver['id']}", payload=payload))
    return changed


_OPEN = (
    "i.archived_at is null and i.deleted_at is null and i.project in (select value from json_each(:kb_lead))"
    " and i.project in (select id from project where archived_at is null)"
)


def _assigned(tx: Write, giver: Row, taker: str, most: int) -> int:
    """In the place that the giver had: the first of the assignees leads."""
    held = tx.column(
        "select i.id from issue_assignee a join issue i on i.id = a.issue"
        f" where a.who = :giver and i.category <> 'done' and {_OPEN} order by i.id limit :most",
        giver=giver["id"],
        most=most,
        **visibility.binds(tx),
    )
    for issue in held:
        people = tx.all(
            "select a.who, a.who like 'agent:%' or m.state = 'active' as there from issue_assignee a"
            " left join member m on m.id = a.who where a.issue = :issue order by a.position",
            issue=issue,
        )
        after = list(dict.fromkeys(taker if one["who"] == giver["id"] else one["who"] for one in people))
        if all(one["there"] for one in people if one["who"] != giver["id"]):
            _assign(tx, issue, after, "set")
        else:  # a list is set with active people only; those who left stay where they are
            _assign(tx, issue, [taker], "add")
            _assign(tx, issue, [giver["id"]], "remove")
    return len(held)


def _assign(tx: Write, issue: int, people: list[str], mode: str) -> None:
    nested.run(tx, "issues.assign", {"key": f"issue:{issue}", "assignees": people, "mode": mode})


def _reported(tx: Write, giver: Row, taker: str, most: int) -> int:
    held = tx.column(
        f"select i.id from issue i where i.reporter = :giver and {_OPEN} order by i.id limit :most",
        giver=giver["id"],
        most=most,
        **visibility.binds(tx),
    )
    for issue in held:
        nested.run(tx, "issues.update", {"key": f"issue:{issue}", "reporter": taker})
    return len(held)


def _watching(tx: Write, giver: Row, taker: str, most: int) -> int:
    if _NAMED not in tx.registry.operations:
        return 0
    held = tx.column(
        "select i.id from issue_watcher w join issue i on i.id = w.issue"
        f" where w.who = :giver and {_OPEN} order by i.id limit :most",
        giver=giver["id"],
        most=most,
        **visibility.binds(tx),
    )
    for issue in held:
        for who, on in ((taker, True), (giver["id"], False)):
            nested.run(tx, _NAMED, {"key": f"issue:{issue}", "on": on, "members": [who]})
    return len(held)


_HANDED: dict[str, Callable[[Write, Row, str, int], int]] = {
    "assigned": _assigned,
    "reported": _reported,
    "watching": _watching,
}
"""How each sort of thing changes hands; the other names have nothing behind them yet."""
