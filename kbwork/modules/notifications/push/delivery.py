"""Pushing what is unread to the browsers of its reader, at once, and forgetting browsers that are gone."""

import json
from collections.abc import Iterable

from kbwork.base.clock import monotonic
from kbwork.base.dataclasses import dataclass, field
from kbwork.base.errors import MasterKeyLost, Problem
from kbwork.core import org_settings
from kbwork.core.access import visibility
from kbwork.core.jobs.chores import Chore
from kbwork.core.operations.external import External, ServiceCall
from kbwork.core.ports import mail
from kbwork.db.rows import NotificationRow
from kbwork.db.tx import Read, Write, json_array
from kbwork.modules.notifications import queries
from kbwork.modules.notifications.model import Notification
from kbwork.modules.notifications.push import devices, encryption
from kbwork.modules.notifications.push.devices import OpenedDevice
from kbwork.modules.notifications.push.encryption import ServerKey

_AT_ONCE = 10
_MOST_CHARS = 500
_LIVES_S = 86400
_DEADLINE_S = 3.0
_BUDGET_S = 4.0
"""So long the browsers of one reader may take, and all behind which the next look goes on."""
MOST_FAILURES = 10
GONE = (404, 410)


@dataclass(frozen=True, slots=True)
class BrowserPush:
    """One text for one browser, and what its service said: None while it was not asked, 0 where it was not reached."""

    device: OpenedDevice
    text: bytes
    status: int | None = None

    @property
    def taken(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


@dataclass(frozen=True, slots=True)
class EntryPushes:
    """An entry, when its push was due, and what its reader's browsers are to be told."""

    id: int
    due: int
    pushes: list[BrowserPush]


@dataclass(frozen=True, slots=True)
class DuePushes:
    """What is to be pushed, by which key and as whom; and what was."""

    key: ServerKey
    contact: str
    now: int
    entries: list[EntryPushes]
    asked: list[BrowserPush] = field(default_factory=list)


def look(tx: Read) -> DuePushes | None:
    """The next that are due; None where nothing is, or the server has no key yet."""
    rows = tx.all(
        "select * from notification where push_at <= :now order by push_at limit :most",
        NotificationRow,
        now=tx.now,
        most=_AT_ONCE,
    )
    if not rows or (key := _key(tx)) is None:
        return None
    off = org_settings.module_off(tx, "notifications")
    found = [EntryPushes(row["id"], row["push_at"] or 0, [] if off else _pushes(tx, row)) for row in rows]
    return DuePushes(key, contact(tx), tx.now, found)


def _key(tx: Read) -> ServerKey | None:
    """None where it is about to be made, anew where it does not open."""
    try:
        return devices.server_key(tx)
    except MasterKeyLost:
        devices.want_key(tx)
        return None


def _pushes(tx: Read, row: NotificationRow) -> list[BrowserPush]:
    """For who has it unread, and sees it."""
    if queries.state_of(tx, row) != "unread":
        return []
    shown = queries.shown(visibility.as_member(tx, row["member"]), [row])
    return [BrowserPush(one, _text(entry)) for entry in shown for one in devices.opened(tx, row["member"])]


def contact(tx: Read) -> str:
    """Whom a push service may turn to about this server: its address, else a name at its mail domain."""
    here = mail.as_set_up(tx)
    return here["origin"] if here["origin"].startswith("https://") else f"mailto:postmaster@{here['domain']}"


def _text(entry: Notification) -> bytes:
    """What the browser is told: enough to show it and to open it."""
    newest = entry["events"][0] if entry["events"] else None
    told = {
        "id": entry["id"],
        "subject": entry["subject"],
        "title": entry["title"][:_MOST_CHARS],
        "reason": entry["reason"],
        "text": newest["summary"][:_MOST_CHARS] if newest is not None else "",
        "actor": newest["actor"] if newest is not None else None,
        "path": entry["path"],
    }
    return json.dumps(told, ensure_ascii=False).encode()


async def wait(out: External, found: DuePushes) -> DuePushes:
    """Ask the push services, one after the other, for some seconds; the rest is for the next time.

    What is not taken is not sent again: it stands in the inbox. Nor are a reader's further browsers told where some of
    them held it up.
    """
    begun = monotonic()
    done: list[EntryPushes] = []
    asked: list[BrowserPush] = []
    for entry in found.entries:
        if done and monotonic() - begun > _BUDGET_S:
            break
        asked += await _ask_all(out, entry, found)
        done.append(entry)
    return DuePushes(found.key, found.contact, found.now, done, asked)


async def _ask_all(out: External, entry: EntryPushes, by: DuePushes) -> list[BrowserPush]:
    begun = monotonic()
    return [await push(out, one, by) for one in entry.pushes if monotonic() - begun <= _BUDGET_S]


async def push(out: External, one: BrowserPush, by: DuePushes) -> BrowserPush:
    """Push one text, and say what came of it."""
    device = one.device
    body = await out.thread(encryption.encrypted, one.text, device.keys)
    said = await out.thread(encryption.authorization, device.endpoint, by.key, by.contact, by.now)
    headers = {
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(_LIVES_S),
        "Urgency": "normal",
    }
    call = ServiceCall(content=body, authorization=said, headers=headers, deadline_s=_DEADLINE_S, secure=True)
    try:
        status = (await out.ask(device.endpoint, call)).status
    except (
        Problem
    ):  # an address that may not be asked, or a service that is down: both count as a failure of it
        status = 0
    return BrowserPush(device, one.text, status)


def write(tx: Write, found: DuePushes) -> None:
    """These are done with, and so are browsers that are gone."""
    for entry in found.entries:
        tx.execute(
            "update notification set push_at = null where id = :id and push_at = :due",
            id=entry.id,
            due=entry.due,
        )
    settle(tx, found.asked)


def settle(tx: Write, pushed: Iterable[BrowserPush]) -> None:
    """Forget browsers that are gone, and those that take nothing again and again."""
    told = list(pushed)
    gone = {one.device.id for one in told if one.status in GONE}
    taken = {one.device.id for one in told if one.taken}
    failed = {one.device.id for one in told} - gone - taken
    tx.execute(
        "update push_device set failures = 0 where failures > 0 and id in (select value from json_each(:ids))",
        ids=json_array(taken),
    )
    tx.execute(
        "update push_device set failures = failures + 1 where id in (select value from json_each(:ids))",
        ids=json_array(failed),
    )
    tx.execute(
        "delete from push_device where id in (select value from json_each(:ids))"
        " and (id in (select value from json_each(:gone)) or failures >= :most)",
        ids=json_array(gone | failed),
        gone=json_array(gone),
        most=MOST_FAILURES,
    )


PUSH = Chore(name="notifications.push", home=__name__, look=look, write=write, wait=wait)
