"""List mailboxes, make and change one, delete one."""

import json
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from kbwork.base.errors import Conflict, InvalidInput, NotAllowed
from kbwork.base.model import Empty, Id, Input, Name, Text
from kbwork.core.hooks import new_token
from kbwork.core.operations.declare import destructive, write
from kbwork.core.operations.external import External
from kbwork.core.references import ProjectRef
from kbwork.db.rows import MailboxRow
from kbwork.db.tx import Read, Write
from kbwork.modules import spaces
from kbwork.modules.mail import outbox
from kbwork.modules.mail.mailbox import queries
from kbwork.modules.mail.model import Mailbox, Protocol, Security
from kbwork.modules.mail.sender import Host, Port
from kbwork.modules.projects import access as projects

MOST = 50
_WHY = "a password is not kept to be put back: save the mailbox as it is to be"
_PORTS = {("imap", "tls"): 993, ("imap", "starttls"): 143, ("pop", "tls"): 995, ("pop", "starttls"): 110}
Sender = Annotated[
    str, StringConstraints(min_length=3, max_length=254, pattern=r"^@?[^\s@]+(@[^\s@]+)?$", to_lower=True)
]
"""An address, or a domain with or without an @ before it."""
Senders = Annotated[list[Sender], Field(max_length=1000)]


@write(
    "mail.mailboxes",
    scope="admin",
    words="which mailboxes are read, incoming mail, imap, email to issue, inbound mail",
    undo="it changes nothing",
    emits=[],
    example={},
)
def mailboxes(tx: Read, args: Empty) -> list[Mailbox]:
    """List the mailboxes by id."""
    outbox.require_unlimited(tx)
    return [queries.shown(tx, row) for row in queries.every(tx)]


class MailTargetInput(Input):
    desk: ProjectRef | None = None
    """A project with a service desk: mail becomes requests and answers to them."""
    project: ProjectRef | None = None
    """A project: mail becomes issues and comments."""
    page_space: spaces.SpaceRef | None = None
    """A space: mail becomes pages."""


class MailMailboxSave(Input):
    id: Id | None = None
    """The mailbox to change; left out: make one."""
    name: Name
    """What it is called."""
    protocol: Protocol
    """How it is read; it stays what it is."""
    target: MailTargetInput
    """What mail becomes: one of its fields."""
    host: Host | None = None
    """Name of the mail server; not with `hook`."""
    port: Port | None = None
    """Its port; left out: the usual one."""
    security: Security | None = None
    """How the connection is secured; at first `starttls` with port 143 or 110, else `tls`. `none` only where the
    operator lists host and port."""
    user: Annotated[str, StringConstraints(max_length=320, pattern=r"^[^\r\n\x00]*$")] | None = None
    """Who signs in there."""
    password: Annotated[str, StringConstraints(max_length=1024, pattern=r"^[^\r\n\x00]*$")] | None = None
    """Kept where it is left out and host, port and user stay; sealed, and never shown."""
    folder: Annotated[str, StringConstraints(max_length=500, pattern=r"^[^\r\n\x00]*$")] | None = None
    """The folder that is read, with `imap`; at first `INBOX`."""
    every_minutes: Annotated[int, Field(ge=1, le=1440)] | None = None
    """How often it is read; at first every 5 minutes."""
    delete_after: bool | None = None
    """Whether mail is deleted there once it was taken."""
    allow: Senders | None = None
    """Addresses, and domains as `example.com`, that are heard; empty: all. Who is named here is heard by a project and
    a space though they are no member."""
    deny: Senders | None = None
    """Addresses and domains that are not heard."""


@write(
    "mail.mailbox_save",
    scope="admin",
    words="read a mailbox, turn mails into issues, connect imap, support mailbox, email to page, incoming mail address",
    undo=_WHY,
    emits=[],
    example={"name": "Ideas", "protocol": "hook", "target": {"project": "WEB"}},
)
async def mailbox_save(out: External, args: MailMailboxSave) -> Mailbox:
    """Make a mailbox that is read, or change one; fields that are not named stay. For admins who see its target.

    Mail to a desk becomes a request, or an answer to one. Mail to a project becomes an issue of the member whose
    address it comes from, with what they may, or a comment where it answers to a letter; mail to a space becomes a
    page. Who is no member is heard there only where `allow` names them, in the name of whoever saved the mailbox.

    With `imap` unread mail is taken and marked as read, with `pop` all mail; a `hook` has an address that a mail
    service posts to. The mail server is a public one, unless the operator lists host and port. An org has 50
    mailboxes at most (409).
    """
    if args.protocol == "hook":
        return await out.conclude(lambda tx: _save(tx, args, {}))
    lines = out.mail_lines
    place = await out.read(lambda tx: _place(tx, args))
    lines.require(place["host"], place["port"], field="host")
    if place["security"] == "none" and not lines.lists(place["host"], place["port"]):
        raise InvalidInput("A password goes over a secured connection: starttls or tls.", field="security")
    return await out.conclude(lambda tx: _save(tx, args, _place(tx, args)))


class MailMailboxDelete(Input):
    id: Id
    """Number of the mailbox, from `mail.mailboxes`."""


@destructive(
    "mail.mailbox_delete",
    scope="admin",
    words="stop reading a mailbox, remove imap, end incoming mail",
    undo=_WHY,
    emits=[],
    example={"id": 1},
)
def mailbox_delete(tx: Write, args: MailMailboxDelete) -> list[Mailbox]:
    """Delete a mailbox with its password; what came of its mail stays. Answers those that are left."""
    outbox.require_unlimited(tx)
    remove(tx, queries.stored(tx, args.id))
    return [queries.shown(tx, row) for row in queries.every(tx)]


def remove(tx: Write, row: MailboxRow) -> None:
    tx.execute("delete from mailbox_mail where mailbox = :id", id=row["id"])
    tx.execute("delete from mailbox where id = :id", id=row["id"])


def _place(tx: Read, args: MailMailboxSave) -> dict[str, Any]:
    """Where it is and who signs in, with the password as it is kept or given. Raises InvalidInput."""
    was = _was(tx, args)
    host = args.host or (was["host"] if was is not None else "")
    if not host:
        raise InvalidInput("Name the mail server.", field="host")
    security = args.security or (was["security"] if was is not None else None)
    security = security or ("starttls" if args.port in (110, 143) else "tls")
    port = args.port or (was["port"] if was is not None else _PORTS.get((args.protocol, security), 0))
    user = args.user if args.user is not None else was["user"] if was is not None else ""
    stays = was is not None and (was["host"], was["port"], was["user"]) == (host, port, user)
    secret = args.password
    if secret is None and was is not None and stays:
        secret = queries.opened(tx, was, "password")
    if not user or not secret:
        raise InvalidInput(
            "A mailbox is opened by a user and a password; a new host, port or user wants the password anew.",
            field="password",
        )
    if port == 0:
        raise InvalidInput("Name the port.", field="port")
    return {"host": host, "port": port, "security": security, "user": user, "password": secret}


def _was(tx: Read, args: MailMailboxSave) -> MailboxRow | None:
    """The mailbox that is changed. Raises NotFound, NotAllowed or InvalidInput."""
    outbox.require_unlimited(tx)
    if args.id is None:
        return None
    row = queries.stored(tx, args.id)
    if row["protocol"] != args.protocol:
        raise InvalidInput("A mailbox stays with its protocol: make another one.", field="protocol")
    if not queries.target_seen(tx, row):
        raise NotAllowed("A mailbox is changed by admins who see what its mail becomes.")
    return row


def _save(tx: Write, args: MailMailboxSave, place: dict[str, Any]) -> Mailbox:
    was = _was(tx, args)
    columns: dict[str, Any] = {"name": args.name, **_target(tx, args.target), "created_by": tx.caller.me()}
    secret = place.pop("password", None)
    columns |= place
    for name, value in (("folder", args.folder), ("every_minutes", args.every_minutes)):
        if value is not None:
            columns[name] = value
    if args.delete_after is not None:
        columns["delete_after"] = int(args.delete_after)
    for name, senders in (("allow", args.allow), ("deny", args.deny)):
        if senders is not None:
            columns[name] = json.dumps(list(dict.fromkeys(one.lstrip("@") for one in senders)))
    columns["next_at"] = None if args.protocol == "hook" else tx.now
    columns["last_error"] = None
    ident = _make(tx, args, columns) if was is None else was["id"]
    if secret is not None:
        columns["password"] = queries.sealed(tx, ident, "password", secret)
    put = ", ".join(f"{name} = :{name}" for name in columns)
    tx.execute(f"update mailbox set {put} where id = :id", **columns, id=ident)
    tx.wake()
    return queries.shown(tx, queries.stored(tx, ident), saved=True)


def _make(tx: Write, args: MailMailboxSave, columns: dict[str, Any]) -> int:
    if tx.value("select count(*) from mailbox") >= MOST:
        raise Conflict(f"An org has {MOST} mailboxes at most: delete one first.")
    given = {"host": "", "port": 0, "security": "tls", "user": "", "folder": "INBOX", "every_minutes": 5}
    given |= {"delete_after": 0, "allow": "[]", "deny": "[]", "protocol": args.protocol, "created_at": tx.now}
    given |= columns
    tx.execute(
        f"insert into mailbox ({', '.join(given)}) values ({', '.join(f':{name}' for name in given)})",
        **given,
    )
    ident = int(tx.value("select last_insert_rowid()"))
    if args.protocol == "hook":
        token = new_token(tx, queries.place_of(ident, "token"))
        tx.execute(
            "update mailbox set token = :token, digest = :digest where id = :id",
            token=token.sealed,
            digest=token.digest,
            id=ident,
        )
    return ident


def _target(tx: Read, target: MailTargetInput) -> dict[str, Any]:
    """Raises InvalidInput or NotFound."""
    named = [name for name in ("desk", "project", "page_space") if getattr(target, name)]
    if len(named) != 1:
        raise InvalidInput("Mail becomes one thing: name desk, project or page_space.", field="target")
    if target.page_space:
        return {
            "target": "page_space",
            "space": spaces.access.space(tx, target.page_space)["id"],
            "project": None,
        }
    key: Text = target.desk or target.project or ""
    project = projects.project(tx, key)
    if target.desk and tx.stored("desk", [project["id"]]) is None:
        raise InvalidInput(
            f"{project['key']} is no service desk: an admin makes it one by desk.save.", field="target"
        )
    return {"target": named[0], "project": project["id"], "space": None}
