"""What a provider says of itself: its discovery document and its keys, kept for an hour, and asked for at most once a
minute where a key is missing."""

import json
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import InvalidInput, UpstreamFailed
from kbwork.core.operations.external import External, ServiceCall
from kbwork.db.tx import Read
from kbwork.modules.auth.providers.addresses import require_address

KEPT_S = 3600
AGAIN_S = 60
_MOST = 40
_MOST_KEYS = 100
_WELL_KNOWN = "/.well-known/openid-configuration"
_ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")


@dataclass(frozen=True, slots=True)
class Metadata:
    """What of a discovery document counts."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    token_auth: tuple[str, ...]
    """Ways to send the secret that it names; empty: it names none, which means `client_secret_basic`."""
    names_itself: bool
    """It says in its answers who it is (RFC 9207)."""
    at: int


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys that it signs with, as it published them."""

    keys: tuple[dict[str, Any], ...]
    at: int


class KnownProviders:
    """What was heard of providers, beside the data."""

    def __init__(self) -> None:
        self.metadata: dict[str, Metadata] = {}
        self.keys: dict[str, Keys] = {}


async def metadata(out: External, issuer: str) -> Metadata:
    """The discovery document of an issuer. Raises UpstreamFailed, in words for who set it up."""
    known, now = await out.read(_known)
    found = known.metadata.get(issuer)
    if found is None or not found.at <= now < found.at + KEPT_S:
        document = await _document(out, issuer.rstrip("/") + _WELL_KNOWN, "discovery document")
        found = _read(document, issuer, now)
        _keep(known.metadata, issuer, found)
    return found


async def keys(out: External, found: Metadata, *, missing: bool = False) -> Keys | None:
    """The keys of an issuer. Where one is `missing` they are asked for again, and None says that this was just done."""
    known, now = await out.read(_known)
    held = known.keys.get(found.jwks_uri)
    fresh_s = AGAIN_S if missing else KEPT_S
    if held is not None and held.at <= now < held.at + fresh_s:
        return None if missing else held
    document = await _document(out, found.jwks_uri, "key set")
    listed = document.get("keys")
    if not isinstance(listed, list):
        raise UpstreamFailed("The sign-in provider's key set has no list of keys.")
    held = Keys(tuple(one for one in listed[:_MOST_KEYS] if isinstance(one, dict)), now)
    _keep(known.keys, found.jwks_uri, held)
    return held


async def forget(out: External, issuer: str) -> None:
    """The next to ask hears it anew."""
    known, _ = await out.read(_known)
    found = known.metadata.pop(issuer, None)
    if found is not None:
        known.keys.pop(found.jwks_uri, None)


def _known(tx: Read) -> tuple[KnownProviders, int]:
    known: KnownProviders = tx.beside("sign-in providers", KnownProviders)
    return known, tx.now


def _keep(held: dict[str, Any], name: str, found: Any) -> None:
    if len(held) >= _MOST and name not in held:
        held.clear()
    held[name] = found


async def _document(out: External, url: str, what: str) -> dict[str, Any]:
    try:
        page = await out.ask(url, ServiceCall())
    except InvalidInput as refusal:
        raise UpstreamFailed(
            f"The sign-in provider's {what} is not asked for: {refusal.detail}", internal=url
        ) from None
    if page.status != 200:
        raise UpstreamFailed(
            f"The sign-in provider's {what} is not where it should be: the answer was {page.status}.",
            internal=url,
        )
    return json_object(page.body, what)


def json_object(body: bytes, what: str) -> dict[str, Any]:
    """A JSON object that a provider answered. Raises UpstreamFailed."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise UpstreamFailed(f"The sign-in provider's {what} is no JSON object.")
    return found


def _read(document: dict[str, Any], issuer: str, now: int) -> Metadata:
    if document.get("issuer") != issuer:
        said = str(document.get("issuer"))[:200]
        raise UpstreamFailed(
            f"The sign-in provider calls itself {said!r}: save it with that issuer, letter by letter, if it is right."
        )
    ends = {}
    for name in _ENDPOINTS:
        ends[name] = document.get(name)
        try:
            require_address(str(ends[name]), name, secure=issuer.startswith("https:"))
        except InvalidInput:
            raise UpstreamFailed(f"The sign-in provider's {name} is no https address.") from None
    auth = document.get("token_endpoint_auth_methods_supported")
    return Metadata(
        issuer=issuer,
        **{name: str(end) for name, end in ends.items()},
        token_auth=tuple(str(one) for one in auth) if isinstance(auth, list) else (),
        names_itself=document.get("authorization_response_iss_parameter_supported") is True,
        at=now,
    )
