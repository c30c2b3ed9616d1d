"""Links that are mailed to customers: to finish a sign-up, and to set a new password.

Whoever asks for one is not told whether a customer has the address, nor by how long it takes: a call writes down that
it was asked, and the schedule `desk.links` looks a moment later whose it is.
"""

import json
from pathlib import Path
from typing import Any, Literal

from kbwork.base import ids
from kbwork.base.caller import ANONYMOUS
from kbwork.base.dataclasses import replace
from kbwork.base.errors import NotFound
from kbwork.core import org_settings
from kbwork.core.access import impersonate
from kbwork.core.jobs.kinds import Schedule
from kbwork.core.mail.letters import letter
from kbwork.core.mail.templates import LetterKind
from kbwork.core.ports import mail
from kbwork.db.rows import CustomerLinkRow, CustomerRow
from kbwork.db.tx import Read, Write
from kbwork.modules import auth
from kbwork.modules.desk.customers import accounts

Purpose = Literal["signup", "reset"]
LIVES_S = {"signup": 24 * 3600, "reset": 30 * 60}
ENDED = "This link is used, over or mistyped: ask for a new one."
PREFIX = "kbl_"
_TEMPLATES = Path(__file__).parents[1] / "templates"
_PAGES = {"signup": "/portal/verify", "reset": "/portal/reset"}
_ASKED = "purpose glob 'asked *' and expires_at > :now"
_AT_ONCE = 100
_VARIABLES = ("name", "org", "origin", "link")
SIGNUP = LetterKind(
    home=__name__,
    key="desk.signup",
    about="To somebody who signs up on the portal.",
    subject="Finish your sign-up at {{org}}",
    variables=_VARIABLES,
    required=("link",),
    links=("link",),
    folder=_TEMPLATES,
    file="signup",
)
KNOWN = LetterKind(
    home=__name__,
    key="desk.known",
    about="To a customer who signs up on the portal a second time.",
    subject="You have an account at {{org}}",
    variables=_VARIABLES,
    required=("link",),
    links=("link",),
    folder=_TEMPLATES,
    file="known",
)
RESET = LetterKind(
    home=__name__,
    key="desk.reset",
    about="To a customer who asked for a new password.",
    subject="Set a new password for {{org}}",
    variables=_VARIABLES,
    required=("link",),
    links=("link",),
    folder=_TEMPLATES,
    file="reset",
)
_KINDS = {"signup": SIGNUP, "known": KNOWN, "reset": RESET}


def ask(tx: Write, email: str, purpose: Purpose, **data: Any) -> None:
    """Somebody asks for a link to this address. Raises InvalidInput for what is none, and RateLimited."""
    email = accounts.require_address(email)
    auth.attempts.asked(tx, email, f"portal {purpose}")
    _add(tx, f"asked {purpose}", email, data | {"address": tx.caller.address})
    tx.wake()


def require(tx: Read, token: str, purpose: Purpose) -> CustomerLinkRow:
    """A link that opens something still. Raises NotFound, the same for every other one."""
    found = tx.one(
        "select * from customer_link where digest = :digest and purpose = :purpose and expires_at > :now",
        CustomerLinkRow,
        digest=ids.digest(token),
        purpose=purpose,
        now=tx.now,
    )
    if found is None:
        raise NotFound(ENDED)
    return found


def holder(tx: Read, token: str) -> CustomerRow:
    """The customer of a link that sets a password. Raises NotFound."""
    found = require(tx, token, "reset")
    row = tx.stored("customer", [found["customer"]]) if found["customer"] is not None else None
    if row is None or row["blocked_at"] is not None or row["email"] != found["email"]:
        raise NotFound(ENDED)
    return row


def end(tx: Write, email: str) -> None:
    """End all links to an address."""
    tx.execute("delete from customer_link where email = :email", email=email)


def _add(tx: Write, purpose: str, email: str, data: dict[str, Any], customer: int | None = None) -> str:
    token = ids.token(PREFIX)
    tx.execute(
        "insert into customer_link (digest, purpose, email, customer, data, created_at, expires_at)"
        " values (:digest, :purpose, :email, :customer, :data, :now, :until)",
        digest=ids.digest(token),
        purpose=purpose,
        email=email,
        customer=customer,
        data=json.dumps(data),
        now=tx.now,
        until=tx.now + LIVES_S[purpose.removeprefix("asked ")],
    )
    return token


def _any_asked(tx: Read) -> bool:
    return tx.value(f"select 1 from customer_link where {_ASKED} limit 1", now=tx.now) is not None


def _answer(tx: Write) -> None:
    """Mail what was asked for, to whoever may use it."""
    for asked in tx.all(
        f"select * from customer_link where {_ASKED} order by created_at limit {_AT_ONCE}",
        CustomerLinkRow,
        now=tx.now,
    ):
        tx.execute("delete from customer_link where digest = :digest", digest=asked["digest"])
        data = json.loads(asked["data"])
        with impersonate.instead(tx, replace(ANONYMOUS, address=data.pop("address", None))):
            if mail.sends(tx):
                _mail(tx, asked["purpose"].removeprefix("asked "), asked["email"], data)


def _mail(tx: Write, purpose: str, email: str, data: dict[str, Any]) -> None:
    row = accounts.by_email(tx, email)
    if row is not None and row["blocked_at"] is not None:
        return
    if purpose == "signup" and row is None:
        token = _add(tx, "signup", email, data)
        _send(tx, "signup", email, data["name"], token)
    elif row is not None:
        token = _add(tx, "reset", row["email"], {}, row["id"])
        _send(tx, "known" if purpose == "signup" else "reset", row["email"], row["name"], token)


def _send(tx: Write, template: str, email: str, name: str, token: str) -> None:
    page = _PAGES["signup" if template == "signup" else "reset"]
    values = {
        "name": name,
        "org": org_settings.get(tx, "org.name") or "kbwork",
        "origin": mail.origin(tx),
        "link": f"{mail.origin(tx)}{page}?token={token}",
    }
    row = accounts.by_email(tx, email)
    locale = row["locale"] if row is not None else None
    mail.to_address(tx, email, letter(_KINDS[template], values, locale))


ANSWER = Schedule(name="desk.links", home=__name__, every_s=1, run=_answer, due=_any_asked, on_time=True)
