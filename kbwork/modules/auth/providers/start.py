"""Go to a sign-in provider: to come in, to confirm, or to link an account there."""

import base64
import hashlib
import hmac
import json
import re
from typing import Any, Literal
from urllib.parse import urlencode, urlsplit

from kbwork.base import ids
from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Conflict, ElevationNeeded, InvalidInput, Unauthenticated
from kbwork.base.model import Input, Text
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.db.rows import ChallengeRow, ProviderRow
from kbwork.db.tx import Read, Write
from kbwork.modules.auth import login, ways_in
from kbwork.modules.auth.model import NOT_UNDONE
from kbwork.modules.auth.providers import discovery, exchange, stored
from kbwork.modules.auth.providers.model import OidcStarted

LIVES_S = 600
_PURPOSE = "provider"
_OWN_PATH = re.compile(r"/(?![/\\])[!-\[\]-~]*")
_MOST_CHARS = 2000
What = Literal["sign-in", "elevate", "link"]


@dataclass(frozen=True, slots=True)
class Journey:
    """Somebody on the way to a provider and back."""

    provider: str
    issuer: str
    what: What
    return_to: str
    session: str | None
    """To confirm or link: the session that it is for."""
    began_at: int


class AuthOidcStart(Input):
    provider: Text
    """Id of the provider, as auth.providers lists it."""
    return_to: Text | None = None
    """A path of this site to go on with afterwards; left out: `/`."""
    link: bool | None = None
    """True links your account there to the one you are signed in with, so that it lets you in from then on."""


@write(
    "auth.oidc_start",
    scope="desk:public",
    words="log in with google, sign in with microsoft, single sign on, sso login, company login, connect my account",
    signs_in=True,
    undo=NOT_UNDONE,
    example={"provider": "acme", "return_to": "/keys"},
)
async def oidc_start(out: External, args: AuthOidcStart) -> OidcStarted:
    """Ask where to sign in by a provider. The browser that asked goes to `url`, comes back to this site within ten
    minutes, and is signed in by it; no other browser is, since a cookie binds it.

    Whoever is signed in and has no password, code or passkey confirms so that it is them (see auth.elevate). With
    `link` it links the account there; that asks for an elevated session. A provider that is not used is 404; one that
    cannot be reached is 502.
    """
    then = args.return_to if args.return_to is not None else "/"
    if not _OWN_PATH.fullmatch(then) or len(then) > _MOST_CHARS:
        raise InvalidInput("Write a path of this site, such as /keys.", field="return_to")

    def look(tx: Read) -> ProviderRow:
        _what(tx, link=bool(args.link))
        return stored.require_usable(tx, args.provider)

    settings = stored.settings_of(await out.read(look))
    found = await discovery.metadata(out, settings.issuer)

    def begin(tx: Write) -> OidcStarted:
        row = stored.require_usable(tx, args.provider)
        if stored.settings_of(row) != settings:
            raise Conflict("The provider was changed just now: begin again.")
        what = _what(tx, link=bool(args.link))
        data = {
            "provider": row["id"],
            "issuer": settings.issuer,
            "what": what,
            "return_to": then,
            "session": tx.caller.session if what != "sign-in" else None,
            "browser": _browser(tx),
        }
        state = login.add_challenge(tx, _PURPOSE, None, data, LIVES_S)
        client = exchange.ProviderClient(settings, None, stored.return_address(tx, row["id"]))
        return OidcStarted(url=_address(tx, found, client, state, what))

    return await out.conclude(begin)


def _what(tx: Read, *, link: bool) -> What:
    """What the way to the provider is for. Raises Unauthenticated or ElevationNeeded."""
    if tx.caller.session is None:
        if link:
            raise Unauthenticated("Sign in first: an account is linked to your own.")
        return "sign-in"
    if link:
        if tx.caller.elevated_until <= tx.now:
            raise ElevationNeeded(
                "Confirm that it is you: sign in again or call auth.elevate; it holds for ten minutes."
            )
        return "link"
    return "sign-in" if ways_in.proofs(tx, tx.caller.me()) else "elevate"


def returned(tx: Write, state: str) -> Journey | None:
    """Who comes back with this state, which ends with it; None for whoever did not set out from here so."""
    found = tx.one(
        "select * from challenge where digest = :digest and purpose = :purpose and expires_at > :now",
        ChallengeRow,
        digest=ids.digest(state),
        purpose=_PURPOSE,
        now=tx.now,
    )
    data = json.loads(found["data"]) if found is not None else {}
    if found is None or data["browser"] != _browser(tx):
        return None  # it stays for the browser that it is of: another cannot end it
    tx.execute("delete from challenge where digest = :digest", digest=found["digest"])
    if data["session"] is not None and data["session"] != tx.caller.session:
        return None
    return Journey(
        data["provider"],
        data["issuer"],
        data["what"],
        data["return_to"],
        data["session"],
        found["created_at"],
    )


def _browser(tx: Read) -> str | None:
    """Which browser calls, as it is remembered for a while; None for a program."""
    return ids.digest(f"on the way:{tx.caller.device}").hex() if tx.caller.device is not None else None


def nonce(tx: Read, state: str) -> str:
    """What the token must repeat: nobody but this server makes it from the state."""
    return _derived(tx, "nonce", state)


def verifier(tx: Read, state: str) -> str:
    """What proves to the provider that who has the code set out from here (PKCE)."""
    return _derived(tx, "verifier", state)


def _derived(tx: Read, what: str, state: str) -> str:
    made = hmac.new(tx.secret, f"provider {what}\0{state}".encode(), hashlib.sha256).digest()
    return _base64url(made)


def _base64url(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _address(
    tx: Read, found: discovery.Metadata, client: exchange.ProviderClient, state: str, what: What
) -> str:
    asked: dict[str, Any] = {
        "response_type": "code",
        "client_id": client.settings.client_id,
        "redirect_uri": client.redirect_uri,
        "scope": " ".join(client.settings.scopes),
        "state": state,
        "nonce": nonce(tx, state),
        "code_challenge": _base64url(hashlib.sha256(verifier(tx, state).encode()).digest()),
        "code_challenge_method": "S256",
    }
    if what == "elevate":
        asked["max_age"] = 0
    joint = "&" if urlsplit(found.authorization_endpoint).query else "?"
    return found.authorization_endpoint + joint + urlencode(asked)
