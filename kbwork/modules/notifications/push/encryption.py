"""What a push service is sent: a text that only the browser reads (RFC 8291), and who sends it (RFC 8292)."""

import base64
import binascii
import json
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from kbwork.base import ids
from kbwork.base.errors import InvalidInput
from kbwork.base.urls import origin_of

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey, EllipticCurvePublicKey

_RECORD_BYTES = 4096
_TOKEN_LIVES_S = 12 * 3600
_POINT_BYTES = 65
_SECRET_BYTES = 16


class BrowserKeys(NamedTuple):
    """What a browser gave out for being written to: its public key, and a secret."""

    p256dh: bytes
    auth: bytes


class ServerKey(NamedTuple):
    """The key by which push services know this server."""

    public: str
    private: bytes


def coded(raw: bytes) -> str:
    """As browsers write bytes: base64url without padding."""
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def decoded(text: str) -> bytes:
    """The bytes, whichever base64 it is; empty for what is none."""
    plain = text.strip().rstrip("=").replace("+", "-").replace("/", "_")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return b""


def browser_keys(p256dh: str, auth: str) -> BrowserKeys:
    """Raises InvalidInput naming the key that is none."""
    keys = BrowserKeys(decoded(p256dh), decoded(auth))
    if len(keys.auth) != _SECRET_BYTES:
        raise InvalidInput("`auth` is 16 bytes in base64url, as the browser gives it.", field="keys.auth")
    try:
        _public(keys.p256dh)
    except ValueError:
        raise InvalidInput(
            "`p256dh` is a point on the curve P-256 in base64url, as the browser gives it.",
            field="keys.p256dh",
        ) from None
    return keys


def new_server_key() -> ServerKey:
    """A key made by chance."""
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415 - for servers that push alone
    from cryptography.hazmat.primitives.serialization import (  # noqa: PLC0415 - likewise
        Encoding,
        NoEncryption,
        PrivateFormat,
    )

    key = ec.generate_private_key(ec.SECP256R1())
    private = key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    return ServerKey(coded(_point(key.public_key())), private)


def encrypted(text: bytes, keys: BrowserKeys) -> bytes:
    """The text for this browser: one record of `aes128gcm`, with a key pair of its own."""
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415 - for servers that push alone
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415 - likewise

    once, salt = ec.generate_private_key(ec.SECP256R1()), ids.random_bytes(16)
    mine = _point(once.public_key())
    shared = once.exchange(ec.ECDH(), _public(keys.p256dh))
    secret = _derived(shared, keys.auth, b"WebPush: info\0" + keys.p256dh + mine, 32)
    key = _derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + _RECORD_BYTES.to_bytes(4, "big") + bytes([len(mine)]) + mine
    return head + AESGCM(key).encrypt(nonce, text + b"\x02", None)


def authorization(endpoint: str, server: ServerKey, contact: str, now: int) -> str:
    """The header that says who sends: a token for the origin of this endpoint, good for half a day."""
    from cryptography.hazmat.primitives import hashes  # noqa: PLC0415 - for servers that push alone
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415 - likewise
    from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature  # noqa: PLC0415 - likewise

    claims = {"aud": origin_of(urlsplit(endpoint)), "exp": now + _TOKEN_LIVES_S, "sub": contact}
    said = f"{_json({'typ': 'JWT', 'alg': 'ES256'})}.{_json(claims)}"
    r, s = decode_dss_signature(_private(server.private).sign(said.encode(), ec.ECDSA(hashes.SHA256())))
    signature = coded(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return f"vapid t={said}.{signature}, k={server.public}"


def _json(value: dict[str, object]) -> str:
    return coded(json.dumps(value, separators=(",", ":")).encode())


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    from cryptography.hazmat.primitives import hashes  # noqa: PLC0415 - for servers that push alone
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF  # noqa: PLC0415 - likewise

    return HKDF(algorithm=hashes.SHA256(), length=length, salt=salt, info=info).derive(secret)


def _public(point: bytes) -> "EllipticCurvePublicKey":
    """Raises ValueError for what is no point."""
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415 - for servers that push alone

    if len(point) != _POINT_BYTES:
        raise ValueError("no uncompressed point")
    return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)


def _point(key: "EllipticCurvePublicKey") -> bytes:
    from cryptography.hazmat.primitives.serialization import (  # noqa: PLC0415 - for servers that push alone
        Encoding,
        PublicFormat,
    )

    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _private(der: bytes) -> "EllipticCurvePrivateKey":
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey  # noqa: PLC0415 - likewise
    from cryptography.hazmat.primitives.serialization import load_der_private_key  # noqa: PLC0415 - likewise

    key = load_der_private_key(der, None)
    assert isinstance(key, EllipticCurvePrivateKey)
    return key
