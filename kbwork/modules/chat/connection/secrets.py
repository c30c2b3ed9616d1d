"""The secrets of connections and addresses of channels: sealed in the file, opened where they are used."""

from kbwork.core.seal import Seal
from kbwork.db.rows import ChatConnectionRow, ChatSubscriptionRow
from kbwork.db.tx import Read

_MEND = "Save the connection with its secret anew: chat.connection_save."


def sealed(tx: Read, connection: int, what: str, plain: str) -> bytes:
    return Seal(tx.secret).seal(plain.encode(), _place(connection, what))


def secret(tx: Read, row: ChatConnectionRow) -> str:
    """What the platform signs with. Raises MasterKeyLost."""
    return Seal(tx.secret).open(row["secret"], _place(row["id"], "secret"), _MEND).decode()


def bot(tx: Read, row: ChatConnectionRow) -> str | None:
    """The bot token; None where there is none. Raises MasterKeyLost."""
    if row["bot_token"] is None:
        return None
    return Seal(tx.secret).open(row["bot_token"], _place(row["id"], "bot"), _MEND).decode()


def sealed_url(tx: Read, subscription: int, url: str) -> bytes:
    return Seal(tx.secret).seal(url.encode(), f"chat subscription:{subscription}")


def url(tx: Read, row: ChatSubscriptionRow) -> str:
    """Where a channel takes posts. Raises MasterKeyLost."""
    mend = "Save the subscription with its address anew: chat.subscription_save."
    return Seal(tx.secret).open(row["url"], f"chat subscription:{row['id']}", mend).decode()


def _place(connection: int, what: str) -> str:
    return f"chat {what}:{connection}"
