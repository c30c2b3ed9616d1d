"""List connections, make and change one, delete one."""

from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import Conflict, InvalidInput, NotAllowed
from kbwork.base.model import Empty, Id, Input, Name, Secret
from kbwork.core import named
from kbwork.core.operations.declare import destructive, read, write
from kbwork.core.references import ProjectRef
from kbwork.db.rows import ChatConnectionRow
from kbwork.db.tx import Read, Write
from kbwork.modules.chat import jobs
from kbwork.modules.chat.connection import queries, secrets
from kbwork.modules.chat.model import ChatConnection, ChatConnectionDeleted, ChatConnectionSaved, Provider
from kbwork.modules.chat.platform import known
from kbwork.modules.projects import access

MOST = 50
_WHY = "secrets are not kept to be put back: save the connection as it is to be"


@read(
    "chat.connections",
    scope="chat:read",
    guests=False,
    words="is slack connected, teams integration, discord, which chats are there, chat integrations",
    example={},
)
def connections(tx: Read, args: Empty) -> list[ChatConnection]:
    """List the connections with chat platforms by id. Errors are told to admins."""
    return [queries.shown(tx, row) for row in queries.every(tx)]


class ChatConnectionSave(Input):
    id: Id | None = None
    """The connection to change; left out: make one."""
    name: Name | None = None
    """What it is called; a new one has to have one."""
    project: ProjectRef | None = None
    """Where `create` makes issues, and messages become some; with a desk there, they become requests. A new one has to
    have one."""
    provider: Provider | None = None
    """The platform, of a new one alone."""
    secret: Secret | None = None
    """What the platform signs with: Slack's signing secret, the security token of an outgoing webhook of Teams, or the
    public key of an application of Discord. Left out: as it is."""
    bot_token: Annotated[str, Field(max_length=500)] | None = None
    """With Slack: the bot token (`xoxb-…`), to show links and answer mentions. Empty: none."""


@write(
    "chat.connection_save",
    scope="admin",
    words=(
        "connect slack, connect microsoft teams, add discord, new chat integration, change the signing secret, "
        "slash command, bot token"
    ),
    undo=_WHY,
    emits=[ChatConnectionSaved],
    example={
        "name": "Acme",
        "provider": "slack",
        "project": "WEB",
        "secret": "8f742231b10e8888abcd99yyyzzz85a5",
    },
)
def connection_save(tx: Write, args: ChatConnectionSave) -> ChatConnection:
    """Make a connection, or change one; fields that are not named stay. For admins who see its project.

    The platform is then told to post to `hook_path` of this site. Its secrets are sealed and never shown again. An org
    has 50 connections at most (409).
    """
    if tx.caller.limited:
        raise NotAllowed(
            "Whoever knows the secret of a connection speaks as everybody who linked an account there: a key that is"
            " limited to projects, or a client that was given some modules, keeps none. Use a session, or a key without"
            " limits."
        )
    row = queries.stored(tx, args.id) if args.id is not None else None
    ident = _make(tx, args) if row is None else _change(tx, row, args)
    return queries.shown(tx, queries.stored(tx, ident))


class ChatConnectionDelete(Input):
    id: Id
    """Id of the connection, from `chat.connections`."""


@destructive(
    "chat.connection_delete",
    scope="admin",
    words="disconnect slack, remove teams, end a chat integration",
    undo=_WHY,
    emits=[ChatConnectionDeleted],
    example={"id": 1},
)
def connection_delete(tx: Write, args: ChatConnectionDelete) -> ChatConnection:
    """Delete a connection with its secrets, linked accounts and subscriptions; what waited is not sent.

    Answers it as it was.
    """
    row = queries.stored(tx, args.id)
    was = queries.shown(tx, row)
    remove(tx, row)
    return was


def remove(tx: Write, row: ChatConnectionRow) -> None:
    """Take it away with all that is on it."""
    for table in jobs.BELOW:
        tx.execute(f"delete from {table} where connection = :id", id=row["id"])
    tx.delete("chat_connection", row["id"])
    tx.emit(ChatConnectionDeleted(subject="org:1", payload={"connection": row["id"], "name": row["name"]}))


def _make(tx: Write, args: ChatConnectionSave) -> int:
    wanted = ("name", "provider", "project", "secret")
    if (missing := next((name for name in wanted if not getattr(args, name)), None)) is not None:
        raise InvalidInput("A new connection has a name, a provider, a project and a secret.", field=missing)
    if tx.value("select count(*) from chat_connection") >= MOST:
        raise Conflict(f"An org has {MOST} connections at most: delete one first.")
    assert args.provider is not None
    checked = known.platform(args.provider).checked_secret(args.secret or "")
    _require_bot(args, args.provider)
    ident = tx.insert(
        "chat_connection",
        name=args.name,
        provider=args.provider,
        project=access.project(tx, args.project or "")["id"],
        secret=b"",
        requests=0,
        created_at=tx.now,
        created_by=tx.caller.me(),
    )
    tx.update(
        "chat_connection",
        ident,
        secret=secrets.sealed(tx, ident, "secret", checked),
        bot_token=secrets.sealed(tx, ident, "bot", args.bot_token) if args.bot_token else None,
    )
    payload = {"connection": ident, "name": args.name, "provider": args.provider}
    tx.emit(ChatConnectionSaved(subject="org:1", payload=payload))
    return ident


def _change(tx: Write, row: ChatConnectionRow, args: ChatConnectionSave) -> int:
    if args.provider is not None and args.provider != row["provider"]:
        raise InvalidInput("A connection stays with its platform: make another one.", field="provider")
    _require_bot(args, row["provider"])
    if row["project"] not in access.roles(tx):
        raise NotAllowed("A connection is changed by admins who see its project.")
    columns: dict[str, Any] = {}
    if args.name is not None:
        columns["name"] = args.name
    if args.project is not None:
        columns["project"] = access.project(tx, args.project)["id"]
    if args.secret is not None:
        checked = known.platform(row["provider"]).checked_secret(args.secret)
        columns["secret"] = secrets.sealed(tx, row["id"], "secret", checked)
    if args.bot_token is not None:
        sealed = secrets.sealed(tx, row["id"], "bot", args.bot_token) if args.bot_token else None
        columns["bot_token"] = sealed
    if columns := named.diff(row, columns):
        tx.update("chat_connection", row["id"], **columns)
        payload = {"connection": row["id"], "name": args.name or row["name"], "changed": sorted(columns)}
        tx.emit(ChatConnectionSaved(subject="org:1", payload=payload))
    return row["id"]


def _require_bot(args: ChatConnectionSave, provider: str) -> None:
    if args.bot_token and provider != "slack":
        raise InvalidInput("Only a connection with Slack has a bot token.", field="bot_token")
