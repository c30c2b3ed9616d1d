"""Microsoft Teams: outgoing webhooks of a team, which are called by their name.

Requests carry `Authorization: HMAC <base64>`: HMAC-SHA256 over the body with the security token, which is base64. The
signature does not say when it was made: the message does.
"""

import base64
import binascii
import datetime
import hashlib
import hmac
import json
import re
from typing import Any

from kbwork.base.errors import InvalidInput
from kbwork.modules.chat.platform.platforms import (
    WINDOW_S,
    ChatMessage,
    ChatPlatform,
    Headers,
    Incoming,
    PostLine,
)

_LEAST_BYTES = 16
_AT = re.compile(r"<at\b[^>]*>.*?</at>", re.IGNORECASE | re.DOTALL)
_BREAK = re.compile(r"<(?:br|/p|/div)\b[^>]*>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")
_SPECIAL = re.compile(r"([\\`*_\[\]()#+\-!|~>])")


class Teams(ChatPlatform):
    name = "teams"

    def checked_secret(self, secret: str) -> str:
        try:
            long_enough = len(base64.b64decode(secret, validate=True)) >= _LEAST_BYTES
        except (binascii.Error, ValueError):
            long_enough = False
        if not long_enough:
            raise InvalidInput(
                "Write the security token as Teams shows it when the outgoing webhook is made.",
                field="secret",
            )
        return secret

    def proof(self, secret: str, headers: Headers, body: bytes, now: int) -> str | None:
        said = headers.get("authorization", "")
        right = base64.b64encode(hmac.digest(base64.b64decode(secret), body, hashlib.sha256)).decode()
        if not hmac.compare_digest(f"HMAC {right}".encode(), said.encode()):
            return None
        return said if _is_fresh(body, now) else None

    def read(self, headers: Headers, body: bytes) -> Incoming:
        told = json.loads(body)
        if told["type"] != "message":
            return None
        return ChatMessage(
            id=str(told["id"]),
            user=str(told["from"].get("aadObjectId") or told["from"]["id"]),
            name=str(told["from"].get("name") or ""),
            text=_plain(str(told["text"])),
            channel=str(told["conversation"]["id"]),
        )

    def reply(self, text: str) -> dict[str, Any]:
        return {
            "type": "message",
            "text": _SPECIAL.sub(r"\\\1", text).replace("<", "&lt;").replace("\n", "\n\n"),
        }

    def post(self, line: PostLine) -> dict[str, Any]:
        """A card, as workflows of Teams take it."""
        shown = [
            {
                "type": "TextBlock",
                "wrap": True,
                "weight": "Bolder",
                "text": _as_text(f"{line.key} {line.title}"),
            },
            {"type": "TextBlock", "wrap": True, "text": _as_text(line.told)},
        ]
        card = {
            "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
            "type": "AdaptiveCard",
            "version": "1.4",
            "body": shown,
            "actions": [{"type": "Action.OpenUrl", "title": line.key, "url": line.url}],
        }
        return {
            "type": "message",
            "attachments": [{"contentType": "application/vnd.microsoft.card.adaptive", "content": card}],
        }


def _as_text(text: str) -> str:
    """As text of a card, which reads a part of Markdown."""
    return _SPECIAL.sub(r"\\\1", text)


def _is_fresh(body: bytes, now: int) -> bool:
    try:
        at = datetime.datetime.fromisoformat(str(json.loads(body)["timestamp"]))
        return at.tzinfo is not None and abs(now - at.timestamp()) <= WINDOW_S
    except (ValueError, KeyError, TypeError, OverflowError):
        return False


def _plain(html: str) -> str:
    """What was written, without the name that called and without forms."""
    from html import unescape  # noqa: PLC0415 - 2 ms that no start needs

    return unescape(_TAG.sub("", _BREAK.sub("\n", _AT.sub("", html)))).replace("\xa0", " ").strip()
