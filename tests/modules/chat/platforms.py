"""The three platforms as their manuals say that they sign and write, with nothing of the product."""

import base64
import datetime
import hashlib
import hmac
import http.client
import json
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from kbwork.base.caller import SYSTEM
from kbwork.core.operations.call import AuthorizedCall, Credentials
from tests.conftest import World
from tests.modules.calls import call

SECRET = "8f742231b10e8888abcd99yyyzzz85a5"
TOKEN = base64.b64encode(b"a token of thirty-two bytes, or so").decode()
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = KEY.public_key().public_bytes_raw().hex()
SECRETS = {"slack": SECRET, "teams": TOKEN, "discord": PUBLIC}


def connected(world: World, provider: str = "slack", **more: Any) -> dict[str, Any]:
    value = {"name": provider, "provider": provider, "project": "WEB", "secret": SECRETS[provider]} | more
    found: dict[str, Any] = call(world, "bo", "chat.connection_save", **value)
    return found


def by_itself(world: World, op: str, **value: Any) -> dict[str, Any]:
    """What an operation for the server itself answers it."""
    assert world.app is not None
    dispatcher = world.app.dispatcher
    asked = AuthorizedCall(
        dispatcher.registry.require(op), SYSTEM, Credentials(), world.database.access, "inbound"
    )

    async def answer() -> dict[str, Any]:
        return dict(json.loads((await dispatcher.run(asked, json.dumps(value).encode())).body))

    return world.on_loop(answer())


def take(world: World, connection: int, headers: dict[str, str], body: str, **more: Any) -> dict[str, Any]:
    """What the platform is answered: posted to the door, or with `more` as the server itself takes it."""
    if more:
        return by_itself(world, "chat.ingest", connection=connection, headers=headers, body=body, **more)
    path = f"{urlsplit(world.url).netloc}"
    wire = http.client.HTTPConnection(path, timeout=20)
    sent = {name: value.encode("latin-1", "replace") for name, value in headers.items()}
    wire.request("POST", f"/in/chat/{connection}", body.encode(), sent)
    with closing(wire):
        answer = wire.getresponse()
        text = answer.read()
    if answer.status == 401:
        return {"reply": None, "result": "refused"}
    assert (answer.status, answer.headers["cache-control"]) == (200, "no-store")
    return {"reply": json.loads(text) if text else None, "result": "accepted"}


@dataclass
class Somebody:
    """A person on a platform, who says things there."""

    world: World
    connection: dict[str, Any]
    user: str = "U1"
    name: str = "Rita"
    said: int = 0
    kept: list[tuple[dict[str, str], str]] = field(default_factory=list)

    def says(self, text: str, **more: Any) -> dict[str, Any]:
        """Send a command; answers all that came of it."""
        headers, body = self.signed(text)
        self.kept.append((headers, body))
        return take(self.world, self.connection["id"], headers, body, **more)

    def hears(self, text: str) -> str:
        """What a command is answered with, in words."""
        answer = self.says(text)
        assert answer["result"] == "accepted"
        reply = answer["reply"]
        return str(reply["data"]["content"] if "data" in reply else reply["text"])

    def signed(self, text: str) -> tuple[dict[str, str], str]:
        self.said += 1
        write = {"slack": self._slack, "teams": self._teams, "discord": self._discord}
        return write[self.connection["provider"]](text)

    def _slack(self, text: str) -> tuple[dict[str, str], str]:
        form = {"command": "/kb", "text": text, "user_id": self.user, "user_name": self.name}
        form |= {"channel_id": "C1", "trigger_id": f"T{self.user}.{self.said}"}
        return by_slack(urlencode(form), self.world.clock.now(), "application/x-www-form-urlencoded")

    def _teams(self, text: str) -> tuple[dict[str, str], str]:
        at = datetime.datetime.fromtimestamp(self.world.clock.now(), datetime.UTC)
        told = {
            "type": "message",
            "id": f"{self.user}.{self.said}",
            "timestamp": at.strftime("%Y-%m-%dT%H:%M:%S.1234567Z"),
            "text": f"<div><at>kbwork</at>&nbsp;{text}</div>",
            "from": {"id": "29:x", "name": self.name, "aadObjectId": self.user},
            "conversation": {"id": "19:x"},
        }
        return by_teams(json.dumps(told))

    def _discord(self, text: str) -> tuple[dict[str, str], str]:
        word, _, rest = text.partition(" ")
        below: dict[str, Any] = {"name": word, "type": 1, "options": []}
        if rest:
            below["options"] = [{"name": "words", "type": 3, "value": rest}]
        told = {
            "type": 2,
            "id": f"{self.user}.{self.said}",
            "channel_id": "9",
            "data": {"type": 1, "name": "kb", "options": [below]},
            "member": {"user": {"id": self.user, "username": self.name}},
        }
        return by_discord(json.dumps(told), self.world.clock.now())


def by_slack(body: str, now: int, kind: str = "application/json") -> tuple[dict[str, str], str]:
    base = f"v0:{now}:{body}"
    said = "v0=" + hmac.new(SECRET.encode(), base.encode(), hashlib.sha256).hexdigest()
    return {"content-type": kind, "x-slack-request-timestamp": str(now), "x-slack-signature": said}, body


def by_teams(body: str) -> tuple[dict[str, str], str]:
    mac = hmac.new(base64.b64decode(TOKEN), body.encode(), hashlib.sha256)
    return {
        "content-type": "application/json",
        "authorization": f"HMAC {base64.b64encode(mac.digest()).decode()}",
    }, body


def by_discord(body: str, now: int) -> tuple[dict[str, str], str]:
    said = KEY.sign(f"{now}{body}".encode()).hex()
    return {
        "content-type": "application/json",
        "x-signature-ed25519": said,
        "x-signature-timestamp": str(now),
    }, body


def linked(world: World, connection: dict[str, Any], who: str = "cy", user: str = "U1") -> Somebody:
    """Somebody on the platform who linked their account."""
    somebody = Somebody(world, connection, user)
    code = somebody.hears("link").replace("\\", "").rpartition(" ")[2]
    world.session(who)
    signed_in(world, who, "members.chat_link", code=code)
    return somebody


def signed_in(world: World, who: str, op: str, **value: Any) -> Any:
    """By a session: no key links an account."""
    return call(world, who, op, **value)
