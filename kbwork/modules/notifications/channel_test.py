"""Try a channel: a letter or a push to oneself."""

import json
from typing import Literal

from kbwork.base.model import Input
from kbwork.core import org_settings
from kbwork.core.mail.letters import letter
from kbwork.core.mail.templates import LetterKind
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.core.ports import mail
from kbwork.db.tx import Read, Write
from kbwork.modules.notifications.model import Tested
from kbwork.modules.notifications.push import delivery, devices
from kbwork.modules.notifications.push.delivery import BrowserPush, DuePushes, EntryPushes

_TEXT = "This is a test: what is for you comes this way."
TRIAL = LetterKind(
    home=__name__,
    key="notifications.test",
    about="To a member who tries whether mail comes.",
    subject="A test from {{org}}",
    variables=("org",),
    body=f"{_TEXT}\n\n--\n{{{{org}}}}\n",
)


class NotificationsTest(Input):
    channel: Literal["mail", "push", "chat"]
    """The way that is tried."""


@write(
    "notifications.test",
    scope="notifications:write",
    words="send me a test mail, try push, does mail work, test notification",
    people="people",
    undo="what was sent is sent",
    example={"channel": "chat"},
)
async def test(out: External, args: NotificationsTest) -> Tested:
    """Have a test sent to yourself: a letter to your address, or a push to each browser of yours.

    `ok` false says in `detail` what to mend: a server without mail, no address, no browser, a push service that does
    not take it. A letter is handed over a moment later; a browser whose service says that it is gone is forgotten.
    """
    if args.channel == "mail":
        return await out.conclude(_by_mail)
    if args.channel == "push":
        return await _by_push(out)
    return Tested(ok=False, detail="No chat is connected to this server.")


def _by_mail(tx: Write) -> Tested:
    if not mail.sends(tx):
        return Tested(
            ok=False,
            detail="This server sends no mail: an admin names a server by mail.sender_set, or its operator as"
            " mail.host.",
        )
    me = tx.caller.me()
    queued = mail.to_member(tx, me, letter(TRIAL, {"org": org_settings.get(tx, "org.name")}))
    if queued is None:
        return Tested(ok=False, detail="Your profile has no address that mail can go to.")
    address = tx.value("select email from member where id = :id", id=me)
    return Tested(ok=True, detail=f"A letter to {address} is on its way.")


async def _by_push(out: External) -> Tested:
    found = await out.read(_look)
    if found is None:
        return Tested(
            ok=False, detail="The server's key for pushing is about to be made: try again in a moment."
        )
    if not found.entries[0].pushes:
        return Tested(
            ok=False, detail="No browser of yours subscribed: allow notifications in the web app there."
        )
    told = await delivery.wait(out, found)
    return await out.conclude(lambda tx: _settled(tx, told.asked))


def _look(tx: Read) -> DuePushes | None:
    devices.want_key(tx)
    key = devices.server_key(tx)
    if key is None:
        return None
    told = {
        "id": None,
        "subject": None,
        "title": org_settings.get(tx, "org.name"),
        "reason": None,
        "text": _TEXT,
    }
    text = json.dumps(told | {"actor": None, "path": "/inbox"}, ensure_ascii=False).encode()
    pushes = [BrowserPush(device, text) for device in devices.opened(tx, tx.caller.me())]
    return DuePushes(key, delivery.contact(tx), tx.now, [EntryPushes(0, 0, pushes)])


def _settled(tx: Write, pushed: list[BrowserPush]) -> Tested:
    delivery.settle(tx, pushed)
    taken = sum(one.taken for one in pushed)
    if taken == len(pushed):
        return Tested(ok=True, detail=f"{taken} of {taken} browsers were told.")
    gone = sum(one.status in delivery.GONE for one in pushed)
    why = (
        f" {gone} had gone and are forgotten."
        if gone
        else " The push services of the others did not take it."
    )
    return Tested(ok=taken > 0, detail=f"{taken} of {len(pushed)} browsers were told.{why}")
