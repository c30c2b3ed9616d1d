"""Pushing what is unread to the browsers of its reader, at once, and forgetting browsers that are gone."""

import json
from collections.abc import Iterable

from kbwork.base.dataclasses import dataclass, field
from kbwork.base.errors import Problem
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
class DuePushes:
    """What is to be pushed, by which key and as whom, and the entries that are done with."""

    key: ServerKey
    contact: str
    now: int
    pushes: list[BrowserPush]
    entries: list[tuple[int, int]] = field(default_factory=list)
    """(id, when its push was due) of each."""


def look(tx: Read) -> DuePushes | None:
    """The next that are due; None where nothing is, or the server has no key yet."""
    rows = tx.all(
        "select * from notification where push_at <= :now order by push_at limit :most",
        NotificationRow,
        now=tx.now,
        most=_AT_ONCE,
    )
    if not rows or (key := devices.server_key(tx)) is None:
        return None
    found = DuePushes(key, contact(tx), tx.now, [], [(row["id"], row["push_at"] or 0) for row in rows])
    for row in rows if not org_settings.module_off(tx, "notifications") else ():
        theirs = visibility.as_member(tx, row["member"])
        if queries.state_of(tx, row) != "unread":
            continue
        for entry in queries.shown(theirs, [row]):
            text = _text(entry)
            found.pushes.extend(BrowserPush(device, text) for device in devices.opened(tx, row["member"]))
    return found


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
    """Ask the push services, one after the other. What is not taken is not sent again: it stands in the inbox."""
    asked = [await push(out, one, found.key, found.contact, found.now) for one in found.pushes]
    return DuePushes(found.key, found.contact, found.now, asked, found.entries)


async def push(out: External, one: BrowserPush, key: ServerKey, contact: str, now: int) -> BrowserPush:
    """Push one text, and say what came of it."""
    device = one.device
    body = await out.thread(encryption.encrypted, one.text, device.keys)
    headers = {
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(_LIVES_S),
        "Urgency": "normal",
    }
    said = await out.thread(encryption.authorization, device.endpoint, key, contact, now)
    call = ServiceCall(content=body, authorization=said, headers=headers, deadline_s=_DEADLINE_S)
    try:
        status = (await out.ask(device.endpoint, call)).status
    except (
        Problem
    ):  # an address that may not be asked, or a service that is down: both count as a failure of it
        status = 0
    return BrowserPush(device, one.text, status)


def write(tx: Write, found: DuePushes) -> None:
    """These are done with, and so are browsers that are gone."""
    for ident, due in found.entries:
        tx.execute(
            "update notification set push_at = null where id = :id and push_at = :due", id=ident, due=due
        )
    settle(tx, found.pushes)


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
