"""What browsers answer, verified by the package that knows WebAuthn: on a thread, since importing it takes a while."""

import base64
import binascii
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pydantic_core import to_json

from kbwork.base.dataclasses import dataclass
from kbwork.modules.auth.passkeys.relying_party import RelyingParty

MOST_RESPONSE_BYTES = 64 * 1024
MOST_CREDENTIAL_BYTES = 1023
_TRANSPORT_CHARS = 32
_TRANSPORTS = 10


class NotVerified(Exception):
    """It was not made by this passkey for this question, or cannot be read; the text is for the log."""


@dataclass(frozen=True, slots=True)
class NewPasskey:
    """What a registration brought."""

    credential: bytes
    public_key: bytes
    count: int


def base64url(raw: bytes) -> str:
    """As WebAuthn writes bytes in JSON."""
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def credential_of(response: dict[str, Any]) -> bytes:
    """Which passkey it says it is of; nothing where it says none."""
    return _bytes(response.get("rawId"))[:MOST_CREDENTIAL_BYTES]


def user_of(response: dict[str, Any]) -> str | None:
    """Whose passkey the authenticator took it for; None where it does not say."""
    inner = response.get("response")
    handle = inner.get("userHandle") if isinstance(inner, dict) else None
    return _bytes(handle).decode(errors="replace") if handle else None


def transports_of(response: dict[str, Any]) -> list[str]:
    """How the browser reached the authenticator; hints that are kept for it."""
    inner = response.get("response")
    told = inner.get("transports") if isinstance(inner, dict) else None
    if not isinstance(told, list):
        return []
    return [one for one in told if isinstance(one, str) and len(one) <= _TRANSPORT_CHARS][:_TRANSPORTS]


def registered(response: dict[str, Any], token: str, party: RelyingParty) -> NewPasskey:
    """The passkey that was made for this question. Raises NotVerified."""
    from webauthn import verify_registration_response  # noqa: PLC0415 - most of a second, for passkeys alone

    with _refusals(response):
        found = verify_registration_response(
            credential=response,
            expected_challenge=token.encode(),
            expected_rp_id=party.id,
            expected_origin=party.origin,
            require_user_verification=True,
            supported_pub_key_algs=_algorithms(),
        )
    if len(found.credential_id) > MOST_CREDENTIAL_BYTES:
        raise NotVerified("the id of the credential is too long")
    return NewPasskey(found.credential_id, found.credential_public_key, found.sign_count)


def count_signed(response: dict[str, Any], token: str, party: RelyingParty, public_key: bytes) -> int:
    """How often the passkey says that it has signed, where it signed this question. Raises NotVerified."""
    from webauthn import verify_authentication_response  # noqa: PLC0415 - likewise

    with _refusals(response):
        found = verify_authentication_response(
            credential=response,
            expected_challenge=token.encode(),
            expected_rp_id=party.id,
            expected_origin=party.origin,
            credential_public_key=public_key,
            credential_current_sign_count=0,
            require_user_verification=True,
        )
    return found.new_sign_count


ALGORITHMS = (-7, -8, -257)
"""ES256, EdDSA and RS256, as COSE numbers them: one of them is spoken by every authenticator."""


def _algorithms() -> list[Any]:
    from webauthn.helpers.cose import COSEAlgorithmIdentifier  # noqa: PLC0415 - likewise

    return [COSEAlgorithmIdentifier(number) for number in ALGORITHMS]


@contextmanager
def _refusals(response: dict[str, Any]) -> Iterator[None]:
    """Whatever the package stumbles over in an answer that anybody may have written is one refusal."""
    from cbor2 import CBORError  # noqa: PLC0415 - likewise
    from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm  # noqa: PLC0415 - likewise
    from webauthn.helpers.exceptions import WebAuthnException  # noqa: PLC0415 - likewise

    if len(to_json(response)) > MOST_RESPONSE_BYTES:
        raise NotVerified("the answer is too long")
    try:
        yield
    except (WebAuthnException, CBORError, InvalidSignature, UnsupportedAlgorithm) as error:
        raise NotVerified(f"{type(error).__name__}: {error}") from None
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
        raise NotVerified(f"not to be read: {type(error).__name__}: {error}") from None


def _bytes(text: Any) -> bytes:
    if not isinstance(text, str) or not text.isascii():
        return b""
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError):
        return b""
