"""The follower: it reads events in their order behind a cursor, and queues what each webhook is to be told.

Whoever does something waits for none of it. The cursor moves in the transaction that queues the deliveries, so that
each event is queued once for each webhook, whatever ends the process in between.
"""

from kbwork.base.clock import monotonic
from kbwork.base.dataclasses import dataclass, field, replace
from kbwork.core import org_settings
from kbwork.core.events import cursors, kinds
from kbwork.core.jobs.chores import Chore
from kbwork.db.rows import WebhookDeliveryRow, WebhookRow
from kbwork.db.tx import Read, Write
from kbwork.modules.webhooks import event_kinds
from kbwork.modules.webhooks.delivery import outcome
from kbwork.modules.webhooks.delivery.outcome import HookEvent
from kbwork.modules.webhooks.delivery.request import BATCH
from kbwork.modules.webhooks.delivery.sight import HookSight, Unasked

CURSOR = "webhooks"
_WINDOW = 2000
"""Events that one look passes."""
_AT_ONCE = 200
"""Of these, so many that are of a kind that some webhook names."""
_QUICK_S = 0.5
"""A look that takes longer is followed by one at fewer events: queries may be dear, and a look has its end."""
_BEHIND = 200
"""So far the cursor may lie behind without being moved, where nobody is to be told."""
BATCH_EVENTS = 100
"""So many events are in one request at most."""


@dataclass(frozen=True, slots=True)
class EventsFollowed:
    """What one look found, in the order of the events."""

    after: int
    until: int
    wanted: list[HookEvent]
    unasked: dict[int, str] = field(default_factory=dict)
    """Webhooks whose query cannot be asked any more, and why."""
    asked: bool = True
    """Whether some webhook is on: what it was not told of is not looked at again, since it might fit later."""


@dataclass(slots=True)
class _Passed:
    """Up to which event nobody was to be told, behind the cursor."""

    seq: int = 0
    at_once: int = _AT_ONCE
    """Events that the next look takes; fewer where the last one was slow, or did not come to its end."""


def look(tx: Read) -> EventsFollowed | None:
    """What happened behind the cursor and is to be told; None while there is nothing to write down."""
    stands, last = cursors.place(tx, CURSOR), cursors.last(tx)
    passed: _Passed = tx.beside(CURSOR, _Passed)
    after = reached(tx)
    while after < last:
        found = _next(tx, after, last)
        if found.asked or found.until - stands >= _BEHIND:
            return replace(found, after=stands)
        passed.seq = after = found.until
    return None


def reached(tx: Read) -> int:
    """The last event that was looked at: those behind it are told in a moment."""
    passed: _Passed = tx.beside(CURSOR, _Passed)
    return max(cursors.place(tx, CURSOR), passed.seq if passed.seq <= cursors.last(tx) else 0)


def _next(tx: Read, after: int, last: int) -> EventsFollowed:
    until = min(last, after + _WINDOW)
    hooks = tx.all("select * from webhook where enabled order by id", WebhookRow)
    if not hooks or org_settings.module_off(tx, "webhooks"):
        return EventsFollowed(after, until, [], asked=bool(hooks))
    passed: _Passed = tx.beside(CURSOR, _Passed)
    begun, at_once = monotonic(), passed.at_once
    passed.at_once = max(1, at_once // 2)
    patterns = {hook["id"]: event_kinds.of(hook) for hook in hooks}
    named = sorted({pattern for those in patterns.values() for pattern in those})
    rows = cursors.events(
        tx, after, until, [kind for kind in kinds.told(tx) if kinds.fits(kind, named)], at_once
    )
    if len(rows) == at_once:
        until = rows[-1]["seq"]
    wanted: list[HookEvent] = []
    unasked: dict[int, str] = {}
    looked = HookSight(tx, rows)
    for row in rows:
        for hook in hooks:
            if hook["id"] in unasked or row["seq"] <= hook["since"]:
                continue
            try:
                if kinds.fits(row["kind"], patterns[hook["id"]]) and looked.is_for(hook, row):
                    wanted.append(HookEvent(hook["id"], row["seq"], row["kind"]))
            except Unasked as why:
                unasked[hook["id"]] = str(why)
    if monotonic() - begun < _QUICK_S:
        passed.at_once = min(_AT_ONCE, 4 * at_once)
    return EventsFollowed(after, until, wanted, unasked)


def write(tx: Write, found: EventsFollowed) -> None:
    """Queue it, unless somebody else did."""
    if cursors.place(tx, CURSOR) != found.after:
        return
    hooks = {
        hook["id"]: hook for hook in tx.all("select * from webhook where enabled order by id", WebhookRow)
    }
    for webhook, why in found.unasked.items():
        if (hook := hooks.pop(webhook, None)) is not None:
            outcome.disable(tx, hook, why)
    for one in found.wanted:
        if one.webhook in hooks:
            queue(tx, hooks[one.webhook], one)
    cursors.move(tx, CURSOR, found.until)
    if found.wanted:
        tx.wake()


def queue(tx: Write, hook: WebhookRow, one: HookEvent) -> None:
    """Have it sent: by itself, or with what is gathered already."""
    open_ = _open(tx, hook) if hook["batch_seconds"] else None
    if open_ is None:
        delivery = outcome.add(tx, one, due_at=tx.now + hook["batch_seconds"])
    else:
        delivery = open_["id"]
        tx.execute(
            "update webhook_delivery set event = :event, seq = :seq where id = :id",
            event=BATCH,
            seq=one.seq,
            id=delivery,
        )
    tx.execute(
        "insert into webhook_event (delivery, seq) values (:delivery, :seq)", delivery=delivery, seq=one.seq
    )


def _open(tx: Write, hook: WebhookRow) -> WebhookDeliveryRow | None:
    """The delivery that still gathers, if it has room; a full one goes now."""
    row = tx.one(
        "select * from webhook_delivery where webhook = :webhook and state = 'queued' and tries < 3"
        " and tries = 0 and next_at > :now and request is null order by seq desc, id desc limit 1",
        WebhookDeliveryRow,
        webhook=hook["id"],
        now=tx.now,
    )
    if row is None:
        return None
    if tx.value("select count(*) from webhook_event where delivery = :id", id=row["id"]) < BATCH_EVENTS:
        return row
    tx.execute("update webhook_delivery set next_at = :now where id = :id", now=tx.now, id=row["id"])
    return None


FOLLOW = Chore(name="webhooks.follow", home=__name__, look=look, write=write)
