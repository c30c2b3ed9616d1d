"""Have a browser pushed to, or no more."""

from typing import Annotated

from pydantic import Field

from kbwork.base.errors import Conflict, NotFound
from kbwork.base.model import Input, Name, Ok
from kbwork.core.operations.declare import destructive, write
from kbwork.db.tx import Read, Write
from kbwork.modules.notifications.push import devices, encryption

MOST = 20
"""Browsers of one member."""
_UNNAMED = "A browser"
_SUBSCRIBED = "a browser subscribes anew, or is taken away"
Endpoint = Annotated[str, Field(min_length=1, max_length=1000, pattern=r"^https?://[!-~]+$")]


class PushKeys(Input):
    """As `PushSubscription.toJSON()` has them in `keys`."""

    p256dh: Annotated[str, Field(max_length=200)]
    """The browser's public key, base64url."""
    auth: Annotated[str, Field(max_length=100)]
    """The browser's secret, base64url."""


class NotificationsPushAdd(Input):
    endpoint: Endpoint
    """The address that the browser gave for being pushed to."""
    keys: PushKeys
    """The browser's keys, as it gave them: `p256dh` and `auth`."""
    device: Annotated[Name, Field(max_length=100)] | None = None
    """What you call it, such as `Firefox on my laptop`."""


@write(
    "notifications.push_add",
    scope="notifications:write",
    words="web push, browser notifications, desktop notifications, notify my phone, subscribe this browser",
    emits=[],
    people="people",
    undo=_SUBSCRIBED,
    example={
        "endpoint": "https://push.example.com/send/abc",
        "keys": {
            "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "auth": "BTBZMqHH6r4Tts7J_aSIgg",
        },
        "device": "Firefox on my laptop",
    },
)
def push_add(tx: Write, args: NotificationsPushAdd) -> Ok:
    """Have a browser pushed to. It subscribes with the `push_key` of notifications.settings, and gives these.

    The same endpoint again is the same browser, and yours from then on, whoever used it before. It must be a public
    address with https, unless the operator lists it; that is seen when the first push goes there. An endpoint that is
    gone is forgotten, and one that takes no push ten times in a row. You have 20 browsers at most (409).
    """
    keys = encryption.browser_keys(args.keys.p256dh, args.keys.auth)
    me, named = tx.caller.me(), devices.digest(args.endpoint)
    tx.execute("delete from push_device where digest = :digest", digest=named)
    _require_room(tx, me)
    tx.execute(
        "insert into push_device (member, digest, sealed, device, added_at)"
        " values (:me, :digest, :sealed, :device, :now)",
        me=me,
        digest=named,
        sealed=devices.sealed(tx, args.endpoint, keys),
        device=args.device or _UNNAMED,
        now=tx.now,
    )
    return Ok(ok=True)


class NotificationsPushRemove(Input):
    endpoint: Endpoint
    """The address that the browser gave."""


@destructive(
    "notifications.push_remove",
    scope="notifications:write",
    words="stop browser notifications, unsubscribe this browser, no push on this device",
    emits=[],
    people="people",
    undo=_SUBSCRIBED,
    example={"endpoint": "https://push.example.com/send/abc"},
)
def push_remove(tx: Write, args: NotificationsPushRemove) -> Ok:
    """Have a browser of yours pushed to no more. One that is not yours, or not known, is 404."""
    gone = tx.execute(
        "delete from push_device where member = :me and digest = :digest",
        me=tx.caller.me(),
        digest=devices.digest(args.endpoint),
    )
    if not gone:
        raise NotFound("You have no browser with this endpoint; notifications.settings shows yours.")
    return Ok(ok=True)


def _require_room(tx: Read, member: str) -> None:
    """Raises Conflict where there are too many."""
    if tx.value("select count(*) from push_device where member = :member", member=member) >= MOST:
        raise Conflict(f"You have {MOST} browsers that are pushed to: take one away first.")
