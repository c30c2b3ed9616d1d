"""Read the token of a bot."""

from kbwork.base.model import Id, Input
from kbwork.core.operations.declare import write
from kbwork.db.tx import Write
from kbwork.modules.chat.connection import queries, secrets
from kbwork.modules.chat.model import BotToken


class ChatBotToken(Input):
    id: Id
    """Id of the connection."""


@write(
    "chat.bot_token",
    scope="system",
    words="token of the slack bot",
    undo="nothing is changed",
    emits=[],
    example={"id": 1},
)
def bot_token(tx: Write, args: ChatBotToken) -> BotToken:
    """Read the bot token of a connection, empty where there is none. For the server itself."""
    return BotToken(token=secrets.bot(tx, queries.stored(tx, args.id)) or "")
