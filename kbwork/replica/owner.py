"""Whose the replica in a place is: of which org, and under which master key its secrets are sealed."""

import hashlib
import json
from pathlib import Path

from kbwork.base.caller import SYSTEM
from kbwork.base.clock import SystemClock, TrustedTime
from kbwork.base.dataclasses import asdict, dataclass
from kbwork.core import org_settings
from kbwork.db.connection import Unusable
from kbwork.db.readers import Readers
from kbwork.db.tx import Catalogue, Read
from kbwork.replica.target import Outdated, ReplicaTarget

NAME = "kbwork-org"


class OtherOrg(Unusable):
    """The place is another org's."""


@dataclass(frozen=True, slots=True)
class PlaceOwner:
    """An org, as it is known in the place of its replica. Nothing of it is secret."""

    created_at: int
    """When it was made; nothing else of an org stays the same for ever."""
    name: str
    key: str
    """By which its master key is known, and not found."""

    def require(self, target: ReplicaTarget) -> bool:
        """See that a place is this org's, or take it for it. Whether the master key is the one that is known there.
        Raises OtherOrg and Unusable."""
        found = found_in(target)
        if found is None:
            try:
                target.swap(NAME, self._content(), None)
            except Outdated:
                return self.require(target)
            return True
        if found.created_at != self.created_at:
            raise OtherOrg(
                f"the replica {target.place} is that of another org, {found.name!r}: name a path of its own for"
                f" {self.name!r} in replicate.to"
            )
        return found.key == self.key

    def lay(self, target: ReplicaTarget) -> None:
        """Say so there, whatever was said before. Raises Unusable."""
        target.write(NAME, self._content())

    def _content(self) -> bytes:
        return json.dumps({"format": 1} | asdict(self)).encode()


def found_in(target: ReplicaTarget) -> PlaceOwner | None:
    """Whose a place is; None: nobody's yet. Raises Unusable."""
    content = target.read(NAME)
    if content is None:
        return None
    try:
        told = json.loads(content)
        return PlaceOwner(int(told["created_at"]), str(told["name"]), str(told["key"]))
    except (ValueError, TypeError, KeyError):
        raise Unusable(
            f"{target.place}/{NAME} does not say whose the replica is: name another path"
        ) from None


def owner(tx: Read, master_key: bytes) -> PlaceOwner | None:
    """The org of these data; None: it is not set up yet."""
    made = org_settings.get(tx, "org.created_at")
    return PlaceOwner(made, org_settings.get(tx, "org.name"), known_by(master_key)) if made else None


def read_owner(file: Path, master_key: bytes) -> tuple[PlaceOwner | None, int]:
    """The org of a data file, and its last event. Not for the process that serves it. Raises Unusable."""
    clock = SystemClock()
    readers = Readers(file, clock, Catalogue(TrustedTime(clock)))

    def look(tx: Read) -> tuple[PlaceOwner | None, int]:
        # The counter may be a leap ahead of it.
        seq: int = tx.value(
            "select coalesce((select max(seq) from events), (select value from counter where name = 'seq'))"
        )
        return owner(tx, master_key), seq

    try:
        return readers.read_now(look, SYSTEM)
    finally:
        readers.close()


def known_by(master_key: bytes) -> str:
    """What a master key is known by."""
    return hashlib.sha256(b"kbwork replica" + master_key).hexdigest()[:16]


OTHER_KEY = (
    "master.key is not the one with which secrets in the replica {place} were sealed: put that one back; or, where it"
    " is lost and secrets were entered again, lay this one there: kbwork replica key"
)
