"""List subscriptions, make and change one, try one, delete one."""

import json
from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import Conflict, InvalidInput, NotAllowed, UpstreamFailed
from kbwork.base.model import Empty, Id, Input, Name, Text
from kbwork.base.urls import parts_of
from kbwork.core import named
from kbwork.core.operations.declare import destructive, read, write
from kbwork.core.operations.external import External
from kbwork.core.ports import mail, query
from kbwork.db.rows import ChatSubscriptionRow
from kbwork.db.tx import Read, Write
from kbwork.modules.chat.connection import queries as connections
from kbwork.modules.chat.connection import secrets
from kbwork.modules.chat.model import (
    ChatSubscription,
    ChatSubscriptionDeleted,
    ChatSubscriptionGone,
    ChatSubscriptionSaved,
    ChatSubscriptionTested,
    PostedKind,
)
from kbwork.modules.chat.platform import known
from kbwork.modules.chat.platform.platforms import PostLine
from kbwork.modules.chat.subscription import queries, sender

MOST = 100
_WHY = "what was posted is posted: save the subscription as it is to be"
Url = Annotated[str, Field(min_length=1, max_length=2000, pattern=r"^https?://[!-~]+$")]


@read(
    "chat.subscriptions",
    scope="chat:read",
    guests=False,
    words="which channels hear of issues, slack notifications, channel subscriptions",
    example={},
)
def subscriptions(tx: Read, args: Empty) -> list[ChatSubscription]:
    """List the subscriptions of channels by id. Their queries are told to admins."""
    return [queries.shown(tx, row) for row in queries.every(tx)]


class ChatSubscriptionSave(Input):
    id: Id | None = None
    """The subscription to change; left out: make one."""
    connection: Id | None = None
    """Id of the connection whose platform the channel is on; a new one has to have one."""
    name: Name | None = None
    """What it is called, such as the name of the channel; a new one has to have one."""
    events: Annotated[list[PostedKind], Field(min_length=1)] | None = None
    """What is posted; a new one has to say it."""
    tql: Annotated[Text, Field(max_length=4000)] | None = None
    """Only issues that fit this query when they are told; empty: every issue."""
    origin: Annotated[str, Field(max_length=300, pattern=r"^https?://[!-~]+$")] | None = None
    """Address of this site in links; left out: as the server knows itself."""
    webhook_url: Url | None = None
    """The channel's incoming webhook; a new one has to have one. It is sealed and never shown; left out: as it is."""


@write(
    "chat.subscription_save",
    scope="admin",
    words=(
        "post to a slack channel, notify a channel, tell teams about new issues, subscribe a channel, "
        "send issue updates to discord"
    ),
    undo=_WHY,
    emits=[ChatSubscriptionSaved],
    example={
        "connection": 1,
        "name": "#shop",
        "events": ["issue.created", "comment.created"],
        "tql": "project = WEB",
        "webhook_url": "https://hooks.example.com/services/T0/B0/x",
    },
)
def subscription_save(tx: Write, args: ChatSubscriptionSave) -> ChatSubscription:
    """Make a subscription, or change one; fields that are not named stay. For admins.

    Whoever saves it is its author: the channel hears of what they may hear of, and of nothing once they are no admin.
    Comments that are internal are never posted. What is brought in or undone is not posted either. An org has 100
    subscriptions at most (409).
    """
    if tx.caller.limited:
        raise NotAllowed(
            "A channel hears of what its author sees: a key that is limited to projects, or a client that was given"
            " some modules, keeps no subscription. Use a session, or a key without limits."
        )
    row = queries.stored(tx, args.id) if args.id is not None else None
    columns = _columns(tx, args, row)
    ident = _make(tx, args, columns) if row is None else _change(tx, row, args, columns)
    return queries.shown(tx, queries.stored(tx, ident))


class ChatSubscriptionDelete(Input):
    id: Id
    """Id of the subscription, from `chat.subscriptions`."""


@destructive(
    "chat.subscription_delete",
    scope="admin",
    words="stop posting to a channel, unsubscribe slack channel",
    undo=_WHY,
    emits=[ChatSubscriptionDeleted],
    example={"id": 1},
)
def subscription_delete(tx: Write, args: ChatSubscriptionDelete) -> ChatSubscriptionGone:
    """Delete a subscription; what waited is not posted."""
    row = queries.stored(tx, args.id)
    tx.execute("delete from chat_post where subscription = :id", id=row["id"])
    tx.delete("chat_subscription", row["id"])
    payload = {"subscription": row["id"], "name": row["name"]}
    tx.emit(ChatSubscriptionDeleted(subject="org:1", payload=payload))
    return ChatSubscriptionGone(id=row["id"])


class ChatSubscriptionTest(Input):
    id: Id
    """Id of the subscription."""


@write(
    "chat.subscription_test",
    scope="admin",
    words="try a slack channel, send a test message to the channel, does the channel webhook work",
    undo="what was posted is posted",
    emits=[],
    example={"id": 1},
)
async def subscription_test(out: External, args: ChatSubscriptionTest) -> ChatSubscriptionTested:
    """Post a word to the channel now, once. Where the channel does not take it, 502 says what it answered."""
    provider, url, line = await out.read(lambda tx: _trial(tx, args.id))
    answered = await sender.call(out, url, known.platform(provider).post(line))
    if answered.error is not None:
        raise UpstreamFailed(answered.error)
    return await out.conclude(lambda tx: ChatSubscriptionTested(id=queries.stored(tx, args.id)["id"]))


def _trial(tx: Read, ident: int) -> tuple[str, str, PostLine]:
    """(the platform, the address of the channel, what is posted). Raises NotFound or MasterKeyLost."""
    row = queries.stored(tx, ident)
    told = (
        f"A try of {row['name']}, by {tx.value('select name from member where id = :id', id=tx.caller.me())}"
    )
    line = PostLine("kbwork", "Hello", row["origin"] or mail.origin(tx), told)
    return connections.stored(tx, row["connection"])["provider"], secrets.url(tx, row), line


def _columns(tx: Write, args: ChatSubscriptionSave, row: ChatSubscriptionRow | None) -> dict[str, Any]:
    """What is named, checked, as it is kept. Raises NotFound, TqlSyntax, TqlName or InvalidInput."""
    columns: dict[str, Any] = {"author": tx.caller.me(), "scopes": json.dumps(sorted(tx.caller.scopes))}
    if args.connection is not None:
        columns["connection"] = connections.stored(tx, args.connection)["id"]
    if args.name is not None:
        columns["name"] = args.name
    if args.events is not None:
        columns["events"] = json.dumps(list(dict.fromkeys(args.events)))
    for name, url in (("origin", args.origin), ("webhook_url", args.webhook_url)):
        if url is not None and parts_of(url) is None:
            raise InvalidInput("Write the address as https://example.com/path.", field=name)
    if args.origin is not None:
        columns["origin"] = args.origin.rstrip("/")
    was = query.present(tx, row["tql"], row["names"]) if row is not None else ""
    # one that stays is asked by its new author, too
    return columns | query.kept(tx, (args.tql if args.tql is not None else was).strip(), "tql")


def _make(tx: Write, args: ChatSubscriptionSave, columns: dict[str, Any]) -> int:
    wanted = ("connection", "name", "events", "webhook_url")
    if (missing := next((name for name in wanted if not getattr(args, name)), None)) is not None:
        raise InvalidInput(
            "A new subscription has a connection, a name, events and a webhook_url.", field=missing
        )
    if tx.value("select count(*) from chat_subscription") >= MOST:
        raise Conflict(f"An org has {MOST} subscriptions at most: delete one first.")
    ident = tx.insert(
        "chat_subscription",
        **({"origin": ""} | columns),
        url=b"",
        since=tx.seq + 1,  # behind the event that tells of this
        sent=0,
        created_at=tx.now,
        created_by=tx.caller.me(),
    )
    tx.update("chat_subscription", ident, url=secrets.sealed_url(tx, ident, args.webhook_url or ""))
    payload = {"subscription": ident, "name": args.name}
    tx.emit(ChatSubscriptionSaved(subject="org:1", payload=payload))
    return ident


def _change(tx: Write, row: ChatSubscriptionRow, args: ChatSubscriptionSave, columns: dict[str, Any]) -> int:
    if args.webhook_url is not None:
        columns["url"] = secrets.sealed_url(tx, row["id"], args.webhook_url)
    if columns := named.diff(row, columns):
        tx.update("chat_subscription", row["id"], **columns)
        told = sorted(columns.keys() - {"author", "scopes", "names"})
        payload = {"subscription": row["id"], "name": args.name or row["name"], "changed": told}
        tx.emit(ChatSubscriptionSaved(subject="org:1", payload=payload))
    return row["id"]
