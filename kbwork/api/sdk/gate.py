"""Who may come in by which SDK key, and what the doors of flags ask of whatever stands behind them."""

import re
from typing import Final, Protocol

from kbwork.api.sdk.snapshot import ServedSnapshot
from kbwork.api.sdk.subscriber import Subscriber
from kbwork.base.errors import Unauthenticated
from kbwork.core.operations.limits import Limits
from kbwork.core.ports.flags import CountBatch, SdkKeyRecord

CLIENT: Final = "cli_"
"""How a client-side ID begins."""
KEY_FORM: Final = re.compile(r"srv_[A-Za-z0-9_-]{40}|cli_[A-Za-z0-9_-]{24}")


class KeyRing(Protocol):
    """The keys that are known."""

    def find(self, token: str) -> SdkKeyRecord | None:
        """The key that this token is, while it lives. Raises Busy where that cannot be said now."""
        ...

    def living(self, digest: bytes) -> SdkKeyRecord | None:
        """The key with this SHA-256, while it lives. Raises Busy where that cannot be said now."""
        ...


class Tally(Protocol):
    """Counts what is answered."""

    def ask(self) -> None:
        """One more request for remote evaluation, whatever it is answered."""
        ...

    def note(self, edition: ServedSnapshot) -> None:
        """A request that this edition is about to answer."""
        ...


class FlagDelivery(Protocol):
    """What is served now, to whom, and who is told of changes."""

    @property
    def keys(self) -> KeyRing: ...

    @property
    def tally(self) -> Tally: ...

    async def snapshot(self, key: SdkKeyRecord) -> ServedSnapshot:
        """The environment that a key opens, at the newest version in memory. Raises Unauthenticated or Busy."""
        ...

    async def join(self, subscriber: Subscriber) -> ServedSnapshot:
        """Tell this one of changes from now on; answers what it begins with. Raises as `snapshot`, and then it is not
        told."""
        ...

    def leave(self, subscriber: Subscriber) -> None:
        """Tell it no more."""
        ...

    async def count(self, batch: CountBatch) -> int | None:
        """Keep what a client library counted; answers how many events did, None where the batch came before."""
        ...


class SdkGate:
    """Lets requests in by the keys that they show, each of which counts."""

    def __init__(self, keys: KeyRing, limits: Limits) -> None:
        """`limits` are by key."""
        self._keys = keys
        self.limits = limits

    def key(self, token: str | None) -> SdkKeyRecord:
        """The key that this token is. Raises Unauthenticated, RateLimited or Busy."""
        found = self._keys.find(token or "")
        if found is None:
            raise Unauthenticated(
                "Send an SDK key that lives, of this server, as `Authorization: Bearer ...`."
                if token is None
                else "This SDK key is not known here, or ended."
            )
        self.limits.take(f"sdk:{found.id}", "read")
        return found
