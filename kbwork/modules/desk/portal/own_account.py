"""The customer who calls, and what they say of themselves."""

import json
from typing import Annotated

from pydantic import Field

from kbwork.base.errors import InvalidInput, Unauthenticated
from kbwork.base.model import Input, Name, Secret
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.core.ports import mail
from kbwork.db.rows import CustomerRow
from kbwork.db.tx import Read, Row, Write
from kbwork.modules import auth
from kbwork.modules.desk.customers import accounts
from kbwork.modules.desk.model import DeskCustomer
from kbwork.modules.desk.portal.open_desks import open_desks

METHOD = "portal"


def me(tx: Read) -> CustomerRow:
    """Raises Unauthenticated where they were shut out in between."""
    ident = tx.caller.customer
    row = tx.stored("customer", [ident]) if ident is not None else None
    if row is None or row["blocked_at"] is not None:
        raise Unauthenticated("Sign in to the portal: desk.portal_login.")
    return row


class DeskPortalUpdate(Input):
    name: Name | None = None
    """What you are called."""
    locale: Annotated[str, Field(max_length=35)] | None = None
    """The language that you want to be answered in: one of those of an open desk; an empty text: none said."""
    password: Secret | None = None
    """A new one; what fits says auth.password_change."""
    current: Secret | None = None
    """The password of now; needed with another one."""
    notify: bool | None = None
    """Whether you are mailed what is said on your requests."""


@write(
    "desk.portal_update",
    scope="desk:portal",
    words="change my name on the portal, new password as a customer, no more mails, my language",
    undo="say it anew",
    emits=[],
    example={"name": "Sol Rivers", "notify": True},
)
async def portal_update(out: External, args: DeskPortalUpdate) -> DeskCustomer:
    """Say what you are called, your language, whether you are mailed, or another password: with that, all other places
    where you are signed in end.

    A password that an agent made opens that agent's desks alone, and so does what it is changed to: whoever made it may
    change it, too. Where this server sends mail the link of desk.portal_start_reset ends that, where it sends none any
    change does. A wrong `current` is 422, and after ten of them in 15 minutes 429, as with signing in.
    """

    def look(tx: Read) -> CustomerRow:
        row = me(tx)
        _require_language(tx, args.locale)
        if args.password is not None:
            auth.attempts.require_room(tx, accounts.attempts_key(row["email"]), None)
            if args.current is None:
                raise InvalidInput("Say the password of now, too.", field="current")
            auth.require_fitting(tx, args.password, (args.name or row["name"], row["email"]))
        return row

    def change(tx: Write) -> DeskCustomer | None:
        row = me(tx)
        columns = args.filled("name", notify=int) | (
            {"locale": args.locale or None} if args.given("locale") else {}
        )
        if hashed is not None:
            if not right or row["password"] != stored["password"]:
                auth.attempts.failed(tx, accounts.attempts_key(row["email"]), None, METHOD)
                return None
            desks = row["password_desks"] if mail.sends(tx) else None
            accounts.set_password(tx, row["id"], hashed, desks=desks)
            accounts.sign_out_elsewhere(tx, row["id"], desks)
        return _kept(tx, row, columns)

    stored = await out.read(look)
    right, hashed = False, None
    if args.password is not None:
        right = await out.in_turn(auth.verified, stored["password"], args.current or "")
        hashed = await out.in_turn(auth.hashed, args.password)
    answer = await out.conclude(change)
    if answer is None:
        raise InvalidInput("This is not your password of now.", field="current")
    return answer


def _kept(tx: Write, row: CustomerRow, columns: Row) -> DeskCustomer:
    for name, value in columns.items():
        tx.execute(f"update customer set {name} = :value where id = :id", value=value, id=row["id"])
    return accounts.shown_to_themselves(tx, accounts.stored(tx, row["id"]))


def _require_language(tx: Read, locale: str | None) -> None:
    if not locale:
        return
    known = sorted({one for _, desk in open_desks(tx) for one in json.loads(desk["languages"])})
    if locale not in known:
        raise InvalidInput("No desk answers in this language.", field="locale", allowed=known)
