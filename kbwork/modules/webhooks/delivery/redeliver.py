"""Send again what a receiver missed."""

from typing import Annotated

from pydantic import Field, PrivateAttr

from kbwork.base.errors import Conflict, InvalidInput, NotFound
from kbwork.base.model import Id, Input
from kbwork.core.events import feed, kinds
from kbwork.core.operations.declare import write
from kbwork.db.rows import WebhookRow
from kbwork.db.tx import Read, Row, Write, json_array
from kbwork.modules.webhooks import event_kinds, queries
from kbwork.modules.webhooks.delivery import follower
from kbwork.modules.webhooks.delivery.outcome import MESSAGE, HookEvent
from kbwork.modules.webhooks.delivery.sight import HookSight, Unasked
from kbwork.modules.webhooks.model import Redelivered

_MOST_LOOKED_AT = 5_000
_MOST = 1_000


class WebhooksRedeliver(Input):
    ids: Annotated[list[Id], Field(max_length=1000)]
    """Deliveries, from `webhooks.deliveries`."""
    since: Id | None = None
    """Sequence number of an event: everything behind it is sent again that these deliveries' webhooks hear. With no
    `ids`: that every webhook hears which is on."""

    _wanted: list[HookEvent] | None = PrivateAttr(None)

    def keep(self, wanted: list[HookEvent]) -> None:
        """What was found before the write."""
        self._wanted = wanted

    @property
    def wanted(self) -> list[HookEvent] | None:
        """None where nobody looked, as inside another operation."""
        return self._wanted


def _foresee(tx: Read, args: WebhooksRedeliver) -> WebhooksRedeliver:
    """What is to be sent since then is found on a reader, which holds up no write."""
    queries.require_whole(tx)
    if args.since is not None:
        args.keep(_since(tx, _hooks(tx, args), args.since))
    return args


@write(
    "webhooks.redeliver",
    scope="admin",
    words="send again, retry a webhook, replay events, resend failed deliveries, receiver was down",
    undo="what is sent is sent",
    emits=[],
    foresee=_foresee,
    example={"ids": [], "since": 0},
)
def redeliver(tx: Write, args: WebhooksRedeliver) -> Redelivered:
    """Send deliveries again, now and under the ids that they have; one that waits is tried at once.

    With `since` all that the webhooks of these deliveries would be told of the events behind that number is sent again,
    as new deliveries: 1,000 at most, and no further back than 5,000 events (422). `api.changes` reads all there is. A
    delivery that is not there is 404, a webhook that is off 409.
    """
    queries.require_whole(tx)
    hooks = _hooks(tx, args)
    if args.since is None:
        return Redelivered(queued=_again(tx, args.ids))
    wanted = args.wanted if args.wanted is not None else _since(tx, hooks, args.since)
    there = {hook["id"]: hook for hook in hooks}
    sent = [one for one in wanted if one.webhook in there]
    for one in sent:
        follower.queue(tx, there[one.webhook], one)
    tx.wake()
    return Redelivered(queued=len(sent))


def _hooks(tx: Read, args: WebhooksRedeliver) -> list[WebhookRow]:
    """The webhooks that these deliveries are of. Raises NotFound, Conflict or InvalidInput."""
    if not args.ids:
        if args.since is None:
            raise InvalidInput("Name deliveries, from webhooks.deliveries, or say `since`.", field="ids")
        return [hook for hook in queries.every(tx) if hook["enabled"]]
    found = dict(
        tx.tuples(
            "select id, webhook from webhook_delivery where id in (select value from json_each(:ids))",
            ids=json_array(args.ids),
        )
    )
    for ident in args.ids:
        if ident not in found:
            raise NotFound(f"There is no delivery {ident}; webhooks.deliveries shows those of a webhook.")
    hooks = [hook for hook in queries.every(tx) if hook["id"] in found.values()]
    for hook in hooks:
        if not hook["enabled"]:
            raise Conflict(f"The webhook {hook['name']!r} is off: switch it on by webhooks.save first.")
    return hooks


def _again(tx: Write, deliveries: list[int]) -> int:
    """Tests are not among them: they tell of no event; nor is a message that was taken, which is kept no longer."""
    number = tx.execute(
        "update webhook_delivery set state = 'queued', tries = 0, error = null, next_at = :now"
        " where id in (select value from json_each(:ids))"
        " and (exists (select 1 from webhook_event w where w.delivery = webhook_delivery.id)"
        " or (event = :message and request is not null))",
        message=MESSAGE,
        now=tx.now,
        ids=json_array(deliveries),
    )
    if number < len(set(deliveries)):
        raise Conflict(
            "A test is not sent again, nor is a message that was taken: call webhooks.test or webhooks.send."
        )
    tx.wake()
    return number


def _since(tx: Read, hooks: list[WebhookRow], since: int) -> list[HookEvent]:
    """What these webhooks are told of the events behind that one, but for what they are about to be told anyway."""
    rows = tx.all(
        f"select {feed.COLUMNS}, {feed.HEARD_BY} from events e where e.seq > :since"
        " order by e.seq limit :most",
        since=since,
        most=_MOST_LOOKED_AT + 1,
    )
    if len(rows) > _MOST_LOOKED_AT:
        raise InvalidInput(
            f"More than {_MOST_LOOKED_AT:,} events lie behind {since}: take a later one, and read what was before it"
            " by api.changes.",
            field="since",
        )
    looked, reached = HookSight(tx, rows), follower.FOLLOWER.reached(tx)
    patterns = {hook["id"]: event_kinds.of(hook) for hook in hooks}
    found = [
        HookEvent(hook["id"], row["seq"], row["kind"])
        for row in rows
        for hook in hooks
        if row["seq"] <= max(reached, hook["since"])
        and kinds.fits(row["kind"], patterns[hook["id"]])
        and _is_for(looked, hook, row)
    ]
    if len(found) > _MOST:
        raise InvalidInput(
            f"That would be {len(found):,} deliveries; {_MOST:,} are sent again at once. Take a later `since`, and read"
            " what was before it by api.changes.",
            field="since",
        )
    return found


def _is_for(looked: HookSight, hook: WebhookRow, row: Row) -> bool:
    try:
        return looked.is_for(hook, row)
    except Unasked as why:
        raise Conflict(f"The webhook {hook['name']!r} cannot be asked: {why}") from None
