"""Slack: slash commands, mentions, shortcuts on messages and shared links.

Requests are signed by HMAC-SHA256 over `v0:<timestamp>:<body>` with the signing secret of the app.
"""

import hashlib
import hmac
import json
import re
from typing import Any
from urllib.parse import parse_qs

from kbwork.base.errors import InvalidInput
from kbwork.modules.chat.platform.platforms import (
    WINDOW_S,
    ChatMessage,
    ChatPlatform,
    Greeting,
    Headers,
    Incoming,
    LateAnswer,
    PostLine,
    SharedLinks,
)

API = "https://slack.com/api"
POST_MESSAGE = "chat.postMessage"
UNFURL = "chat.unfurl"
_SECRET = re.compile(r"[!-~]{16,200}")
_MENTION = re.compile(r"^\s*<@[A-Z0-9]+>\s*")
_MOST_LINKS = 10


def escaped(text: str) -> str:
    """As text of Slack: nothing in it is a link, a mention or a form."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


class Slack(ChatPlatform):
    name = "slack"

    def checked_secret(self, secret: str) -> str:
        if not _SECRET.fullmatch(secret):
            raise InvalidInput(
                "Write the signing secret of the app, from its page Basic Information.", field="secret"
            )
        return secret

    def proof(self, secret: str, headers: Headers, body: bytes, now: int) -> str | None:
        stamp, said = headers.get("x-slack-request-timestamp", ""), headers.get("x-slack-signature", "")
        if not stamp.isascii() or not stamp.isdigit() or len(stamp) > 12 or abs(now - int(stamp)) > WINDOW_S:
            return None
        right = hmac.new(secret.encode(), b"v0:%b:%b" % (stamp.encode(), body), hashlib.sha256).hexdigest()
        return said if hmac.compare_digest(f"v0={right}".encode(), said.encode()) else None

    def read(self, headers: Headers, body: bytes) -> Incoming:
        if headers.get("content-type", "").startswith("application/json"):
            return _event(json.loads(body))
        form = {name: values[0] for name, values in parse_qs(body.decode()).items()}
        if "payload" in form:
            return _shortcut(json.loads(form["payload"]))
        return ChatMessage(
            id=form["trigger_id"],
            user=form["user_id"],
            name=form.get("user_name", ""),
            text=form.get("text", ""),
            channel=form.get("channel_id", ""),
        )

    def reply(self, text: str) -> dict[str, Any]:
        return {"response_type": "ephemeral", "text": escaped(text)}

    def post(self, line: PostLine) -> dict[str, Any]:
        text = f"<{escaped(line.url)}|{escaped(line.key)}> *{_bold(line.title)}*: {escaped(line.told)}"
        return {"text": text, "unfurl_links": False, "unfurl_media": False}

    def late(self, message: ChatMessage, text: str) -> LateAnswer | None:
        if message.answers is None:
            return None
        if message.answers != POST_MESSAGE:
            return LateAnswer(message.answers, self.reply(text))
        said: dict[str, Any] = {"channel": message.channel, "text": escaped(text), "unfurl_links": False}
        return LateAnswer(POST_MESSAGE, said | ({"thread_ts": message.thread} if message.thread else {}))

    def unfurled(self, shared: SharedLinks, found: dict[str, PostLine]) -> LateAnswer:
        """What stands beneath links."""
        shown = {link: {"blocks": [_section(line)]} for link, line in found.items()}
        return LateAnswer(UNFURL, {"channel": shared.channel, "ts": shared.message, "unfurls": shown})


def _section(line: PostLine) -> dict[str, Any]:
    head = f"*<{escaped(line.url)}|{escaped(line.key)}> {_bold(line.title)}*"
    return {"type": "section", "text": {"type": "mrkdwn", "text": f"{head}\n{escaped(line.told)}"}}


def _bold(text: str) -> str:
    """Inside stars, none may stand."""
    return escaped(text.replace("*", "\N{ASTERISK OPERATOR}"))


def _event(told: dict[str, Any]) -> Incoming:
    if told["type"] == "url_verification":
        return Greeting({"challenge": str(told["challenge"])})
    if told["type"] != "event_callback":
        return None
    event = told["event"]
    if event["type"] == "link_shared":
        links = tuple(str(one["url"]) for one in event["links"][:_MOST_LINKS])
        return SharedLinks(told["event_id"], event["user"], event["channel"], str(event["message_ts"]), links)
    if event["type"] != "app_mention" or "bot_id" in event:
        return None
    return ChatMessage(
        id=told["event_id"],
        user=event["user"],
        name="",
        text=_MENTION.sub("", event["text"]),
        channel=event["channel"],
        answers=POST_MESSAGE,
        thread=event.get("thread_ts") or event["ts"],
    )


def _shortcut(told: dict[str, Any]) -> Incoming:
    """On a message: a request is made of it."""
    if told["type"] != "message_action":
        return None
    return ChatMessage(
        id=told["trigger_id"],
        user=told["user"]["id"],
        name=told["user"].get("name", ""),
        text=told["message"]["text"],
        channel=told["channel"]["id"],
        kind="message",
        answers=told["response_url"],
    )
