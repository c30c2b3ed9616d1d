"""Discord: interactions, which are slash commands and commands on messages.

Requests are signed by Ed25519 over the timestamp and the body; the public key is that of the application.
"""

import json
import re
from typing import Any

from kbwork.base.errors import InvalidInput
from kbwork.modules.chat.platform.platforms import (
    WINDOW_S,
    ChatMessage,
    ChatPlatform,
    Greeting,
    Headers,
    Incoming,
    PostLine,
)

_KEY = re.compile(r"[0-9a-fA-F]{64}")
_SIGNATURE = re.compile(r"[0-9a-fA-F]{128}")
_PING, _COMMAND, _MESSAGE_COMMAND = 1, 2, 3
_REPLY = 4
_BELOW = (1, 2)
"""A command below a command, or a group of such."""
_SEEN_BY_ONE = 64
_MOST_CHARS = 2000
_SPECIAL = re.compile(r"([\\`*_~|<>\[\]()#\-])")
_NO_MENTIONS: dict[str, Any] = {"parse": []}


class Discord(ChatPlatform):
    name = "discord"

    def checked_secret(self, secret: str) -> str:
        if not _KEY.fullmatch(secret):
            raise InvalidInput(
                "Write the public key of the application: 64 hexadecimal digits.", field="secret"
            )
        return secret.lower()

    def proof(self, secret: str, headers: Headers, body: bytes, now: int) -> str | None:
        from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - 8 ms that no start needs
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey  # noqa: PLC0415 - likewise

        stamp, said = headers.get("x-signature-timestamp", ""), headers.get("x-signature-ed25519", "")
        if not stamp.isascii() or not stamp.isdigit() or len(stamp) > 12 or not _SIGNATURE.fullmatch(said):
            return None
        try:
            Ed25519PublicKey.from_public_bytes(bytes.fromhex(secret)).verify(
                bytes.fromhex(said), stamp.encode() + body
            )
        except (InvalidSignature, ValueError):
            return None
        return f"{stamp}.{said.lower()}" if abs(now - int(stamp)) <= WINDOW_S else None

    def read(self, headers: Headers, body: bytes) -> Incoming:
        told = json.loads(body)
        if told["type"] == _PING:
            return Greeting({"type": _PING})
        if told["type"] != _COMMAND:
            return None
        data = told["data"]
        user = told["member"]["user"] if "member" in told else told["user"]
        message = data.get("type") == _MESSAGE_COMMAND
        return ChatMessage(
            id=str(told["id"]),
            user=str(user["id"]),
            name=str(user.get("global_name") or user.get("username") or ""),
            text=str(data["resolved"]["messages"][data["target_id"]]["content"]) if message else _words(data),
            channel=str(told.get("channel_id") or ""),
            kind="message" if message else "command",
        )

    def reply(self, text: str) -> dict[str, Any]:
        content = _SPECIAL.sub(r"\\\1", text)[:_MOST_CHARS]
        data = {"content": content, "flags": _SEEN_BY_ONE, "allowed_mentions": _NO_MENTIONS}
        return {"type": _REPLY, "data": data}

    def post(self, line: PostLine) -> dict[str, Any]:
        text = f"**{_as_text(line.key)} {_as_text(line.title)}**: {_as_text(line.told)}"
        return {"content": f"{text[: _MOST_CHARS - 300]}\n<{line.url}>", "allowed_mentions": _NO_MENTIONS}


def _as_text(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)


def _words(data: dict[str, Any]) -> str:
    """A command as it would be typed: the names of commands below it, and what was given, in order."""
    words: list[str] = []
    options = data.get("options") or []
    while options and options[0]["type"] in _BELOW:
        words.append(str(options[0]["name"]))
        options = options[0].get("options") or []
    return " ".join([*words, *(str(one["value"]) for one in options)])
