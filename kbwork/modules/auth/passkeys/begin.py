"""What a browser is to sign with a passkey: to sign in, as the second factor, to confirm, or to add a new one."""

from typing import Any, Literal

from kbwork.base import ids
from kbwork.base.errors import Conflict, ElevationNeeded, NotAllowed, Unauthenticated
from kbwork.base.model import Input, Secret
from kbwork.core import org_settings
from kbwork.core.operations.declare import write
from kbwork.db.tx import Write
from kbwork.modules.auth import login
from kbwork.modules.auth.model import NOT_UNDONE, PasskeyCeremony
from kbwork.modules.auth.passkeys import ceremonies, stored
from kbwork.modules.auth.passkeys.relying_party import RelyingParty, relying_party

MOST = 20
"""Passkeys of one member."""


class AuthPasskeyBegin(Input):
    challenge: Secret | None = None
    """The challenge that a sign-in answered, where a passkey is to be the second factor."""
    purpose: Literal["sign-in", "register", "elevate"] | None = None
    """What the passkey is to do; left out: `register` where you are signed in, else `sign-in`."""


@write(
    "auth.passkey_begin",
    scope="desk:public",
    words="sign in with a passkey, face id, touch id, windows hello, security key, webauthn, fido2, yubikey",
    undo=NOT_UNDONE,
    example={},
)
def passkey_begin(tx: Write, args: AuthPasskeyBegin) -> PasskeyCeremony:
    """Ask for what a browser hands to `navigator.credentials`: the `options`, and a `challenge` to send back with the
    answer, good once and for five minutes.

    Without sign-in it is for signing in by any passkey that the browser has, so that it tells nothing of who has some;
    with the `challenge` of auth.login it is for the second factor, and 401 where that ended. Signed in it is for adding
    a passkey (`auth.passkey_add`; asks for an elevated session), or with `purpose` `elevate` for auth.elevate. Keys
    cannot (403). Where the policy takes no sign-in by a passkey alone it is 403, and 409 where this server goes by an
    address that browsers have no passkeys for.
    """
    party = relying_party(tx)
    if args.challenge is not None:
        return _second(tx, party, args.challenge)
    purpose = args.purpose or ("register" if tx.caller.member is not None else "sign-in")
    if purpose == "sign-in":
        if "passkey" not in org_settings.get(tx, "auth.methods"):
            raise NotAllowed("The sign-in policy here takes no passkey alone; sign in another way.")
        return _get(tx, party, "sign-in", None, {})
    if tx.caller.role == "anonymous":
        raise Unauthenticated("Sign in first: this is for your own account.")
    if tx.caller.session is None:
        raise NotAllowed("Only a person who is signed in may do this; a key cannot.")
    if purpose == "elevate":
        return _get(tx, party, "elevate", tx.caller.me(), {"session": tx.caller.session})
    if tx.caller.elevated_until <= tx.now:
        raise ElevationNeeded(
            "Confirm that it is you: sign in again or call auth.elevate; it holds for ten minutes."
        )
    return _create(tx, party)


def _second(tx: Write, party: RelyingParty, challenge: str) -> PasskeyCeremony:
    """The second factor of a sign-in that is half way."""
    half = login.half_by_digest(tx, ids.digest(challenge))
    if half is None or not stored.of_member(tx, half.member):
        raise Unauthenticated("The challenge ended, or asks for no passkey: sign in again to get a new one.")
    return _get(tx, party, "second factor", half.member, {"half": half.digest.hex()})


def _get(
    tx: Write, party: RelyingParty, purpose: stored.Purpose, member: str | None, data: dict[str, Any]
) -> PasskeyCeremony:
    rows = stored.of_member(tx, member) if member is not None else []
    if member is not None and not rows:
        raise Conflict("You have no passkey; auth.passkey_add makes one.")
    token = stored.ask(tx, purpose, member, data)
    options = {
        "challenge": ceremonies.base64url(token.encode()),
        "rpId": party.id,
        "timeout": stored.LIVES_S * 1000,
        "userVerification": "required",
        "allowCredentials": stored.descriptors(rows),
    }
    return PasskeyCeremony(challenge=token, options=options)


def _create(tx: Write, party: RelyingParty) -> PasskeyCeremony:
    me = tx.caller.me()
    held = stored.of_member(tx, me)
    require_room(len(held))
    member = tx.one("select name, email, handle from member where id = :me", me=me)
    assert member is not None
    token = stored.ask(tx, "register", me, {"session": tx.caller.session})
    options = {
        "challenge": ceremonies.base64url(token.encode()),
        "rp": {"id": party.id, "name": org_settings.get(tx, "org.name") or "kbwork"},
        "user": {
            "id": ceremonies.base64url(me.encode()),
            "name": member["email"] or member["handle"],
            "displayName": member["name"],
        },
        "pubKeyCredParams": [{"type": "public-key", "alg": number} for number in ceremonies.ALGORITHMS],
        "timeout": stored.LIVES_S * 1000,
        "excludeCredentials": stored.descriptors(held),
        "authenticatorSelection": {
            "residentKey": "required",
            "requireResidentKey": True,
            "userVerification": "required",
        },
        "attestation": "none",
    }
    return PasskeyCeremony(challenge=token, options=options)


def require_room(held: int) -> None:
    """Raises Conflict where a member has as many as there may be."""
    if held >= MOST:
        raise Conflict(f"You have {MOST} passkeys, which is the most; remove one with auth.passkey_delete.")
