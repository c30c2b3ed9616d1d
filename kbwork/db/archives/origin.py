"""Who made an archive: its manifest is signed with a key that follows from the master key of the data folder.

The signature says that nobody changed it since. It does not say that another server's archive is bad: that is what
backups are for.
"""

import hashlib
import hmac
import json
from typing import Any, Literal

ArchiveOrigin = Literal["here", "elsewhere", "unsigned", "changed"]
WORDS: dict[ArchiveOrigin, str] = {
    "here": "made by this server, and as it was then",
    "elsewhere": "made elsewhere, or before this server had its master key: look that you know where it comes from",
    "unsigned": "not signed, as those of earlier versions: look that you know where it comes from",
    "changed": "changed since this server made it: use another backup",
}
"""What is said of each."""
_BY = "made_by"
_SIGNATURE = "signature"


def key_of(secret: bytes) -> str:
    """The key that signs archives, in hexadecimal, from the one that signs all else: it goes to other processes."""
    return hmac.digest(secret, b"archives", "sha256").hex()


def signed(told: dict[str, Any], key: str) -> dict[str, Any]:
    """A manifest with who made it and the signature; both are empty where there is no key."""
    if not key:
        return told
    by = told | {_BY: _name(key)}
    return by | {_SIGNATURE: _signature(by, key)}


def origin(told: dict[str, Any], key: str) -> ArchiveOrigin:
    """What a manifest, as it stands in the archive, says to whoever has this key, or none."""
    if not told.get(_BY) and not told.get(_SIGNATURE):
        return "unsigned"
    if not key or told.get(_BY) != _name(key):
        return "elsewhere"
    same = hmac.compare_digest(str(told.get(_SIGNATURE)).encode(), _signature(told, key).encode())
    return "here" if same else "changed"


def _name(key: str) -> str:
    return hashlib.sha256(bytes.fromhex(key) + b"name").hexdigest()[:16]


def _signature(told: dict[str, Any], key: str) -> str:
    rest = json.dumps({name: told[name] for name in told if name != _SIGNATURE}, sort_keys=True)
    return hmac.digest(bytes.fromhex(key), rest.encode(), "sha256").hex()
