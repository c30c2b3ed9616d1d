"""The SDK keys that were asked for, kept by their digests: a call by a known key looks nothing up."""

from kbwork.api.sdk.gate import KEY_FORM
from kbwork.base import ids
from kbwork.base.clock import Clock
from kbwork.core.ports.flags import FlagSource, SdkKeyRecord
from kbwork.db.database import Database

_MANY = 10_000


class SdkKeyCache:
    """What is known is forgotten when a commit may have ended a key; the end of its time counts at once."""

    def __init__(self, database: Database, source: FlagSource, clock: Clock) -> None:
        self._database = database
        self._source = source
        self._clock = clock
        self._known: dict[bytes, SdkKeyRecord | None] = {}
        """Tokens that are no key of this server are known as such too."""

    def find(self, token: str) -> SdkKeyRecord | None:
        """The key that this token is, while it lives. Raises Busy while the data are exchanged."""
        digest = ids.digest(token)
        if digest not in self._known and not KEY_FORM.fullmatch(token):
            return None
        return self.living(digest)

    def living(self, digest: bytes) -> SdkKeyRecord | None:
        """The key with this SHA-256, while it lives. Raises Busy while the data are exchanged."""
        self._database.require_open()
        try:
            found = self._known[digest]
        except KeyError:
            found = self._database.read_now(lambda tx: self._source.key(tx, digest))
            if len(self._known) >= _MANY:
                self._known.clear()
            self._known[digest] = found
        if found is not None and found.expires_at is not None and found.expires_at <= self._clock.now():
            return None
        return found

    def forget(self) -> None:
        """Look them up again from now on."""
        self._known.clear()
