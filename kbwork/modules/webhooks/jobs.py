"""What time does to webhooks: rotated secrets end, authors leave, and what was sent long ago is forgotten."""

from kbwork.core.access import authors
from kbwork.core.jobs.kinds import Schedule
from kbwork.db.rows import WebhookRow
from kbwork.db.tx import Read, Write, json_array
from kbwork.modules.webhooks.delivery import outcome

_DAY_S = 86_400
KEPT_S = 30 * _DAY_S
MOST_KEPT = 1000
"""Ended deliveries of one webhook."""
MOST_WAITING = 10_000
"""Of one webhook; the oldest of more are dropped."""
_AT_ONCE = 500
_AUTHORLESS = authors.AUTHORLESS.format("webhook")
_ROTATED = "old_until <= :now"


def _any_authorless(tx: Read) -> bool:
    return bool(tx.all(_AUTHORLESS, WebhookRow))


def _disown(tx: Write) -> None:
    """A webhook hears what its author may hear of: nothing, once they are no admin."""
    for hook in tx.all(_AUTHORLESS, WebhookRow):
        outcome.disable(tx, hook, authors.LOST)


DISOWN = Schedule(name="webhooks.disown", home=__name__, every_s=1, run=_disown, due=_any_authorless)


def _any_kept(tx: Read) -> bool:
    return tx.value(f"select 1 from webhook where {_ROTATED} limit 1", now=tx.now) is not None


def _forget(tx: Write) -> None:
    tx.execute(f"update webhook set old_secret = null, old_until = null where {_ROTATED}", now=tx.now)


FORGET = Schedule(name="webhooks.forget_rotated", home=__name__, every_s=60, run=_forget, due=_any_kept)


def _sweep(tx: Write) -> None:
    """Some hundreds at a time of each sort."""
    old = tx.column(
        "select id from webhook_delivery where state <> 'queued' and at < :before order by at limit :most",
        before=tx.now - KEPT_S,
        most=_AT_ONCE,
    )
    for webhook in tx.column("select id from webhook order by id"):
        old += _surplus(tx, webhook, "state <> 'queued'", MOST_KEPT)
        for delivery in _surplus(tx, webhook, "state = 'queued'", MOST_WAITING):
            outcome.drop_one(
                tx, delivery, "Too many wait for this receiver: read what it missed by api.changes."
            )
    outcome.forget(tx, "id in (select value from json_each(:ids))", ids=json_array(old))


def _surplus(tx: Read, webhook: int, which: str, most: int) -> list[int]:
    """The oldest of more than so many."""
    return tx.column(
        f"select id from webhook_delivery where webhook = :webhook and {which} order by at desc, seq desc, id desc"
        " limit :some offset :most",
        webhook=webhook,
        most=most,
        some=_AT_ONCE,
    )


SWEEP = Schedule(name="webhooks.sweep", home=__name__, every_s=600, run=_sweep)
