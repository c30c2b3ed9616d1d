"""The envelope of a snapshot on its way to a back end: packed, then encrypted for one SDK key, bound to its version.

offset  bytes
0       4      KBF1
4       1      scheme: 1 is AES-256-GCM with a key by HKDF-SHA-256
5       1      bit 0: packed by zlib; bit 1: a delta
6       8      key id: the beginning of the SHA-256 of the SDK key
14      8      version of the snapshot, big endian
22      16     salt of the key, made with it
38      12     nonce of this envelope
50             ciphertext with its tag; bytes 0 to 50 are authenticated too

Of a delta 8 bytes more stand before the ciphertext, the version that it leads on from, big endian: they are
authenticated too, so that neither can be taken for the other, nor one delta for another.
"""

import hashlib
import struct
import zlib
from dataclasses import dataclass
from typing import NamedTuple

_MAGIC = b"KBF1"
_SCHEME = 1
_TAG_BYTES = 16
_PACKED = 1
_DELTA = 2
_HEAD = struct.Struct(">4sBB8sQ16s12s")
_BASE = struct.Struct(">Q")
_INFO = b"kbwork flags snapshot 1"
_MOST_BYTES = 1 << 29
"""A snapshot unpacked; larger ones are refused."""


class BadEnvelope(ValueError):
    """It cannot be opened; the text says why."""


@dataclass(frozen=True, slots=True)
class OpenedEnvelope:
    """What was inside, and which version of the environment it is."""

    version: int
    content: bytes
    base: int | None = None
    """The version that a delta leads on from; None for a snapshot."""


@dataclass(frozen=True, slots=True)
class SnapshotKey:
    """What seals and opens the snapshots of one SDK key: the server keeps it, and never the SDK key itself."""

    secret: bytes
    """32 bytes."""
    ident: bytes
    """Eight bytes that tell which SDK key opens an envelope, and not more."""
    salt: bytes

    @classmethod
    def of(cls, sdk_key: str, salt: bytes) -> "SnapshotKey":
        """The one of an SDK key, with the 16 bytes that were made with it."""
        from cryptography.hazmat.primitives.hashes import SHA256  # noqa: PLC0415 - 8 ms that a start can do without
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF  # noqa: PLC0415 - likewise

        secret = HKDF(SHA256(), 32, salt, _INFO).derive(sdk_key.encode())
        return cls(secret, hashlib.sha256(sdk_key.encode()).digest()[:8], salt)

    def seal(self, content: bytes, *, version: int, nonce: bytes, base: int | None = None) -> bytes:
        """An envelope; of a delta where there is a base. A nonce of 12 random bytes is used once."""
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415 - likewise

        flags = _PACKED if base is None else _PACKED | _DELTA
        head = _HEAD.pack(_MAGIC, _SCHEME, flags, self.ident, version, self.salt, nonce)
        if base is not None:
            head += _BASE.pack(base)
        return head + AESGCM(self.secret).encrypt(nonce, zlib.compress(content, 6), head)


def version_of(envelope: bytes) -> int:
    """The version that an envelope says it holds. Raises BadEnvelope where it is none."""
    return _head(envelope).version


def open_(envelope: bytes, sdk_key: str) -> OpenedEnvelope:
    """Open an envelope with the SDK key that it was sealed for. Raises BadEnvelope."""
    from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - likewise
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415 - likewise

    head = _head(envelope)
    key = SnapshotKey.of(sdk_key, head.salt)
    if head.ident != key.ident:
        raise BadEnvelope("it was sealed for another SDK key")
    base, size = None, _HEAD.size
    if head.flags & _DELTA:
        (base,) = _BASE.unpack_from(envelope, size)
        size += _BASE.size
    try:
        content = AESGCM(key.secret).decrypt(head.nonce, envelope[size:], envelope[:size])
    except InvalidTag:
        raise BadEnvelope("it was changed on its way") from None
    return OpenedEnvelope(head.version, _unpacked(content) if head.flags & _PACKED else content, base)


class _Head(NamedTuple):
    magic: bytes
    scheme: int
    flags: int
    ident: bytes
    version: int
    salt: bytes
    nonce: bytes


def _head(envelope: bytes) -> _Head:
    if len(envelope) < _HEAD.size + _TAG_BYTES or not envelope.startswith(_MAGIC):
        raise BadEnvelope("it is no snapshot")
    head = _Head(*_HEAD.unpack_from(envelope))
    if head.scheme != _SCHEME:
        raise BadEnvelope(f"it is of scheme {head.scheme}, which this version does not know")
    return head


def _unpacked(packed: bytes) -> bytes:
    reader = zlib.decompressobj()
    try:
        content = reader.decompress(packed, _MOST_BYTES)
    except zlib.error as error:
        raise BadEnvelope(f"it cannot be unpacked: {error}") from None
    if not reader.eof:
        raise BadEnvelope("it is cut off, or too large")
    return content
