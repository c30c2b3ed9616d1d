"""Webhooks as rows and in their shape, and who may keep them."""

import json

from kbwork.base.errors import NotAllowed
from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.core.ports import query
from kbwork.db.rows import WebhookRow
from kbwork.db.tx import Read
from kbwork.modules.projects import access
from kbwork.modules.webhooks.model import State, Webhook

GONE = "(gone)"
"""In the place of a project that the caller knows nothing of."""


def require_whole(tx: Read) -> None:
    """Raises NotAllowed for a caller who sees less than its member: a webhook would see more than that."""
    if tx.caller.limited:
        raise NotAllowed(
            "Webhooks hear what their author sees: a key that is limited to projects, or a client that was given some"
            " modules, keeps none. Use a session, or a key without limits."
        )


def stored(tx: Read, ident: int) -> WebhookRow:
    """Raises NotAllowed or NotFound."""
    require_whole(tx)
    return named.known(tx.stored("webhook", [ident]), "webhook", ident, "webhooks.list")


def every(tx: Read) -> list[WebhookRow]:
    return tx.all("select * from webhook order by id", WebhookRow)


def state(row: WebhookRow) -> State:
    if not row["enabled"]:
        return "disabled"
    return "failing" if row["failures"] else "ok"


def shown(tx: Read, row: WebhookRow) -> Webhook:
    return Webhook(
        id=row["id"],
        name=row["name"],
        url=row["url"],
        events=json.loads(row["events"]),
        project=_project(tx, row),
        tql=present_tql(tx, row),
        headers=dict.fromkeys(json.loads(row["header_names"])),
        fields=json.loads(row["fields"]),
        enabled=bool(row["enabled"]),
        batch_seconds=row["batch_seconds"],
        state=state(row),
        last_at=row["last_at"],
        last_status=row["last_status"],
        failures=row["failures"],
        author=row["author"],
    )


def _project(tx: Read, row: WebhookRow) -> str | None:
    """Its key, where the caller may know it."""
    if row["project"] is None:
        return None
    found: str | None = tx.value(
        "select p.key from project p where p.id = :id"
        f" and (({access.SEEN}) or p.id in (select value from json_each(:kb_named)))",
        id=row["project"],
        **visibility.binds(tx),
    )
    return found or GONE


def present_tql(tx: Read, row: WebhookRow) -> str:
    """The condition with the names of today."""
    return query.present(tx, row["tql"], row["names"])
