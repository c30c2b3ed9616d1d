"""Take in what a platform posts: prove that it comes from there, answer commands, and show links."""

import json
import re
from typing import Annotated, Any

from pydantic import Field

from kbwork.base import ids
from kbwork.base.errors import MasterKeyLost
from kbwork.base.model import Id, Input, Text
from kbwork.core.access import impersonate
from kbwork.core.operations import nested
from kbwork.core.operations.declare import write
from kbwork.core.ports import mail
from kbwork.db.rows import ChatConnectionRow
from kbwork.db.tx import Write
from kbwork.modules import issues
from kbwork.modules.chat.command import accounts, commands
from kbwork.modules.chat.connection import queries, secrets
from kbwork.modules.chat.model import ChatIngested
from kbwork.modules.chat.platform import known
from kbwork.modules.chat.platform.platforms import (
    ChatMessage,
    Greeting,
    LateAnswer,
    PostLine,
    SharedLinks,
)

_REFUSED = "A request that nothing proves to come from the platform was refused."
_ISSUE = re.compile(r"/issues/([A-Za-z][A-Za-z0-9]*-[0-9]{1,9})(?:[/?#]|$)")
_MOST_CHARS = 1_000_000


class ChatIngest(Input):
    body: Annotated[str, Field(max_length=_MOST_CHARS)]
    """The body as it came: the platform's signature covers it."""
    connection: Id
    """Id of the connection that it was posted to."""
    headers: dict[str, str]
    """Headers of the request, by small names."""
    members: dict[str, dict[str, list[str]]] | None = None
    """Members as whom linked accounts may act, with their `scopes` at most; left out: all."""
    origin: Text | None = None
    """Address of the site as the platform called it; links go to that which the server knows itself by."""


@write(
    "chat.ingest",
    scope="system",
    words="a message from slack came in, slash command, teams outgoing webhook, discord interaction",
    undo="what a command did is taken back by undoing that",
    emits_any=True,
    example={"connection": 1, "headers": {}, "body": "{}"},
)
def ingest(tx: Write, args: ChatIngest) -> ChatIngested:
    """Take in what was posted to a connection, and answer what the platform is to be told. For the server itself.

    What is not signed as the platform signs, was signed more than five minutes ago, or came before, is `refused`. The
    same message a second time is `accepted` and does nothing.
    """
    row = queries.stored(tx, args.connection)
    body = args.body.encode()
    platform = known.platform(row["provider"])
    try:
        proof = platform.proof(secrets.secret(tx, row), args.headers, body, tx.now)
    except MasterKeyLost as lost:
        return _refused(tx, row, lost.detail)
    if proof is None or not _first(tx, row, f"proof {proof}"):
        return _refused(tx, row, _REFUSED)
    error = None if row["last_error"] == _REFUSED else row["last_error"]
    columns = {"requests": row["requests"] + 1, "last_event_at": tx.now, "last_error": error}
    tx.update("chat_connection", row["id"], **columns)
    try:
        said = platform.read(args.headers, body)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError):
        return ChatIngested(reply=None, result="accepted")  # something that kbwork has no answer to
    return ChatIngested(reply=_answered(tx, row, said, args.members), result="accepted")


def _refused(tx: Write, row: ChatConnectionRow, error: str) -> ChatIngested:
    tx.update("chat_connection", row["id"], requests=row["requests"] + 1, last_error=error)
    return ChatIngested(reply=None, result="refused")


def _first(tx: Write, row: ChatConnectionRow, what: str) -> bool:
    """Whether it comes for the first time."""
    return bool(
        tx.execute(
            "insert or ignore into chat_taken (connection, digest, at) values (:connection, :digest, :now)",
            connection=row["id"],
            digest=ids.digest(what),
            now=tx.now,
        )
    )


def _answered(
    tx: Write,
    row: ChatConnectionRow,
    said: ChatMessage | SharedLinks | Greeting | None,
    members: accounts.Given | None,
) -> Any:
    if isinstance(said, Greeting):
        return said.reply
    if said is None or not _first(tx, row, f"message {said.id}"):
        return None
    caller = accounts.caller_of(tx, row, said.user, members)
    if isinstance(said, SharedLinks):
        if caller is not None:
            with impersonate.instead(tx, caller):
                _unfurl(tx, row, said)
        return None
    platform = known.platform(row["provider"])
    text = commands.answer(tx, row, said, caller)
    if (late := platform.late(said, text)) is None:
        return platform.reply(text)
    _later(tx, row, late)
    return None


def _unfurl(tx: Write, row: ChatConnectionRow, shared: SharedLinks) -> None:
    """Issues that whoever wrote their addresses sees are shown beneath that, to all who are there."""
    if row["bot_token"] is None or "issues:read" not in tx.caller.scopes:
        return
    found: dict[str, PostLine] = {}
    origin = mail.origin(tx)
    for link in shared.links:
        named = _ISSUE.search(link.removeprefix(origin)) if link.startswith(f"{origin}/") else None
        if named is not None and issues.find(tx, named[1]) is not None:
            issue = nested.run(tx, "issues.get", {"key": named[1]})
            url = f"{origin}/issues/{issue['key']}"
            found[link] = PostLine(issue["key"], issue["title"], url, commands.standing(tx, issue))
    if found:
        _later(tx, row, known.SLACK.unfurled(shared, found))


def _later(tx: Write, row: ChatConnectionRow, late: LateAnswer) -> None:
    tx.insert(
        "chat_post",
        connection=row["id"],
        call=late.call,
        body=json.dumps(late.body),
        tries=0,
        next_at=tx.now,
        at=tx.now,
    )
    tx.wake()
