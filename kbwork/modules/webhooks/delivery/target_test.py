"""Try a webhook: one request now, and what came of it."""

from kbwork.base import ids
from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Conflict
from kbwork.base.model import Id, Input, Text
from kbwork.core.events.feed import Event
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.db.rows import WebhookDeliveryRow
from kbwork.db.tx import Read, Write
from kbwork.modules.webhooks import event_kinds, queries
from kbwork.modules.webhooks.delivery import deliveries, request, sender
from kbwork.modules.webhooks.delivery.outcome import HookAnswer
from kbwork.modules.webhooks.delivery.request import HookRequest, HookTarget
from kbwork.modules.webhooks.model import Delivery


class WebhooksTest(Input):
    id: Id
    """Id of the webhook, on or off."""
    event: Text | None = None
    """Kind of event that the test is said to be; left out: one that the webhook hears."""


@dataclass(frozen=True, slots=True)
class HookTrial:
    """What is sent, and where."""

    request: HookRequest
    target: HookTarget
    now: int


@write(
    "webhooks.test",
    scope="admin",
    words="try a webhook, send a test event, does the webhook work, ping the receiver",
    undo="what was sent is sent",
    emits=[],
    example={"id": 1, "event": "issue.created"},
)
async def test(out: External, args: WebhooksTest) -> Delivery:
    """Send a request now and answer what came of it: an event of which nothing is true but its kind.

    It has the sequence number 0, the webhook itself as subject and `test` in its payload, and is signed as any other.
    It is sent once, whether or not the webhook is on; how the webhook fares is not counted by it.
    """
    trial = await out.read(lambda tx: _look(tx, args))
    answered = await sender.send(out, trial.request, trial.target, trial.now)
    return await out.conclude(lambda tx: _noted(tx, trial, answered))


def _look(tx: Read, args: WebhooksTest) -> HookTrial:
    """Raises NotFound, InvalidInput or MasterKeyLost."""
    hook = queries.stored(tx, args.id)
    patterns = event_kinds.checked(tx, [args.event or next(iter(event_kinds.of(hook)), "*")])
    event = Event(
        seq=0,
        kind=event_kinds.sample(tx, patterns),
        subject=f"webhook:{hook['id']}",
        actor=tx.caller.actor,
        actor_kind=tx.caller.kind,
        created_at=tx.now,
        payload={"test": True},
        via=tx.caller.via,
        origin=tx.caller.client,
    )
    row = WebhookDeliveryRow(
        id=ids.number(),
        webhook=hook["id"],
        event=event["kind"],
        seq=0,
        state="queued",
        tries=0,
        status=None,
        ms=None,
        error=None,
        request=None,
        response=None,
        author=None,
        at=tx.now,
        next_at=None,
    )
    return HookTrial(request.written(tx, hook, row, [event]), request.target(tx, hook), tx.now)


def _noted(tx: Write, trial: HookTrial, answered: HookAnswer) -> Delivery:
    """Raises Conflict where the webhook went meanwhile."""
    if tx.stored("webhook", [trial.request.delivery["webhook"]]) is None:
        raise Conflict("The webhook was deleted meanwhile; the test was sent.")
    row = trial.request.delivery
    row["author"] = tx.caller.me()
    row["state"] = "sent" if answered.taken else "failed"
    row["tries"], row["status"], row["ms"] = 1, answered.status, answered.ms
    row["error"], row["response"] = answered.error, answered.response
    columns = ", ".join(row)
    tx.execute(
        f"insert into webhook_delivery ({columns}) values ({', '.join(f':{name}' for name in row)})", **row
    )
    return deliveries.shown(tx, [row])[0]
