"""The follower: it queues what each channel is to hear of."""

import json

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Problem
from kbwork.core import org_settings
from kbwork.core.access import authors, visibility
from kbwork.core.events import cursors, feed
from kbwork.core.events.follower import EventFollower, EventsTaken
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import ChatSubscriptionRow
from kbwork.db.tx import Read, Row, Write
from kbwork.modules.chat.subscription import queries
from kbwork.modules.tql import time_limit
from kbwork.tql import tree as t

_AT_ONCE = 100
MOST_WAITING = 1000
"""Posts of one channel: what happens beyond is not posted."""


@dataclass(frozen=True, slots=True)
class PostsFound:
    """What one look found, in the order of the events: subscriptions by number, and of which event."""

    wanted: list[tuple[int, int]]
    unasked: dict[int, str]
    """Subscriptions whose query cannot be asked, and why."""


def _take(tx: Read, after: int, until: int) -> EventsTaken[PostsFound]:
    """What channels are to hear of. Where there is one, what it was not told of might fit later."""
    subscriptions = queries.every(tx)
    if not subscriptions or org_settings.module_off(tx, "chat"):
        return EventsTaken(until, PostsFound([], {}), settled=bool(subscriptions))
    named = {kind for one in subscriptions for kind in json.loads(one["events"])}
    rows = cursors.events(tx, after, until, sorted(named), _AT_ONCE)
    if len(rows) == _AT_ONCE:
        until = rows[-1]["seq"]
    wanted: list[tuple[int, int]] = []
    unasked: dict[int, str] = {}
    for one in subscriptions:
        try:
            wanted += [(one["id"], row["seq"]) for row in _heard(tx, one, rows)]
        except Problem as problem:
            unasked[one["id"]] = f"The query of {one['name']} cannot be asked any more: {problem.detail}"
    found = PostsFound(sorted(wanted, key=lambda one: one[1]), unasked)
    return EventsTaken(until, found, settled=True)


def _heard(tx: Read, one: ChatSubscriptionRow, rows: list[Row]) -> list[Row]:
    """Those of the events that this channel is to hear of. Raises a Problem where its query cannot be asked."""
    kinds = set(json.loads(one["events"]))
    rows = [
        row for row in rows if row["kind"] in kinds and row["seq"] > one["since"] and _is_told(row, kinds)
    ]
    seen = authors.seen_by(tx, one["author"], one["scopes"], "chat") if rows else None
    if seen is None:
        return []
    rows = visibility.heard(seen, rows)
    if not rows or not one["tql"] or seen.registry.language is None:
        return rows
    issues = sorted({int(ref_of(row["subject"])[1]) for row in rows})
    with time_limit.bounded(tx, t.QueryNode()):
        fitting = seen.registry.language.fitting(seen, one["tql"], issues, one["names"])
    return [row for row in rows if int(ref_of(row["subject"])[1]) in fitting]


def _is_told(row: Row, kinds: set[str]) -> bool:
    """It is of an issue, for all who see that, and neither brought in nor undone: a channel is no team, and guests and
    customers may be in it. What is told by another event of these kinds is not told twice."""
    payload = feed.stored_payload(row["payload"])
    if (
        row["kind"] == "issue.updated"
        and "issue.assigned" in kinds
        and payload.get("changes", {}).keys() == {"assignees"}
    ):
        return False
    return (
        ref_of(row["subject"])[0] == "issue"
        and row["audience"] == "seen"
        and not {"import", "undo"} & payload.keys()
    )


def _tell(tx: Write, found: PostsFound) -> None:
    """Queue it."""
    for subscription, error in found.unasked.items():
        tx.execute(
            "update chat_connection set last_error = :error"
            " where id = (select connection from chat_subscription where id = :id)",
            error=error,
            id=subscription,
        )
    for subscription, seq in found.wanted:
        _queue(tx, subscription, seq)
    if found.wanted:
        tx.wake()


def _queue(tx: Write, subscription: int, seq: int) -> None:
    row = tx.stored("chat_subscription", [subscription])
    waiting = tx.value("select count(*) from chat_post where subscription = :id", id=subscription)
    if row is None or waiting >= MOST_WAITING:
        return
    tx.insert(
        "chat_post",
        connection=row["connection"],
        subscription=subscription,
        seq=seq,
        tries=0,
        next_at=tx.now,
        at=tx.now,
    )


FOLLOWER = EventFollower(name="chat", home=__name__, take=_take, tell=_tell)
FOLLOW = FOLLOWER.chore()
