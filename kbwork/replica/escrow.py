"""The master key sealed by a passphrase, so that it may lie beside the data that it opens: argon2id and AES-256-GCM."""

import json

from kbwork.base import ids
from kbwork.db.connection import Unusable
from kbwork.replica.target import ReplicaTarget

NAME = "master.key.sealed"
SHORTEST = 12
"""Letters of a passphrase: whoever may read the place may try as many as they like."""
_ABOUT = b"kbwork master key"
_COST = {"time_cost": 4, "memory_cost": 256 * 1024, "parallelism": 4}


def lay(target: ReplicaTarget, key: bytes, passphrase: str) -> None:
    """Seal the key into the place. Raises Unusable."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415 - few commands need it

    if len(passphrase) < SHORTEST:
        raise Unusable(f"the passphrase should have {SHORTEST} letters or more")
    salt, nonce = ids.random_bytes(16), ids.random_bytes(12)
    sealed = AESGCM(_stretched(passphrase, salt)).encrypt(nonce, key, _ABOUT)
    told = {"format": 1, "salt": salt.hex(), "nonce": nonce.hex(), "sealed": sealed.hex()}
    target.write(NAME, json.dumps(told).encode())


def taken(sealed: bytes, passphrase: str) -> bytes:
    """The key again. Raises Unusable for a passphrase that does not open it."""
    from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - likewise
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415 - likewise

    try:
        told = json.loads(sealed)
        salt, nonce, text = (bytes.fromhex(told[name]) for name in ("salt", "nonce", "sealed"))
        return AESGCM(_stretched(passphrase, salt)).decrypt(nonce, text, _ABOUT)
    except InvalidTag:
        raise Unusable("the passphrase does not open the master key: try again") from None
    except (ValueError, KeyError, TypeError):
        raise Unusable(f"{NAME} in the replica is damaged: lay a copy of master.key yourself") from None


def _stretched(passphrase: str, salt: bytes) -> bytes:
    from argon2.low_level import Type, hash_secret_raw  # noqa: PLC0415 - likewise

    return hash_secret_raw(passphrase.encode(), salt, hash_len=32, type=Type.ID, **_COST)
