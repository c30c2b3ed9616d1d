"""Come back from a sign-in provider."""

import logging
from typing import Any

from typing_extensions import TypedDict

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Unauthenticated
from kbwork.base.model import Input, Secret, Text
from kbwork.core.access import callers
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.db.tx import Write
from kbwork.modules import members
from kbwork.modules.auth import attempts, login
from kbwork.modules.auth.model import NOT_UNDONE, AuthFailed, AuthSignedIn, Login
from kbwork.modules.auth.providers import discovery, exchange, id_tokens, links, start, stored
from kbwork.modules.auth.providers.model import AuthLinked
from kbwork.modules.members import Member, MemberJoined

log = logging.getLogger("kbwork.auth")
_REFUSED = (
    "This sign-in opens nothing here: begin again from the sign-in page, in the same browser. If it stays so, an admin"
    " invites you, or looks into the audit log."
)
_NOT_FRESH = (
    "The provider does not say that you signed in there just now. Sign out here and in again: that confirms it as well,"
    " for ten minutes."
)
_FRESH_S = 60


class OidcDone(TypedDict):
    """Signed in by a provider. `token` is empty where the browser got it as a cookie, or was signed in before."""

    token: str
    """Secret of the session, for programs; empty where a browser got it as a cookie, and where none began."""
    member: Member
    """Who signed in, confirmed or linked an account."""
    return_to: str
    """The path of this site to go on with."""


class AuthOidcFinish(Input):
    state: Secret
    """`state` of the address that the provider sent the browser back to."""
    code: Text
    """`code` of it."""
    iss: Text | None = None
    """`iss` of it, where it has one: the issuer says who it is (RFC 9207)."""
    provider: Text | None = None
    """What stands behind `/signin/oidc/` in it: whoever set out for another provider is refused."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """Somebody who is back, and what is needed to ask the provider who that is."""

    journey: start.Journey
    client: exchange.ProviderClient
    verifier: str
    nonce: str


@write(
    "auth.oidc_finish",
    scope="desk:public",
    words="single sign on callback, come back from the identity provider, finish sso login",
    signs_in=True,
    undo=NOT_UNDONE,
    emits=[AuthSignedIn, AuthFailed, AuthLinked],
    example={"state": "kbl_from-the-provider", "code": "from-the-provider"},
)
async def oidc_finish(out: External, args: AuthOidcFinish) -> OidcDone:
    """Finish a sign-in by a provider, with what it sent the browser back with; the page /signin/oidc/ID does it.

    The provider's token must be signed by one of its keys, for this server, this browser and this question. A member is
    known by what the provider calls them; at first by a verified address, where it says so. People of `signup_domains`
    become members where the provider is set so. A state that is used, ended or of another browser, a token that does
    not hold, and somebody who may not come in are one 401; a provider that fails is 502. A second factor in force is
    asked for as in auth.link_login: 401 with `challenge`, `methods` and `return_to`, unless the provider says that one
    was shown and is believed.
    """
    asked = await out.write(lambda tx: _back(tx, args))
    if asked is None:
        raise Unauthenticated(_REFUSED)
    journey = asked.journey
    identity = await _identity(out, asked, args)
    half: list[Login] = []
    refusals: list[links.Refused] = []

    def admit(tx: Write) -> OidcDone | None:
        try:
            return _admit(tx, asked, identity, half)
        except links.Refused as refusal:
            refusals[:] = [refusal]
            raise Unauthenticated(refusal.told or _REFUSED) from None

    try:
        answer = await out.conclude(admit)
    except Unauthenticated:
        for refusal in refusals:  # in a write of its own, since this one was taken back
            await _note(out, journey, identity, refusal)
        raise
    if answer is not None:
        return answer
    raise Unauthenticated(
        "One more step: send a code of your authenticator app, or a recovery code, with this challenge to"
        " auth.login_verify, or sign with your passkey.",
        challenge=half[0]["challenge"],
        methods=half[0]["methods"],
        return_to=journey.return_to,
    )


def _back(tx: Write, args: AuthOidcFinish) -> _Asked | None:
    """Who is back, if they set out from here by a provider that is used still; the state ends."""
    journey = start.returned(tx, args.state)
    row = stored.find(tx, journey.provider) if journey is not None else None
    if journey is None or row is None or not stored.is_usable(tx, row):
        return None
    settings = stored.settings_of(row)
    if settings.issuer != journey.issuer or args.provider not in (None, row["id"]):
        return None
    address = stored.return_address(tx, row["id"])
    client = exchange.ProviderClient(settings, stored.secret_of(tx, row), address)
    return _Asked(journey, client, start.verifier(tx, args.state), start.nonce(tx, args.state))


async def _identity(out: External, asked: _Asked, args: AuthOidcFinish) -> id_tokens.Identity | None:
    """Whom the provider speaks of; None where what came does not hold. Raises UpstreamFailed."""
    found = await discovery.metadata(out, asked.journey.issuer)
    if (args.iss is not None or found.names_itself) and args.iss != found.issuer:
        log.info("sign-in by %s refused: the answer is of another issuer", asked.journey.provider)
        return None
    try:
        token = await exchange.id_token(out, found, asked.client, args.code, asked.verifier)
        now, trusted = await out.read(lambda tx: (tx.now, tx.trusted_now))
        expected = id_tokens.ExpectedToken(
            found.issuer, asked.client.settings.client_id, asked.nonce, now, trusted
        )
        return await exchange.identity(out, found, token, expected)
    except exchange.CodeRefused:
        log.info("sign-in by %s refused: the code is taken no more", asked.journey.provider)
    except id_tokens.NotTrusted as refusal:
        log.info("sign-in by %s refused: %s", asked.journey.provider, refusal)
    return None


def _admit(
    tx: Write, asked: _Asked, identity: id_tokens.Identity | None, half: list[Login]
) -> OidcDone | None:
    """Let in whom the identity is of; None where the second factor is asked for. Raises Refused."""
    journey, settings = asked.journey, asked.client.settings
    if identity is None:
        raise links.Refused("token")
    row = stored.find(tx, journey.provider)
    if row is None or not stored.is_usable(tx, row) or stored.settings_of(row) != settings:
        raise links.Refused("provider changed")  # while it was asked
    attempts.require_room(tx, _account(identity), None)
    if journey.what != "sign-in":
        return _own(tx, journey, identity)
    member, how = links.member_of(tx, row, identity)
    holder = login.by_id(tx, member)
    if holder is None or not login.may_sign_in(tx, holder, journey.provider):
        raise links.Refused("policy", member)
    links.keep(tx, row["id"], identity, member)
    with login.in_name_of(tx, member):
        if how == "new":
            tx.emit(MemberJoined(subject=f"member:{member}", payload={"role": holder["role"]}))
        if how is not None:
            tx.emit(AuthLinked(subject=f"member:{member}", payload={"provider": row["id"], "how": how}))
    proved = settings.trust_amr and "mfa" in identity.amr
    done = login.admit(tx, member, journey.provider, remembered=not tx.caller.browser, proved=proved)
    if done["token"] is None or done["member"] is None:
        half[:] = [done]
        return None
    return OidcDone(token=done["token"], member=done["member"], return_to=journey.return_to)


def _own(tx: Write, journey: start.Journey, identity: id_tokens.Identity) -> OidcDone:
    """Confirm with, or link, an account there for who is signed in here. Raises Refused."""
    me = tx.caller.me()
    holder = login.by_id(tx, me)
    linked = links.find(tx, journey.provider, identity)
    if holder is None or not login.may_sign_in(tx, holder, journey.provider):
        raise links.Refused("policy", me)
    if journey.what == "link":
        if linked not in (None, me) or links.of_another_account(tx, journey.provider, identity, me):
            raise links.Refused("linked", me)
        if linked is None:
            tx.emit(
                AuthLinked(subject=f"member:{me}", payload={"provider": journey.provider, "how": "choice"})
            )
    elif linked != me:
        raise links.Refused("another", me)
    elif identity.auth_time is None or identity.auth_time < journey.began_at - _FRESH_S:
        raise links.Refused("not confirmed", me, _NOT_FRESH)
    else:
        tx.update("session", tx.caller.session, elevated_until=tx.now + callers.ELEVATED_S)
    links.keep(tx, journey.provider, identity, me)
    return OidcDone(token="", member=members.one(tx, me), return_to=journey.return_to)


def _account(identity: id_tokens.Identity) -> bytes:
    return attempts.account(f"provider {identity.issuer} {identity.subject}")


async def _note(
    out: External, journey: start.Journey, identity: id_tokens.Identity | None, refusal: links.Refused
) -> None:
    """Count the failure, and tell the audit log."""

    def failed(tx: Write) -> None:
        account = (
            _account(identity) if identity is not None else attempts.account(f"provider {journey.provider}")
        )
        told: dict[str, Any] = {"reason": refusal.reason}
        attempts.failed(tx, account, refusal.member, journey.provider, **told)

    await out.write(failed)
