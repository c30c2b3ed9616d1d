"""The request of a delivery: its body, and the headers that say what it is and who sends it."""

import hashlib
import hmac
import json

from pydantic_core import to_json

from kbwork.base.dataclasses import dataclass
from kbwork.core import org_settings
from kbwork.core.access import visibility
from kbwork.core.events import feed
from kbwork.core.events.feed import Event
from kbwork.core.operations.external import ServiceCall
from kbwork.db.rows import WebhookDeliveryRow, WebhookRow
from kbwork.db.tx import Read
from kbwork.modules.webhooks import own_headers, secret, subject_data
from kbwork.modules.webhooks.delivery.outcome import MESSAGE

BATCH = "batch"
DEADLINE_S = 5.0
READ_BYTES = 64 * 1024
MOST_BYTES = 512 * 1024
"""A body that would be larger goes without `data`."""


@dataclass(frozen=True, slots=True)
class HookTarget:
    """Where the requests of a webhook go, and what they carry, opened."""

    url: str
    headers: dict[str, str]
    secrets: list[str]


@dataclass(frozen=True, slots=True)
class HookRequest:
    """One request as it is to be sent."""

    delivery: WebhookDeliveryRow
    body: bytes

    def call(self, target: HookTarget, timestamp: int) -> ServiceCall:
        """Signed for this moment."""
        row = self.delivery
        said = {
            "Content-Type": "application/json",
            "X-Kb-Event": row["event"],
            "X-Kb-Delivery": str(row["id"]),
            "X-Kb-Seq": str(row["seq"]),
            "X-Kb-Timestamp": str(timestamp),
            "X-Kb-Signature": ",".join(
                signature(one, timestamp, row["id"], self.body) for one in target.secrets
            ),
        }
        return ServiceCall(
            content=self.body,
            headers=target.headers | said,
            deadline_s=DEADLINE_S,
            most_bytes=READ_BYTES,
            cut=True,
        )


def signature(key: str, timestamp: int, delivery: int, body: bytes) -> str:
    """Over time, delivery and body: none of them can be exchanged."""
    told = b"%d.%d.%b" % (timestamp, delivery, body)
    return f"v1={hmac.digest(key.encode(), told, hashlib.sha256).hex()}"


def target(tx: Read, hook: WebhookRow) -> HookTarget:
    """Raises MasterKeyLost."""
    return HookTarget(hook["url"], own_headers.of(tx, hook), secret.signing(tx, hook))


def made(seen: Read, hook: WebhookRow, row: WebhookDeliveryRow) -> HookRequest | None:
    """The request of a delivery, as its author may hear of what it tells now; None where that is nothing.

    A body that was made for an earlier try stays as it is, while all of it is for them.
    """
    if row["event"] == MESSAGE:
        return HookRequest(row, row["request"].encode()) if row["request"] is not None else None
    rows = seen.all(
        f"select {feed.COLUMNS}, {feed.HEARD_BY} from webhook_event w join events e on e.seq = w.seq"
        " where w.delivery = :delivery order by e.seq",
        delivery=row["id"],
    )
    told = visibility.heard(seen, rows)
    if not told:
        return None
    if row["request"] is not None and len(told) == len(rows) and row["author"] == hook["author"]:
        return HookRequest(row, row["request"].encode())
    events = [feed.event(seen, one) for one in told]
    event = events[0]["kind"] if len(events) == 1 else BATCH
    return written(seen, hook, row | {"event": event, "seq": events[-1]["seq"]}, events)


def written(seen: Read, hook: WebhookRow, row: WebhookDeliveryRow, events: list[Event]) -> HookRequest:
    """The request anew."""
    fields: list[str] = json.loads(hook["fields"])
    told = {"id": row["id"], "webhook": hook["id"], "events": events}
    org = {"org": org_settings.get(seen, "org.slug")}
    body = to_json(told | {"data": _data(seen, events, fields)} | org)
    if len(body) > MOST_BYTES:
        body = to_json(told | {"data": None} | org)
    return HookRequest(row | {"request": body.decode(), "author": hook["author"]}, body)


def _data(seen: Read, events: list[Event], fields: list[str]) -> object:
    """Fields of the subject; of several events, those of each subject by its name; None where none are asked for."""
    if not fields:
        return None
    if len(events) == 1:
        return subject_data.of(seen, events[0]["subject"], fields)
    subjects = dict.fromkeys(event["subject"] for event in events)
    return {subject: subject_data.of(seen, subject, fields) for subject in subjects}
