"""The token in which a provider says who somebody is: whether it is signed, for this server, now, for this question."""

import hmac
from typing import Any

from kbwork.base.dataclasses import dataclass

ALGORITHMS = ("RS256", "PS256", "ES256", "EdDSA")
LEEWAY_S = 120
_MOST_CHARS = 64 * 1024
_RSA_BITS = 2048
_KINDS = {"RS256": "RSA", "PS256": "RSA", "ES256": "EC", "EdDSA": "OKP"}


class NotTrusted(Exception):
    """It says nothing that counts; the text is for the log and for whoever tries the provider."""


class UnknownKey(NotTrusted):
    """It is signed by a key that is not among those that were published: they may have changed."""


@dataclass(frozen=True, slots=True)
class ExpectedToken:
    """What a token must say."""

    issuer: str
    client_id: str
    nonce: str
    now: int
    trusted_now: int
    """No later than `now`: a clock that was set forward ends no token."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Whom the provider speaks of."""

    issuer: str
    subject: str
    email: str | None
    verified: bool
    name: str | None
    amr: tuple[str, ...]
    auth_time: int | None


def read(token: str, keys: tuple[dict[str, Any], ...], expected: ExpectedToken) -> Identity:
    """Who it is, by a token that was signed with one of these keys. Raises NotTrusted."""
    if len(token) > _MOST_CHARS:
        raise NotTrusted("the token is too long")
    claims = _claims(token, keys)
    _require_audience(claims, expected)
    _require_time(claims, expected)
    if claims.get("iss") != expected.issuer:
        raise NotTrusted("another issuer")
    nonce = claims.get("nonce")
    if _text(nonce) is None or not hmac.compare_digest(str(nonce).encode(), expected.nonce.encode()):
        raise NotTrusted("not for this question: another nonce")
    subject = _text(claims.get("sub"))
    if subject is None or len(subject) > 255:
        raise NotTrusted("no subject")
    return Identity(
        issuer=expected.issuer,
        subject=subject,
        email=_text(claims.get("email")),
        verified=claims.get("email_verified") in (True, "true"),
        name=_text(claims.get("name")),
        amr=tuple(str(one) for one in claims["amr"]) if isinstance(claims.get("amr"), list) else (),
        auth_time=_whole(claims.get("auth_time")),
    )


_UNJUDGED: Any = {
    "verify_signature": True,
    **dict.fromkeys(
        ("verify_exp", "verify_iat", "verify_nbf", "verify_aud", "verify_iss", "verify_sub"), False
    ),
}
"""What it says is judged here, by our own clock and in our own words."""


def usable(keys: tuple[dict[str, Any], ...]) -> list[dict[str, Any]]:
    """The keys by which a token can be signed that is taken here."""
    return [key for key in keys if any(_fits(key, algorithm, None) for algorithm in ALGORITHMS)]


def _claims(token: str, keys: tuple[dict[str, Any], ...]) -> dict[str, Any]:
    """What is signed in the token."""
    import jwt  # noqa: PLC0415 - for whoever comes back from a provider

    try:
        head = jwt.get_unverified_header(token)
    except jwt.PyJWTError as error:
        raise NotTrusted(f"no token: {str(error)[:100]!r}") from None
    algorithm, kid = head.get("alg"), head.get("kid")
    if algorithm not in ALGORITHMS:
        raise NotTrusted(f"signed by {str(algorithm)[:20]!r}, which is not taken")
    fitting = [key for key in keys if _fits(key, algorithm, kid)]
    if not fitting:
        raise UnknownKey("no published key fits")
    for key in fitting:
        found = _by_key(token, key, algorithm)
        if found is not None:
            return found
    raise UnknownKey("no published key signed it")


def _fits(key: dict[str, Any], algorithm: str, kid: Any) -> bool:
    """Whether a key may have signed this. A token that names no key may be of any; a private key is none to publish."""
    return (
        "d" not in key
        and key.get("kty") == _KINDS[algorithm]
        and key.get("use", "sig") == "sig"
        and key.get("alg", algorithm) == algorithm
        and (kid is None or key.get("kid") == kid)
    )


def _by_key(token: str, key: dict[str, Any], algorithm: str) -> dict[str, Any] | None:
    """What this key signed; None where it did not, or is no key to be trusted. Times are judged by our own clock."""
    import jwt  # noqa: PLC0415 - likewise

    try:
        public = jwt.PyJWK(key, algorithm)
        if getattr(public.key, "key_size", _RSA_BITS) < _RSA_BITS and _KINDS[algorithm] == "RSA":
            return None
        return jwt.decode(token, public, algorithms=[algorithm], options=_UNJUDGED)
    except (jwt.PyJWTError, ValueError, TypeError, KeyError):
        return None


def _require_audience(claims: dict[str, Any], expected: ExpectedToken) -> None:
    audience, party = claims.get("aud"), claims.get("azp")
    listed = audience if isinstance(audience, list) else [audience]
    if expected.client_id not in listed:
        raise NotTrusted("for another audience")
    if (len(listed) > 1 or party is not None) and party != expected.client_id:
        raise NotTrusted("for another party (azp)")


def _require_time(claims: dict[str, Any], expected: ExpectedToken) -> None:
    ends, made = _whole(claims.get("exp")), _whole(claims.get("iat"))
    if ends is None or ends <= expected.trusted_now - LEEWAY_S:
        raise NotTrusted("expired")
    if made is None or made > expected.now + LEEWAY_S:
        raise NotTrusted("of the future: compare the clocks")
    begins = _whole(claims.get("nbf"))
    if begins is not None and begins > expected.now + LEEWAY_S:
        raise NotTrusted("not yet valid: compare the clocks")


def _whole(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e12:
        return None
    return int(value)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and 0 < len(value) <= 500 and value.isprintable() else None
