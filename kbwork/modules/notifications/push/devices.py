"""Browsers that are pushed to, as rows, and the key by which push services know this server."""

import json

from kbwork.base import ids
from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import MasterKeyLost
from kbwork.core.jobs.kinds import Schedule
from kbwork.core.seal import Seal
from kbwork.db.rows import PushDeviceRow
from kbwork.db.tx import Read, Write
from kbwork.modules.notifications.push import encryption
from kbwork.modules.notifications.push.encryption import BrowserKeys, ServerKey

_MEND_DEVICE = "Let the browser subscribe anew."
_MEND_SERVER = "Put the old master key back."
_SERVER = "push server"


@dataclass(frozen=True, slots=True)
class OpenedDevice:
    """A browser as it is written to."""

    id: int
    endpoint: str
    keys: BrowserKeys


def digest(endpoint: str) -> bytes:
    """By what a browser is found: its address is kept sealed."""
    return ids.digest(endpoint)


def sealed(tx: Read, endpoint: str, keys: BrowserKeys) -> bytes:
    told = {
        "endpoint": endpoint,
        "p256dh": encryption.coded(keys.p256dh),
        "auth": encryption.coded(keys.auth),
    }
    return Seal(tx.secret).seal(json.dumps(told).encode(), _place(digest(endpoint)))


def opened(tx: Read, member: str) -> list[OpenedDevice]:
    """All of a member's. Raises MasterKeyLost."""
    rows = tx.all(
        "select * from push_device where member = :member order by id", PushDeviceRow, member=member
    )
    return [_opened(tx, row) for row in rows]


def _opened(tx: Read, row: PushDeviceRow) -> OpenedDevice:
    told = json.loads(Seal(tx.secret).open(row["sealed"], _place(row["digest"]), _MEND_DEVICE))
    keys = BrowserKeys(encryption.decoded(told["p256dh"]), encryption.decoded(told["auth"]))
    return OpenedDevice(row["id"], told["endpoint"], keys)


def _place(named: bytes) -> str:
    return f"push device {named.hex()}"


def server_key(tx: Read) -> ServerKey | None:
    """That of this server; None until it is made, a moment after it was asked for. Raises MasterKeyLost."""
    row = tx.one("select public, sealed from push_server")
    if row is None:
        return None
    return ServerKey(row["public"], Seal(tx.secret).open(row["sealed"], _SERVER, _MEND_SERVER))


@dataclass(slots=True)
class KeyWish:
    """Whether somebody asked for the server's key: one that nobody asks for is not made, nor opened at a start."""

    wanted: bool = False


def want_key(tx: Read) -> None:
    """Have it made, where there is none that opens."""
    tx.beside("push key", KeyWish).wanted = True


def _is_missing(tx: Read) -> bool:
    """Also where another master key sealed it: it never opens again."""
    wish: KeyWish = tx.beside("push key", KeyWish)
    if not wish.wanted:
        return False
    try:
        wish.wanted = server_key(tx) is None
    except MasterKeyLost:
        return True
    return wish.wanted


def _make(tx: Write) -> None:
    """Browsers that knew another key of this server are told nothing by a new one: they subscribe anew."""
    tx.execute("delete from push_device")
    key = encryption.new_server_key()
    tx.execute(
        "insert into push_server (name, public, sealed, made_at) values ('vapid', :public, :sealed, :now)"
        " on conflict (name) do update set public = :public, sealed = :sealed, made_at = :now",
        public=key.public,
        sealed=Seal(tx.secret).seal(key.private, _SERVER),
        now=tx.now,
    )


KEY = Schedule(name="notifications.push_key", home=__name__, every_s=5, run=_make, due=_is_missing)
