"""Requests by chat, for the module that talks to the platforms."""

from typing import Annotated

from pydantic import Field

from kbwork.base.model import Body, Id, Input, Text
from kbwork.core.mail import quotes
from kbwork.core.operations.declare import write
from kbwork.core.references import ProjectRef
from kbwork.db.rows import CustomerRow, DeskRow
from kbwork.db.tx import Read, Write
from kbwork.modules import issues
from kbwork.modules.desk.customers import accounts, quota
from kbwork.modules.desk.inbound import senders
from kbwork.modules.desk.model import NOT_TAKEN_BACK, DeskCustomerCreated, DeskRequestCreated, Intake
from kbwork.modules.desk.portal.open_desks import open_desks
from kbwork.modules.desk.requests import creation, rows

ChatUser = Annotated[
    str, Field(min_length=1, max_length=200, description="Id of whoever writes, on the platform.")
]
_NO_DESK = "There is no service desk here."
_EMPTY = "Write what you need: the first line says it in short."
_UNKNOWN = "There is no request {} of yours."


class DeskChatRequest(Input):
    chat_user: ChatUser
    connection: Id
    """Id of the chat connection."""
    project: ProjectRef
    provider: Text
    """Which platform it is, such as `slack`."""
    text: Body
    """The first line is the summary, the rest the description; behind the key of a request it is said there."""
    channel: Text | None = None
    """Where answers go on the platform."""
    chat_name: Text | None = None
    """What they are called there."""


@write(
    "desk.chat_request",
    scope="system",
    words="a request from chat, ticket from slack",
    undo=NOT_TAKEN_BACK,
    emits=[DeskRequestCreated, DeskCustomerCreated],
    example={
        "chat_user": "U1",
        "connection": 1,
        "project": "WEB",
        "provider": "slack",
        "text": "The cart is empty",
    },
)
def chat_request(tx: Write, args: DeskChatRequest) -> Intake:
    """Take a message in as a new request, or, where it begins with the key of a request of the sender's, as something
    said there. For the server itself.

    Whoever is unknown on the connection becomes a customer where the desk has `open_signup`, and is ignored elsewhere,
    as are blocked ones and the twenty-first message of a sender in an hour.
    """
    desk = _desk(tx, args.project)
    if desk is None:
        return senders.ignored(reply=_NO_DESK)
    if not args.text.strip():
        return senders.ignored(reply=_EMPTY)
    sender = quota.sender(_key(args.connection, args.chat_user))
    if quota.wait_s(tx, sender) > 0:
        return senders.ignored(reply=senders.TOO_MANY)
    row = _customer(tx, args.connection, args.chat_user) or _admit(tx, desk, args)
    if row is None:
        return senders.ignored(reply=senders.STRANGER)
    if row["blocked_at"] is not None:
        return senders.ignored(reply=senders.SHUT_OUT)
    return senders.note(tx, desk, sender, None, _take(tx, desk, row, args.text.strip()))


class DeskChatStatus(Input):
    chat_user: ChatUser
    connection: Id
    """Id of the chat connection."""
    key: Text
    """Key of the request."""


@write(
    "desk.chat_status",
    scope="system",
    words="status of a request from chat",
    undo="it changes nothing",
    emits=[],
    example={"chat_user": "U1", "connection": 1, "key": "WEB-1"},
)
def chat_status(tx: Read, args: DeskChatStatus) -> Intake:
    """Say how a request of the sender's stands. One that is not theirs is as one that never was. For the server."""
    row = _customer(tx, args.connection, args.chat_user)
    ident = issues.ident_of(tx, args.key)
    known = rows.every(tx, row["id"]) if row is not None and row["blocked_at"] is None else []
    found = [one for one in known if issues.ident_of(tx, one["key"]) == ident]
    if not found:
        return senders.ignored(reply=_UNKNOWN.format(args.key[:100]))
    one = found[0]
    return senders.ignored(one["key"], f"{one['key']} {one['title']}: {one['status']}")


def _desk(tx: Read, project: str) -> DeskRow | None:
    key = project.strip().upper()
    return next((desk for home, desk in open_desks(tx) if home["key"] == key), None)


def _key(connection: int, chat_user: str) -> str:
    return f"chat:{connection}:{chat_user}"


def _customer(tx: Read, connection: int, chat_user: str) -> CustomerRow | None:
    found = tx.stored("customer_chat", [connection, chat_user])
    return accounts.stored(tx, found["customer"]) if found is not None else None


def _admit(tx: Write, desk: DeskRow, args: DeskChatRequest) -> CustomerRow | None:
    name = " ".join((args.chat_name or "").split())[:200] or args.chat_user
    key = _key(args.connection, args.chat_user)
    row = senders.admit(tx, desk, accounts.Outsider(name, "", key), "chat")
    if row is not None:
        tx.insert("customer_chat", connection=args.connection, chat_user=args.chat_user, customer=row["id"])
    return row


def _take(tx: Write, desk: DeskRow, row: CustomerRow, text: str) -> Intake:
    first, _, rest = text.partition("\n")
    word, _, said = text.partition(" ")
    issue = issues.ident_of(tx, word.strip(":,")) if "-" in word else None
    if issue is not None and said.strip():
        key = senders.says(tx, row, issue, said.strip())
        if key is not None:
            return Intake(key=key, reply=f"It was added to {key}.", result="commented")
    asking = creation.Asking(row, "chat")
    made = senders.asks(tx, asking, desk, (quotes.title(first), quotes.whole_text(rest)))
    if isinstance(made, str):
        return senders.ignored(reply=made)
    key = issues.key_of(tx, issues.stored(tx, made))
    return Intake(key=key, reply=f"Your request is here: it is {key}.", result="created")
