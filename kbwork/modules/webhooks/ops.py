"""List webhooks, make and change one, delete one."""

import json
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import Field, StringConstraints

from kbwork.base import ids
from kbwork.base.errors import Conflict, InvalidInput, MasterKeyLost
from kbwork.base.model import Empty, Id, Input, Int, Name, Text
from kbwork.base.urls import parts_of
from kbwork.core import named
from kbwork.core.operations.declare import destructive, write
from kbwork.core.ports import query
from kbwork.core.references import ProjectRef
from kbwork.db.rows import WebhookRow
from kbwork.db.tx import Read, Write
from kbwork.modules.projects import access
from kbwork.modules.webhooks import event_kinds, own_headers, queries, secret, subject_data
from kbwork.modules.webhooks.delivery import outcome
from kbwork.modules.webhooks.model import SavedWebhook, Webhook, WebhookDeleted, WebhookSaved

MOST = 100
"""Webhooks of one org."""
_WHY = "what left the house is not taken back: save the webhook as it is to be"
_USUAL = {"http": 80, "https": 443}
EventPattern = Annotated[str, StringConstraints(pattern=r"^[a-z_.]{0,80}\*?$", min_length=1)]


@write(
    "webhooks.list",
    scope="admin",
    words="which webhooks exist, outgoing hooks, who is told of events, integrations",
    undo=_WHY,
    emits=[],
    example={},
)
def list_(tx: Read, args: Empty) -> list[Webhook]:
    """List the webhooks by id: what each sends where, and how it fares. Values of headers are not told."""
    return _shown(tx)


class WebhooksSave(Input):
    id: Id | None = None
    """The webhook to change; left out: make one."""
    name: Name
    """What it is called."""
    url: Annotated[str, Field(min_length=1, max_length=2000, pattern=r"^https?://[!-~]+$")]
    """Where events are posted, with `https` or `http`."""
    events: Annotated[list[EventPattern], Field(max_length=100)]
    """Kinds of events, such as `issue.created`; `issue.*` is all that begin so, `*` all. None: it is told what
    `webhooks.send` sends there alone."""
    project: ProjectRef | None = None
    """Only what happens in this project; null: all that you may hear of."""
    tql: Annotated[Text, Field(max_length=4000)] | None = None
    """Only events of issues that fit this condition when they are told; empty: all events."""
    headers: Annotated[dict[str, str | None], Field(max_length=own_headers.MOST)] | None = None
    """Headers that go along, the whole set; null in the place of a value keeps the one that is there."""
    fields: Annotated[list[Text], Field(max_length=50)] | None = None
    """What of the subject goes along as `data`, such as `title` and `assignees`."""
    enabled: bool | None = None
    """False switches it off; what waited is dropped."""
    batch_seconds: Annotated[Int, Field(ge=0, le=3600)] | None = None
    """Gather events for so long into one request; 0: send each by itself."""


@write(
    "webhooks.save",
    scope="admin",
    words=(
        "new webhook, add a webhook, call an url when something happens, outgoing http, "
        "send events to another system, integrate with zapier, notify my server, switch a webhook off"
    ),
    undo=_WHY,
    emits=[WebhookSaved],
    example={
        "name": "Shop window",
        "url": "https://hooks.example.com/kbwork",
        "events": ["issue.*", "comment.created"],
        "project": "WEB",
        "fields": ["title", "status"],
    },
)
def save(tx: Write, args: WebhooksSave) -> SavedWebhook:
    """Make a webhook, or change one; fields that are not named stay. The secret of a new one is shown this once.

    Whoever saves it is its author: it hears what they may hear of, with the scopes of this call, and is switched off
    when they are no admin any more. Saving one that was switched off with `enabled` true switches it on again, for what
    happens from then on. Another host or port in `url` clears the headers, unless they are given anew.

    A kind of event, project or field that is not there is 422 (404 for the project), naming the nearest. An org has 100
    webhooks at most (409).
    """
    queries.require_whole(tx)
    row = queries.stored(tx, args.id) if args.id is not None else None
    columns = _columns(tx, args, row)
    if row is None:
        return _make(tx, args, columns)
    _change(tx, row, args, columns)
    after = queries.stored(tx, row["id"])
    return SavedWebhook(**queries.shown(tx, after), secret=None)


class WebhooksDelete(Input):
    id: Id
    """Id of the webhook, from `webhooks.list`."""


@destructive(
    "webhooks.delete",
    scope="admin",
    words="remove a webhook, stop sending events, end an integration",
    undo=_WHY,
    emits=[WebhookDeleted],
    example={"id": 1},
)
def delete(tx: Write, args: WebhooksDelete) -> list[Webhook]:
    """Delete a webhook with its secret and all its deliveries; what waited is not sent. Answers the others."""
    remove(tx, queries.stored(tx, args.id))
    return _shown(tx)


def remove(tx: Write, row: WebhookRow) -> None:
    """Take it away, with what it kept."""
    outcome.forget(tx, "webhook = :webhook", webhook=row["id"])
    tx.delete("webhook", row["id"])
    tx.emit(WebhookDeleted(subject=f"webhook:{row['id']}", payload={"name": row["name"]}))


def _shown(tx: Read) -> list[Webhook]:
    queries.require_whole(tx)
    return [queries.shown(tx, row) for row in queries.every(tx)]


def _columns(tx: Write, args: WebhooksSave, row: WebhookRow | None) -> dict[str, Any]:
    """What is named, checked, as it is kept."""
    _require_address(args.url)
    columns: dict[str, Any] = {
        "name": args.name,
        "url": args.url,
        "events": json.dumps(event_kinds.checked(tx, args.events)),
        "author": tx.caller.me(),
        "scopes": json.dumps(sorted(tx.caller.scopes)),
    }
    if args.given("project"):
        columns["project"] = access.project(tx, args.project)["id"] if args.project else None
    elif row is not None and row["project"] is not None and row["project"] not in access.roles(tx):
        raise InvalidInput(
            "You do not see the project of this webhook: name one that you see, or null.", field="project"
        )
    tql = args.tql if args.tql is not None else row["tql"] if row is not None else ""
    columns |= _condition(tx, tql.strip(), row)
    if args.fields is not None:
        columns["fields"] = json.dumps(subject_data.checked(tx, args.fields))
    if args.batch_seconds is not None:
        columns["batch_seconds"] = args.batch_seconds
    if args.enabled is not None:
        columns["enabled"] = int(args.enabled)
    return columns


def _require_address(url: str) -> None:
    """Raises InvalidInput for what names no host, or holds a name and password."""
    parts = parts_of(url)
    if parts is None:
        raise InvalidInput("Write the address as https://example.com/path.", field="url")
    if "@" in parts.netloc:
        raise InvalidInput("Put a name and password into `headers`, not into the address.", field="url")
    if parts.fragment or url.endswith("#"):
        raise InvalidInput("Leave out what stands behind `#`: no server is told of it.", field="url")


def _condition(tx: Write, tql: str, row: WebhookRow | None) -> dict[str, Any]:
    """Raises TqlSyntax, TqlName or InvalidInput. One that stays is asked by its new author, too."""
    if row is not None and tql == row["tql"]:
        tql = queries.present_tql(tx, row)
    return query.kept(tx, tql, "tql")


def _make(tx: Write, args: WebhooksSave, columns: dict[str, Any]) -> SavedWebhook:
    if tx.value("select count(*) from webhook") >= MOST:
        raise Conflict(f"An org has {MOST} webhooks at most: delete one first.")
    usual = {"project": None, "fields": "[]", "batch_seconds": 0, "enabled": 1}
    given = own_headers.checked(args.headers or {}, {})
    ident = tx.insert(
        "webhook",
        **(usual | columns),
        header_names=json.dumps(list(given)),
        secret=b"",
        since=tx.seq + 1,  # behind the event that tells of this
        failures=0,
        created_at=tx.now,
        updated_at=tx.now,
    )
    made = ids.token(secret.PREFIX)
    tx.update(
        "webhook", ident, secret=secret.sealed(tx, ident, made), headers=own_headers.sealed(tx, ident, given)
    )
    tx.emit(WebhookSaved(subject=f"webhook:{ident}", payload={"name": args.name}))
    return SavedWebhook(**queries.shown(tx, queries.stored(tx, ident)), secret=made)


def _change(tx: Write, row: WebhookRow, args: WebhooksSave, columns: dict[str, Any]) -> None:
    before = queries.shown(tx, row)
    given, anew = _headers(tx, row, args)
    if anew:
        columns |= {
            "header_names": json.dumps(list(given)),
            "headers": own_headers.sealed(tx, row["id"], given),
        }
    if columns.get("enabled") and not row["enabled"]:
        columns |= {"since": tx.seq + 1, "failures": 0, "failing_since": None}
    if named.diff(row, columns):
        tx.update("webhook", row["id"], updated_at=tx.now, **columns)
        if not columns.get("enabled", row["enabled"]):
            outcome.drop(tx, row["id"], "The webhook was switched off.")
        after = queries.shown(tx, queries.stored(tx, row["id"]))
        changes = named.changes(before, after, _TOLD, url=_origin)
        payload = {"name": args.name} | ({"headers": list(given)} if anew else {})
        tx.emit(WebhookSaved(subject=f"webhook:{row['id']}", payload=payload, changes=changes))


_TOLD = ("name", "url", "events", "project", "tql", "fields", "enabled", "batch_seconds", "author")
"""Of an address its host alone: the rest may be a secret."""


def _headers(tx: Read, row: WebhookRow, args: WebhooksSave) -> tuple[dict[str, str], bool]:
    """(the headers from now on, whether they are others): what was kept for one address goes to no other."""
    moved = _origin(args.url) != _origin(row["url"])
    if args.headers is None:
        return {}, moved and row["headers"] is not None
    try:
        kept = own_headers.of(tx, row) if not moved else {}
    except MasterKeyLost:
        kept = {}
    given = own_headers.checked(args.headers, kept)
    return given, given != kept or (not given and row["headers"] is not None)


def _origin(url: str) -> str:
    """Scheme, host and port."""
    parts = urlsplit(url)
    host = (parts.hostname or "").rstrip(".")
    return f"{parts.scheme}://{host}:{parts.port or _USUAL[parts.scheme]}"
