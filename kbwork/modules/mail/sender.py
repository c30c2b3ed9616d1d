"""The mail server that an admin names: look at it, set it."""

from typing import Annotated, Any

from pydantic import Field, StringConstraints

from kbwork.base.errors import InvalidInput, NotAllowed
from kbwork.base.model import Empty, Input, Name, Text
from kbwork.core import org_settings
from kbwork.core.mail import sender as saved
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.core.ports import mail
from kbwork.core.ports.mail import Letter
from kbwork.db.rows import MailSenderRow
from kbwork.db.tx import Read, Write
from kbwork.modules.mail.model import MailSender, Security

Host = Annotated[
    str, StringConstraints(min_length=1, max_length=253, pattern=r"^[A-Za-z0-9._:-]+$", to_lower=True)
]
Port = Annotated[int, Field(ge=1, le=65535)]
LIMITED = (
    "Whoever names a mail server reads what goes by it, links to set passwords among it: a key that is limited to"
    " projects, or a client that was given some modules, names none. Use a session, or a key without limits."
)


@write(
    "mail.sender",
    scope="admin",
    words="which mail server is used, smtp settings, does this server send mail, outgoing mail",
    undo="it changes nothing",
    emits=[],
    example={},
)
def sender(tx: Read, args: Empty) -> MailSender:
    """Show the mail server that was saved, and by which one mail goes: that of the operator's settings goes first."""
    return _shown(tx)


class MailSenderSet(Input):
    host: Host
    """Name of the mail server."""
    port: Port
    """Its port: mostly 587 with `starttls`, 465 with `tls`."""
    security: Security
    """How the connection is secured. `none` goes without a user alone."""
    from_: Annotated[Text, Field(alias="from")]
    """The address that mail comes from."""
    user: Annotated[str, Field(max_length=320)] | None = None
    """Who signs in there; empty: nobody. Left out: as it is."""
    password: Annotated[str, Field(max_length=1024)] | None = None
    """Kept where it is left out and host, port and user stay; sealed, and never shown."""
    name: Name | None = None
    """What the sender is called; left out: as it is, at first the org's name."""
    signature: Annotated[Text, Field(max_length=2000)] | None = None
    """Text under every letter; empty: none. Left out: as it is."""
    test_to: Text | None = None
    """An address that a test letter is sent to first: where the server does not take it, nothing is saved."""


@write(
    "mail.sender_set",
    scope="admin",
    words="set up smtp, change the mail server, email settings, signature under mails, send a test mail",
    people="people",
    undo="a password is not kept to be put back: save the mail server as it is to be",
    emits=[],
    example={"host": "smtp.acme.example", "port": 587, "security": "starttls", "from": "work@acme.example"},
)
async def sender_set(out: External, args: MailSenderSet) -> MailSender:
    """Save the mail server that mail goes by, at once. For admins, not for agents.

    A server that the operator names in `kbwork.toml` goes first: then this one waits, `source` says `settings`, and
    only `signature` counts. Its address is a public one, unless the operator lists host and port. With `test_to` a
    letter is sent by the new settings first; `said` is what the server answered, and where it does not take the
    letter, 502 says what to mend and nothing is saved.
    """
    if out.caller.limited:
        raise NotAllowed(LIMITED)
    lines = out.mail_lines
    lines.require(args.host, args.port, field="host")
    row, secret, letter = await out.read(lambda tx: _wanted(tx, args))
    said = None
    if args.test_to is not None:
        said = await lines.send(saved.as_server(row, secret), args.test_to, letter, row["updated_at"])
    return await out.conclude(lambda tx: _save(tx, args, said))


def _wanted(tx: Read, args: MailSenderSet) -> tuple[MailSenderRow, str, Letter]:
    """The row as it is to be but for its password, which comes beside it, and a test letter. Raises InvalidInput."""
    if not mail.reaches(args.from_):
        raise InvalidInput("Mail comes from one address, such as work@example.com.", field="from")
    if args.test_to is not None and not mail.reaches(args.test_to):
        raise InvalidInput("A test letter goes to one address, such as me@example.com.", field="test_to")
    was = saved.stored(tx)
    user = args.user if args.user is not None else was["user"] if was is not None else ""
    secret = args.password
    if secret is None:
        stays = was is not None and (was["host"], was["port"], was["user"]) == (args.host, args.port, user)
        secret = saved.password(tx, was) if was is not None and stays else ""
    _check(user, secret, args.security)
    org = org_settings.get(tx, "org.name") or "kbwork"
    row = MailSenderRow(
        id=1,
        host=args.host,
        port=args.port,
        security=args.security,
        user=user,
        password=None,
        sender=args.from_,
        name=mail.one_line(args.name or (was["name"] if was is not None else org)),
        signature=(args.signature if args.signature is not None else was["signature"] if was else "").strip(),
        updated_at=tx.now,
    )
    text = f"This letter was sent to try the mail server {args.host}:{args.port}.\nMail works.\n"
    return row, secret, Letter(subject=f"A test letter of {org}", text=text)


def _check(user: str, secret: str, security: Security) -> None:
    """Raises InvalidInput."""
    if bool(user) != bool(secret):
        raise InvalidInput(
            "A user and a password go together: name both, or none; a new host, port or user wants the password anew.",
            field="password",
        )
    if user and security == "none":
        raise InvalidInput("A password goes over a secured connection: starttls or tls.", field="security")


def _save(tx: Write, args: MailSenderSet, said: str | None) -> MailSender:
    row, secret, _ = _wanted(tx, args)
    row["password"] = saved.sealed(tx, secret) if secret else None
    given: dict[str, Any] = dict(row)
    names = ", ".join(given)
    tx.execute(
        f"insert into mail_sender ({names}) values ({', '.join(f':{name}' for name in given)})"
        f" on conflict do update set {', '.join(f'{name} = :{name}' for name in given if name != 'id')}",
        **given,
    )
    noted = mail.as_set_up(tx)
    if noted.get("source") != "settings":  # what is written from here on goes by it
        server = saved.as_server(row, secret)
        now = mail.SetUp(
            sends=1, domain=server.domain, origin=noted["origin"], source="saved", place=server.place
        )
        mail.set_up(tx, now)
    tx.wake()
    return _shown(tx, said)


def _shown(tx: Read, said: str | None = None) -> MailSender:
    row, noted = saved.stored(tx), mail.as_set_up(tx)
    return {
        "host": row["host"] if row is not None else "",
        "port": row["port"] if row is not None else 587,
        "security": row["security"] if row is not None else "starttls",
        "user": row["user"] if row is not None else "",
        "from": row["sender"] if row is not None else "",
        "name": row["name"] if row is not None else "",
        "signature": row["signature"] if row is not None else "",
        "has_password": row is not None and row["password"] is not None,
        "source": noted.get("source", "none"),
        "place": noted.get("place", ""),
        "said": said,
    }
