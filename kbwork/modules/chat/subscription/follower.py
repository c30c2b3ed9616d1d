"""The follower: it reads events in their order behind a cursor, and queues what each channel is to hear of.

Whoever does something waits for none of it. The cursor moves in the transaction that queues, so that each event is
queued once for each channel, whatever ends the process in between.
"""

import json

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Problem
from kbwork.core import org_settings
from kbwork.core.access import authors, visibility
from kbwork.core.events import cursors, feed
from kbwork.core.jobs.chores import Chore
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import ChatSubscriptionRow
from kbwork.db.tx import Read, Row, Write
from kbwork.modules.chat.subscription import queries
from kbwork.modules.tql import time_limit
from kbwork.tql import tree as t

CURSOR = "chat"
_WINDOW = 2000
_AT_ONCE = 100
_BEHIND = 200
"""So far the cursor may lie behind without being moved, where no channel is to hear."""
MOST_WAITING = 1000
"""Posts of one channel: what happens beyond is not posted."""


@dataclass(frozen=True, slots=True)
class PostsFound:
    """What one look found, in the order of the events: subscriptions by number, and of which event."""

    after: int
    until: int
    wanted: list[tuple[int, int]]
    unasked: dict[int, str]
    """Subscriptions whose query cannot be asked, and why."""


@dataclass(slots=True)
class _Passed:
    """Up to which event no channel was to hear, behind the cursor."""

    seq: int = 0


def look(tx: Read) -> PostsFound | None:
    """What happened behind the cursor and channels are to hear of; None while there is nothing to write down."""
    stands, last = cursors.place(tx, CURSOR), cursors.last(tx)
    passed: _Passed = tx.beside(CURSOR, _Passed)
    after = max(stands, passed.seq if passed.seq <= last else 0)
    if after >= last:
        return None
    rows = queries.every(tx)
    found = _next(tx, after, min(last, after + _WINDOW), rows, stands)
    if rows or found.until - stands >= _BEHIND:
        return found
    passed.seq = found.until
    return None


def _next(
    tx: Read, after: int, until: int, subscriptions: list[ChatSubscriptionRow], stands: int
) -> PostsFound:
    if not subscriptions or org_settings.module_off(tx, "chat"):
        return PostsFound(stands, until, [], {})
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
    return PostsFound(stands, until, sorted(wanted, key=lambda found: found[1]), unasked)


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


def write(tx: Write, found: PostsFound) -> None:
    """Queue it, unless somebody else did."""
    if cursors.place(tx, CURSOR) != found.after:
        return
    for subscription, error in found.unasked.items():
        tx.execute(
            "update chat_connection set last_error = :error"
            " where id = (select connection from chat_subscription where id = :id)",
            error=error,
            id=subscription,
        )
    for subscription, seq in found.wanted:
        _queue(tx, subscription, seq)
    cursors.move(tx, CURSOR, found.until)
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


FOLLOW = Chore(name="chat.follow", home=__name__, look=look, write=write)
