"""A link as a row: asked for by an address, made for a member, good once and for thirty minutes.

Whoever asks is not told whether somebody has the address, nor by how long it takes: a call writes down that it was
asked, and the schedule `auth.links` looks a moment later whose it is.
"""

import json
from typing import Literal

from kbwork.base import ids
from kbwork.base.caller import ANONYMOUS
from kbwork.base.dataclasses import replace
from kbwork.base.errors import InvalidInput, NotFound
from kbwork.core.jobs.kinds import Schedule
from kbwork.core.ports import mail
from kbwork.core.ports.sign_in import MailedLinks
from kbwork.db.rows import ChallengeRow
from kbwork.db.tx import Read, Row, Write
from kbwork.modules.auth import attempts, login
from kbwork.modules.auth.links import letters
from kbwork.modules.auth.model import AuthLinkSent

ENDED = "This link is used, older than 30 minutes or mistyped: ask for a new one."
By = Literal["mail", "command"]
LIVES_S = 30 * 60
_ASKED = "asked "
_PAGES = {"password": "/reset", "sign-in": "/link"}
_METHODS = {"password": "password", "sign-in": "link"}
"""What a link opens -> the way to sign in without which the link is of no use."""
_AT_ONCE = 100
_WAITING = "expires_at > :now and purpose glob :asked"


def ask(tx: Write, email: str, purpose: str) -> None:
    """Somebody asks for a link to this address. Raises InvalidInput for what is none, and RateLimited."""
    email = email.strip()
    if not mail.reaches(email):
        raise InvalidInput("Write it as name@example.com.", field="email")
    attempts.asked(tx, email, purpose)
    data = {"email": email, "address": tx.caller.address}
    login.add_challenge(tx, _ASKED + purpose, None, data, LIVES_S)
    tx.wake()


def make(tx: Write, row: Row, purpose: str, by: By) -> str:
    """A new link for a member; answers its path, in which the token is."""
    data = {"email": row["email"], "by": by}
    token = login.add_challenge(tx, purpose, row["id"], data, LIVES_S)
    tx.emit(AuthLinkSent(subject=f"member:{row['id']}", payload={"purpose": purpose, "by": by}))
    return f"{_PAGES[purpose]}?token={token}"


def require_holder(tx: Read, token: str, purpose: str) -> tuple[Row, By]:
    """(the member, with their password; by whom the link came) of a link that opens something still.

    It does for the address that it was sent to, as long as that is the member's and may sign in from here. Raises
    NotFound, the same for every other one.
    """
    found = tx.one(
        "select * from challenge where digest = :digest and purpose = :purpose and expires_at > :now",
        ChallengeRow,
        digest=ids.digest(token),
        purpose=purpose,
        now=tx.now,
    )
    row = login.by_id(tx, found["member"]) if found is not None and found["member"] is not None else None
    if found is None or row is None or not login.may_sign_in(tx, row, _METHODS[purpose]):
        raise NotFound(ENDED)
    data = json.loads(found["data"])
    if data["email"] != row["email"]:
        raise NotFound(ENDED)
    return row, data["by"]


def end(tx: Write, member: str, purpose: str) -> None:
    """End all links of this sort to a member."""
    tx.execute(
        "delete from challenge where member = :member and purpose = :purpose", member=member, purpose=purpose
    )


def _any_asked(tx: Read) -> bool:
    return (
        tx.one(f"select 1 from challenge where {_WAITING} limit 1", now=tx.now, asked=f"{_ASKED}*")
        is not None
    )


def _answer(tx: Write) -> None:
    """Mail what was asked for to those who have the address and may use it; of the others nothing is kept."""
    for asked in tx.all(
        f"select * from challenge where {_WAITING} order by created_at limit {_AT_ONCE}",
        ChallengeRow,
        now=tx.now,
        asked=f"{_ASKED}*",
    ):
        tx.execute("delete from challenge where digest = :digest", digest=asked["digest"])
        data = json.loads(asked["data"])
        server, tx.caller = tx.caller, replace(ANONYMOUS, address=data["address"])
        try:
            _mail(tx, data["email"], asked["purpose"].removeprefix(_ASKED))
        finally:
            tx.caller = server


def _mail(tx: Write, email: str, purpose: str) -> None:
    row = login.by_email(tx, email)
    if row is None or not mail.sends(tx) or not mail.reaches(row["email"]):
        return
    if login.may_sign_in(tx, row, _METHODS[purpose]):
        path = make(tx, row, purpose, "mail")
        mail.to_member(tx, row["id"], letters.link(tx, row, purpose, path))


def _address(tx: Read, token: str, purpose: str) -> str:
    return str(require_holder(tx, token, purpose)[0]["email"])


LINKS = MailedLinks(home=__name__, address=_address)
ANSWER = Schedule(name="auth.links", home=__name__, every_s=1, run=_answer, due=_any_asked, on_time=True)
