"""Signing in to the portal and out."""

from kbwork.base.errors import Unauthenticated
from kbwork.base.model import Empty, Input, Ok, Secret, Text
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.db.tx import Read, Write
from kbwork.modules import auth
from kbwork.modules.desk.customers import accounts
from kbwork.modules.desk.model import DeskCustomer, PortalSession
from kbwork.modules.desk.portal.own_account import METHOD, me

NOT_UNDONE = "signing in and out is not taken back"


class DeskPortalLogin(Input):
    email: Text
    """Address of the customer."""
    password: Secret
    """Their password."""


@write(
    "desk.portal_login",
    scope="desk:public",
    words="customer signs in, portal login, log in to the help desk",
    undo=NOT_UNDONE,
    emits=[],
    example={"email": "rita@rivers.example", "password": "correct horse battery"},
)
async def portal_login(out: External, args: DeskPortalLogin) -> PortalSession:
    """Sign a customer in. The token goes as a bearer token with the other operations of the portal, for thirty days.

    Wrong password, unknown address and blocked are one 401, which takes as long. After ten failures on an address from
    one network address, or fifty from there, in 15 minutes it is 429 with `Retry-After`; where too many sign in at once
    503 `busy`.
    """
    account = accounts.attempts_key(args.email)

    def look(tx: Read) -> str | None:
        auth.attempts.require_room(tx, account, None)
        row = accounts.by_email(tx, args.email)
        return row["password"] if row is not None else None

    def judge(tx: Write) -> PortalSession | None:
        auth.attempts.require_room(tx, account, None)
        row = accounts.by_email(tx, args.email)
        if row is None or not right or row["password"] != stored or row["blocked_at"] is not None:
            auth.attempts.failed(tx, account, None, METHOD)
            return None
        token = accounts.sign_in(tx, row["id"])
        return PortalSession(customer=accounts.shown_to_themselves(tx, row), token=token)

    stored = await out.read(look)
    right = await out.in_turn(auth.verified, stored, args.password)
    answer = await out.conclude(judge)
    if answer is None:
        raise Unauthenticated("This address and password do not open anything here.")
    return answer


@write(
    "desk.portal_logout",
    scope="desk:portal",
    words="customer signs out, leave the portal",
    undo=NOT_UNDONE,
    emits=[],
    example={},
)
def portal_logout(tx: Write, args: Empty) -> Ok:
    """End the token that this is called with; others of the customer stay."""
    accounts.sign_out_here(tx)
    return Ok(ok=True)


@write(
    "desk.portal_me",
    scope="desk:portal",
    words="who am I on the portal, which customer is signed in",
    undo="it changes nothing",
    emits=[],
    example={},
)
def portal_me(tx: Read, args: Empty) -> DeskCustomer:
    """Say who is signed in; `requests` counts those that they made and see."""
    return accounts.shown_to_themselves(tx, me(tx))
