"""Send something of one's own to the address of a webhook, as rules do."""

import json
from typing import Any

from kbwork.base.errors import Conflict, InvalidInput
from kbwork.base.model import Id, Input
from kbwork.core.operations.declare import write
from kbwork.db.rows import WebhookDeliveryRow
from kbwork.db.tx import Write
from kbwork.modules.webhooks import jobs, queries
from kbwork.modules.webhooks.delivery import deliveries, outcome
from kbwork.modules.webhooks.delivery.outcome import MESSAGE, HookEvent
from kbwork.modules.webhooks.delivery.request import MOST_BYTES
from kbwork.modules.webhooks.model import Delivery


class WebhooksSend(Input):
    id: Id
    """Id of the webhook, from `webhooks.list`: it says the address, the headers and what signs."""
    body: dict[str, Any]
    """The body of the request, as JSON, just as it is to come."""


@write(
    "webhooks.send",
    scope="admin",
    words=(
        "call an url from a rule, web request, http post, notify another service, trigger a build, "
        "dispatch a workflow, send json somewhere"
    ),
    undo="what is sent is sent",
    emits=[],
    example={"id": 1, "body": {"text": "WEB-12 is done"}},
)
def send(tx: Write, args: WebhooksSend) -> Delivery:
    """Post a body of your own to a webhook's address, beside the events that it hears: a web request, for rules too.

    It goes out when this call stands, signed, with the webhook's headers and `X-Kb-Event: message`; in order with the
    events that wait there, but for the one right before it, and again until it is taken, under one `X-Kb-Delivery`.
    Project and query of the webhook are asked nothing. The body is kept until it was taken. A webhook that is off is
    409, and so is one for which too much waits; a body of more than 512 kB is 422.
    """
    hook = queries.stored(tx, args.id)
    if not hook["enabled"]:
        raise Conflict(f"The webhook {hook['name']!r} is off: switch it on by webhooks.save first.")
    body = json.dumps(args.body, ensure_ascii=False, separators=(",", ":"))
    if len(body.encode()) > MOST_BYTES:
        raise InvalidInput(f"A body has {MOST_BYTES // 1024} kB at most.", field="body")
    waiting = tx.value(
        "select count(*) from webhook_delivery where webhook = :webhook and state = 'queued'",
        webhook=hook["id"],
    )
    if waiting >= jobs.MOST_WAITING:
        raise Conflict(f"{waiting:,} requests wait for this receiver already.")
    ident = outcome.add(tx, HookEvent(hook["id"], tx.seq, MESSAGE), due_at=tx.now, request=body)
    tx.wake()
    row = tx.one("select * from webhook_delivery where id = :id", WebhookDeliveryRow, id=ident)
    assert row is not None
    return deliveries.shown(tx, [row])[0]
