"""Look at what was sent, and what waits."""

from kbwork.base.model import Cursor, Id, Input, Limit, Paged
from kbwork.core.access import visibility
from kbwork.core.events import feed
from kbwork.core.operations import pagination
from kbwork.core.operations.declare import write
from kbwork.db.rows import WebhookDeliveryRow
from kbwork.db.tx import Read, json_array
from kbwork.modules.webhooks import queries
from kbwork.modules.webhooks.model import Delivery, DeliveryState


class WebhooksDeliveries(Input):
    id: Id
    """Id of the webhook."""
    state: DeliveryState | None = None
    """Only those that stand so; left out: all of them."""
    cursor: Cursor | None = None
    limit: Limit | None = None


@write(
    "webhooks.deliveries",
    scope="admin",
    words="log of a webhook, which requests were sent, failed deliveries, did the webhook arrive, what was answered",
    undo="what was sent is sent",
    emits=[],
    example={"id": 1, "state": "failed"},
)
def deliveries(tx: Read, args: WebhooksDeliveries) -> Paged[Delivery]:
    """List what was sent for a webhook and what waits, newest first: the last 1,000 of 30 days, and all that waits.

    Body and answer are shown to who the webhook's author was then, while they may hear of all that is in it; others
    read an empty text and null.
    """
    queries.stored(tx, args.id)
    most, after = pagination.limit(args), pagination.place(tx, args)
    rows = tx.all(
        "select * from webhook_delivery where webhook = :webhook and (:state is null or state = :state)"
        " and (:at is null or (at, seq, id) < (:at, :seq, :id)) order by at desc, seq desc, id desc limit :most",
        WebhookDeliveryRow,
        webhook=args.id,
        state=args.state,
        at=after[0] if after else None,
        seq=after[1] if after else None,
        id=after[2] if after else None,
        most=most + 1,
    )
    following = None
    if len(rows) > most:
        rows = rows[:most]
        following = pagination.cursor(tx, args, [rows[-1]["at"], rows[-1]["seq"], rows[-1]["id"]])
    return {"items": shown(tx, rows), "next": following}


def shown(tx: Read, rows: list[WebhookDeliveryRow]) -> list[Delivery]:
    """Deliveries in their shape, for the caller."""
    told = _told(tx, [row["id"] for row in rows if row["author"] == tx.caller.member])
    return [_shown(row, told=row["id"] in told) for row in rows]


def _told(tx: Read, deliveries: list[int]) -> set[int]:
    """Those of these deliveries of which the caller may hear all."""
    found = tx.all(
        f"select w.delivery, {feed.COLUMNS}, {feed.HEARD_BY} from webhook_event w left join events e on e.seq = w.seq"
        " where w.delivery in (select value from json_each(:ids))",
        ids=json_array(deliveries),
    )
    heard = {row["seq"] for row in visibility.heard(tx, [row for row in found if row["seq"] is not None])}
    return set(deliveries) - {row["delivery"] for row in found if row["seq"] not in heard}


def _shown(row: WebhookDeliveryRow, *, told: bool) -> Delivery:
    return Delivery(
        id=row["id"],
        webhook=row["webhook"],
        event=row["event"],
        seq=row["seq"],
        state=row["state"],
        tries=row["tries"],
        status=row["status"],
        ms=row["ms"],
        error=row["error"],
        request=(row["request"] or "") if told else "",
        response=row["response"] if told else None,
        at=row["at"],
        next_at=row["next_at"],
    )
