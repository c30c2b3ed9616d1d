"""Connections as rows and in their shape."""

from kbwork.core import named
from kbwork.db.rows import ChatConnectionRow
from kbwork.db.tx import Read
from kbwork.modules.chat.model import ChatConnection
from kbwork.modules.projects import access

PATH = "/in/chat/"
GONE = "(gone)"
"""In the place of a project that the caller does not see."""


def stored(tx: Read, ident: int) -> ChatConnectionRow:
    """Raises NotFound."""
    return named.known(tx.stored("chat_connection", [ident]), "connection", ident, "chat.connections")


def every(tx: Read) -> list[ChatConnectionRow]:
    return tx.all("select * from chat_connection order by id", ChatConnectionRow)


def shown(tx: Read, row: ChatConnectionRow) -> ChatConnection:
    """Errors are for admins: they may say what a channel was to hear of."""
    seen = row["project"] in access.roles(tx)
    return ChatConnection(
        id=row["id"],
        name=row["name"],
        provider=row["provider"],
        project=tx.value("select key from project where id = :id", id=row["project"]) if seen else GONE,
        hook_path=f"{PATH}{row['id']}",
        has_bot_token=row["bot_token"] is not None,
        linked=tx.value("select count(*) from chat_account where connection = :id", id=row["id"]),
        requests=row["requests"],
        last_event_at=row["last_event_at"],
        last_error=row["last_error"] if tx.caller.admin else None,
        created_at=row["created_at"],
        created_by=row["created_by"],
    )
