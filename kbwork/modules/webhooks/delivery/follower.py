"""The follower: it queues what each webhook is to be told."""

from kbwork.base.clock import monotonic
from kbwork.base.dataclasses import dataclass, field
from kbwork.core import org_settings
from kbwork.core.events import cursors, kinds
from kbwork.core.events.follower import EventFollower, EventsTaken
from kbwork.db.rows import WebhookDeliveryRow, WebhookRow
from kbwork.db.tx import Read, Write
from kbwork.modules.webhooks import event_kinds
from kbwork.modules.webhooks.delivery import outcome
from kbwork.modules.webhooks.delivery.outcome import HookEvent
from kbwork.modules.webhooks.delivery.request import BATCH
from kbwork.modules.webhooks.delivery.sight import HookSight, Unasked

_AT_ONCE = 200
"""Of the events that one look passes, so many that are of a kind that some webhook names."""
_QUICK_S = 0.5
"""A look that takes longer is followed by one at fewer events: queries may be dear, and a look has its end."""
BATCH_EVENTS = 100
"""So many events are in one request at most."""


@dataclass(frozen=True, slots=True)
class HooksTold:
    """What one look found, in the order of the events."""

    wanted: list[HookEvent]
    unasked: dict[int, str] = field(default_factory=dict)
    """Webhooks whose query cannot be asked any more, and why."""


@dataclass(slots=True)
class _Pace:
    """How many events a look takes."""

    at_once: int = _AT_ONCE
    """Fewer where the last one was slow, or did not come to its end."""


def _take(tx: Read, after: int, until: int) -> EventsTaken[HooksTold]:
    """What webhooks are to be told. Where one is on, what it was not told of might fit later."""
    hooks = tx.all("select * from webhook where enabled order by id", WebhookRow)
    if not hooks or org_settings.module_off(tx, "webhooks"):
        return EventsTaken(until, HooksTold([]), settled=bool(hooks))
    pace: _Pace = tx.beside("webhooks.pace", _Pace)
    begun, at_once = monotonic(), pace.at_once
    pace.at_once = max(1, at_once // 2)
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
        pace.at_once = min(_AT_ONCE, 4 * at_once)
    return EventsTaken(until, HooksTold(wanted, unasked), settled=True)


def _tell(tx: Write, found: HooksTold) -> None:
    """Queue it."""
    hooks = {
        hook["id"]: hook for hook in tx.all("select * from webhook where enabled order by id", WebhookRow)
    }
    for webhook, why in found.unasked.items():
        if (hook := hooks.pop(webhook, None)) is not None:
            outcome.disable(tx, hook, why)
    for one in found.wanted:
        if one.webhook in hooks:
            queue(tx, hooks[one.webhook], one)
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


FOLLOWER = EventFollower(name="webhooks", home=__name__, take=_take, tell=_tell)
FOLLOW = FOLLOWER.chore()
