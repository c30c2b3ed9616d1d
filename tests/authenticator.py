"""An authenticator as a device has one, and the browser around it: passkeys by ES256, in its own few lines of CBOR.

It is honest unless a test asks otherwise: each way to lie is a parameter.
"""

import base64
import hashlib
import json
import os
import struct
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

_PRESENT, _VERIFIED, _ATTESTED = 1, 4, 64


def b64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def raw(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def cbor(value: Any) -> bytes:
    """Whole numbers, bytes, texts and maps: all that an attestation without a statement is made of."""
    if isinstance(value, int):
        return _head(0, value) if value >= 0 else _head(1, -1 - value)
    if isinstance(value, bytes):
        return _head(2, len(value)) + value
    if isinstance(value, str):
        return _head(3, len(value.encode())) + value.encode()
    assert isinstance(value, dict)
    return _head(5, len(value)) + b"".join(cbor(key) + cbor(one) for key, one in value.items())


def _head(kind: int, number: int) -> bytes:
    if number < 24:
        return bytes([kind << 5 | number])
    if number < 256:
        return bytes([kind << 5 | 24, number])
    return bytes([kind << 5 | 25]) + struct.pack(">H", number)


@dataclass
class Credential:
    """One passkey in the device."""

    id: bytes
    rp: str
    user: bytes
    key: ec.EllipticCurvePrivateKey
    count: int = 0


@dataclass
class Authenticator:
    """A device with passkeys, whose browser shows pages of `origin`. `counts` is whether it counts what it signs."""

    origin: str
    counts: bool = True
    held: list[Credential] = field(default_factory=list)

    def create(self, options: dict[str, Any], *, flags: int = _PRESENT | _VERIFIED, **lies: Any) -> Any:
        """`navigator.credentials.create({publicKey: options})`, as JSON."""
        assert {"type": "public-key", "alg": -7} in options["pubKeyCredParams"]
        made = Credential(
            lies.get("id") or os.urandom(32),
            lies.get("rp", options["rp"]["id"]),
            raw(options["user"]["id"]),
            ec.generate_private_key(ec.SECP256R1()),
        )
        self.held.append(made)
        point = made.key.public_key().public_numbers()
        key = {1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")}
        attested = bytes(16) + struct.pack(">H", len(made.id)) + made.id + cbor(key)
        data = self._data(made, flags | _ATTESTED) + attested
        client = self._client("webauthn.create", options, lies)
        statement = cbor({"fmt": "none", "attStmt": {}, "authData": data})
        response = {"attestationObject": b64(statement), "clientDataJSON": b64(client), "transports": ["usb"]}
        return self._answer(made, response)

    def get(self, options: dict[str, Any], *, flags: int = _PRESENT | _VERIFIED, **lies: Any) -> Any:
        """`navigator.credentials.get({publicKey: options})`, as JSON."""
        allowed = [raw(one["id"]) for one in options["allowCredentials"]]
        rp = lies.get("rp", options["rpId"])
        made = lies.get("credential") or next(
            one for one in self.held if one.id in allowed or (not allowed and one.rp == rp)
        )
        made.count += 1
        data = self._data(made, flags, rp)
        client = self._client("webauthn.get", options, lies)
        signed = data + hashlib.sha256(client).digest()
        signature = made.key.sign(signed, ec.ECDSA(hashes.SHA256()))
        response = {
            "authenticatorData": b64(data),
            "clientDataJSON": b64(client),
            "signature": b64(lies.get("signature", signature)),
            "userHandle": b64(made.user),
        }
        return self._answer(made, response)

    def _data(self, made: Credential, flags: int, rp: str | None = None) -> bytes:
        count = made.count if self.counts else 0
        return hashlib.sha256((rp or made.rp).encode()).digest() + bytes([flags]) + struct.pack(">I", count)

    def _client(self, kind: str, options: dict[str, Any], lies: dict[str, Any]) -> bytes:
        said = {
            "type": lies.get("type", kind),
            "challenge": lies.get("challenge", options["challenge"]),
            "origin": lies.get("origin", self.origin),
            "crossOrigin": False,
        }
        return json.dumps(said).encode()

    def _answer(self, made: Credential, response: dict[str, Any]) -> dict[str, Any]:
        name = b64(made.id)
        return {"id": name, "rawId": name, "type": "public-key", "response": response}
