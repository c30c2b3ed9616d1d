"""Subscriptions as rows and in their shape."""

import json

from kbwork.core import named
from kbwork.core.ports import query
from kbwork.db.rows import ChatSubscriptionRow
from kbwork.db.tx import Read
from kbwork.modules.chat.model import ChatSubscription


def stored(tx: Read, ident: int) -> ChatSubscriptionRow:
    """Raises NotFound."""
    return named.known(tx.stored("chat_subscription", [ident]), "subscription", ident, "chat.subscriptions")


def every(tx: Read) -> list[ChatSubscriptionRow]:
    return tx.all("select * from chat_subscription order by id", ChatSubscriptionRow)


def shown(tx: Read, row: ChatSubscriptionRow) -> ChatSubscription:
    """Queries are for admins: they may name what others do not see. To a client that was given some modules nothing is
    told of events of others."""
    return ChatSubscription(
        id=row["id"],
        name=row["name"],
        connection=row["connection"],
        events=[kind for kind in json.loads(row["events"]) if _holds(tx, kind)],
        tql=query.present(tx, row["tql"], row["names"]) if tx.caller.admin else "",
        sent=row["sent"],
        last_sent_at=row["last_sent_at"],
        created_at=row["created_at"],
        created_by=row["created_by"],
    )


def _holds(tx: Read, kind: str) -> bool:
    module = tx.registry.event_modules.get(kind)
    return module is None or tx.caller.holds(module)
