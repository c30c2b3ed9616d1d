"""Sealing what must be read back but never lie in clear: AES-256-GCM under the master key."""

from functools import cached_property
from typing import TYPE_CHECKING

from kbwork.base import ids
from kbwork.base.errors import MasterKeyLost

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM


class Seal:
    """One master key. `about` binds a sealed text to its place, so that it cannot be moved to another."""

    def __init__(self, master_key: bytes) -> None:
        self._key = master_key

    @cached_property
    def _cipher(self) -> "AESGCM":
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415 - 8 ms that no start needs

        return AESGCM(self._key)

    def seal(self, plain: bytes, about: str) -> bytes:
        nonce = ids.random_bytes(12)
        return nonce + self._cipher.encrypt(nonce, plain, about.encode())

    def open(self, sealed: bytes, about: str, mend: str) -> bytes:
        """What was sealed. Raises MasterKeyLost, which says how to `mend` it, when that was with another master key."""
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - likewise

        try:
            return self._cipher.decrypt(sealed[:12], sealed[12:], about.encode())
        except InvalidTag:
            raise MasterKeyLost(
                f"This was sealed with another master key than the server has now. {mend}",
                internal=f"sealed text about {about} does not open with this master key",
            ) from None
