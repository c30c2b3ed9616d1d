"""Pages of long lists: a cursor names a place in the order, lives an hour and fits one query only."""

import base64
import binascii
import hmac
import json
from typing import Any

from pydantic_core import to_json

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input
from kbwork.db.tx import Read

LIVES_S = 3600
_STEP_S = 300  # a list that did not change has the same cursor, and so the same ETag, for five minutes
DEFAULT = 50
_MAC_BYTES = 16
_APART = ("cursor", "limit")
"""Whichever they are, it is the same query."""


def place(tx: Read, args: Input) -> list[Any] | None:
    """The place behind which the page begins, or None for the first page.

    Raises InvalidInput where the cursor was altered, is older than an hour or belongs to other filters.
    """
    text = getattr(args, "cursor", None)
    if not text:
        return None
    try:
        raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError):
        raw = b""
    payload, mac = raw[:-_MAC_BYTES], raw[-_MAC_BYTES:]
    if not payload or not hmac.compare_digest(mac, _mac(tx, args, payload)):
        raise InvalidInput(
            "This cursor does not belong to this query; start again without it.", field="cursor"
        )
    until, found = json.loads(payload)
    if until < tx.now:
        raise InvalidInput("This cursor is older than an hour; start again without it.", field="cursor")
    return list(found)


def cursor(tx: Read, args: Input, at: list[Any]) -> str:
    """The cursor for the page behind this place."""
    until = tx.now - tx.now % _STEP_S + _STEP_S + LIVES_S
    payload, actor = to_json([until, at]), tx.caller.actor
    last: tuple[str, bytes, str] | None = args.found.get("cursor")
    # a list that did not change has the same cursor
    if last is None or last[0] != actor or last[1] != payload:
        text = base64.urlsafe_b64encode(payload + _mac(tx, args, payload)).decode().rstrip("=")
        last = args.found["cursor"] = (actor, payload, text)
    return last[2]


def limit(args: Input) -> int:
    """How many rows were asked for."""
    asked: int | None = getattr(args, "limit", None)
    return asked if asked is not None else DEFAULT


def _mac(tx: Read, args: Input, payload: bytes) -> bytes:
    query = to_json({name: one for name, one in vars(args).items() if one is not None and name not in _APART})
    text = b"%b\0%b\0%b\0%b" % (type(args).__name__.encode(), tx.caller.actor.encode(), query, payload)
    return hmac.digest(tx.secret, text, "sha256")[:_MAC_BYTES]
