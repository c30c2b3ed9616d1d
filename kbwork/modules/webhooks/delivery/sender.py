"""Sends what waits, the deliveries of each webhook one after the other, and no webhook waits for another.

A delivery is marked when it was answered: a process that dies in between sends it again, under the same id.
"""

from kbwork.base.clock import monotonic
from kbwork.base.dataclasses import dataclass, replace
from kbwork.base.errors import InvalidInput, MasterKeyLost, Problem
from kbwork.core import org_settings
from kbwork.core.access import authors
from kbwork.core.jobs.chores import Errand
from kbwork.core.operations.external import External, FetchedPage
from kbwork.db.rows import WebhookDeliveryRow, WebhookRow
from kbwork.db.tx import Read, Write
from kbwork.modules.webhooks import ops
from kbwork.modules.webhooks.delivery import outcome, request, sight
from kbwork.modules.webhooks.delivery.outcome import HookAnswer
from kbwork.modules.webhooks.delivery.request import HookRequest, HookTarget

IN_ORDER = 3
"""So often one is tried before those behind it overtake it."""
_AT_ONCE = 20
_OVERTAKEN = 5
_BUDGET_S = 2.0
"""So long a look holds: then what came of it is written down, and the next one sees what changed."""
_KEPT_BYTES = 4096
_ORDERED = "state = 'queued' and tries < 3"
_LATE = "state = 'queued' and tries >= 3 and next_at <= :now"
OUT_OF_SIGHT = "Its author may not hear of it any more."
_MEND = " The operator lists such places, as host:port, in `outbound.allow` of the settings."


@dataclass(frozen=True, slots=True)
class HookCalls:
    """What is to be sent for one webhook; and behind it, what was answered."""

    hook: WebhookRow
    now: int
    target: HookTarget | None = None
    in_order: list[HookRequest] | None = None
    overtaken: list[HookRequest] | None = None
    vain: list[int] | None = None
    """Deliveries that are not to be sent."""
    answered: list[tuple[HookRequest, HookAnswer]] | None = None
    fault: str | None = None
    """Why none can be sent now."""
    lost: bool = False


def due(tx: Read) -> list[int]:
    """The webhooks for which something is to be sent now."""
    if org_settings.module_off(tx, "webhooks"):
        return []
    return tx.column(
        f"select w.id from webhook w where w.enabled and (exists (select 1 from webhook_delivery where webhook = w.id"
        f" and {_LATE}) or (select next_at from webhook_delivery where webhook = w.id and {_ORDERED}"
        " order by seq, id limit 1) <= :now)",
        now=tx.now,
    )


def look(tx: Read, webhook: int) -> HookCalls | None:
    """The next of one webhook; None where there are none."""
    hook = tx.stored("webhook", [webhook])
    if hook is None or not hook["enabled"] or org_settings.module_off(tx, "webhooks"):
        return None
    ordered, late = _ordered(tx, webhook), _late(tx, webhook)
    if not ordered and not late:
        return None
    if (seen := sight.author(tx, hook)) is None:
        return HookCalls(hook, tx.now, lost=True)
    try:
        target = request.target(tx, hook)
    except MasterKeyLost as lost:
        made = [HookRequest(row, b"") for row in (ordered or late)[:1]]
        return HookCalls(hook, tx.now, in_order=made, fault=lost.detail)
    vain: list[int] = []
    return HookCalls(
        hook, tx.now, target, _made(seen, hook, ordered, vain), _made(seen, hook, late, vain), vain
    )


def _ordered(tx: Read, webhook: int) -> list[WebhookDeliveryRow]:
    """Those in order, up to the first that waits."""
    rows = tx.all(
        f"select * from webhook_delivery where webhook = :webhook and {_ORDERED} order by seq, id limit :most",
        WebhookDeliveryRow,
        webhook=webhook,
        most=_AT_ONCE,
    )
    waiting = next((n for n, row in enumerate(rows) if (row["next_at"] or 0) > tx.now), len(rows))
    return rows[:waiting]


def _late(tx: Read, webhook: int) -> list[WebhookDeliveryRow]:
    """Those that were overtaken and whose time has come."""
    return tx.all(
        f"select * from webhook_delivery where webhook = :webhook and {_LATE} order by next_at limit :most",
        WebhookDeliveryRow,
        webhook=webhook,
        now=tx.now,
        most=_OVERTAKEN,
    )


def _made(seen: Read, hook: WebhookRow, rows: list[WebhookDeliveryRow], vain: list[int]) -> list[HookRequest]:
    found = []
    for row in rows:
        made = request.made(seen, hook, row)
        if made is None:
            vain.append(row["id"])
        else:
            found.append(made)
    return found


async def wait(out: External, calls: HookCalls) -> HookCalls:
    """Send them, for some seconds; those behind one that was not taken wait for it."""
    if calls.target is None:
        failed = HookAnswer(None, 0, None, calls.fault)
        return replace(calls, answered=[(one, failed) for one in calls.in_order or () if calls.fault])
    begun = monotonic()
    answered: list[tuple[HookRequest, HookAnswer]] = []
    for one in calls.in_order or ():
        answered.append((one, await send(out, one, calls.target, calls.now + int(monotonic() - begun))))
        if not answered[-1][1].taken or monotonic() - begun > _BUDGET_S:
            break
    for one in calls.overtaken or ():
        if monotonic() - begun > _BUDGET_S:
            break
        answered.append((one, await send(out, one, calls.target, calls.now + int(monotonic() - begun))))
    return replace(calls, answered=answered)


async def send(out: External, one: HookRequest, target: HookTarget, timestamp: int) -> HookAnswer:
    """One try."""
    begun = monotonic()
    page, error = None, None
    try:
        page = await out.ask(target.url, one.call(target, timestamp))
    except InvalidInput as problem:  # an address that may not be asked
        error = problem.detail + _MEND
    except Problem as problem:
        error = f"{problem.detail} within {request.DEADLINE_S:.0f} seconds."
    ms = round((monotonic() - begun) * 1000)
    if page is None:
        return HookAnswer(None, ms, None, error)
    response = page.body[:_KEPT_BYTES].decode(errors="replace").replace("\0", "\N{REPLACEMENT CHARACTER}")
    return HookAnswer(page.status, ms, response, _refusal(page))


def _refusal(page: FetchedPage) -> str | None:
    """Why an answer is none that takes it."""
    if 200 <= page.status < 300:
        return None
    if 300 <= page.status < 400:
        return (
            f"The receiver answered {page.status}: redirects are not followed. Save the address it leads to."
        )
    return f"The receiver answered {page.status}."


def write(tx: Write, calls: HookCalls) -> None:
    """Write down what came of it, as far as they still wait."""
    hook = tx.stored("webhook", [calls.hook["id"]])
    if hook is None:
        return
    if calls.lost:
        if hook["enabled"] and sight.author(tx, hook) is None:
            outcome.disable(tx, hook, authors.LOST)
        return
    for delivery in calls.vain or ():
        outcome.drop_one(tx, delivery, OUT_OF_SIGHT)
    for one, answered in calls.answered or ():
        hook = tx.stored("webhook", [calls.hook["id"]])
        there = tx.stored("webhook_delivery", [one.delivery["id"]])
        if hook is not None and there is not None:
            outcome.note(tx, one.delivery, hook, answered)


SEND = Errand(name="webhooks.send", home=__name__, most=ops.MOST, due=due, look=look, wait=wait, write=write)
