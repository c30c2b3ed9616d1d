"""Keys end when their time has come, and a rotated secret when it was kept long enough."""

from kbwork.core.jobs.kinds import Schedule
from kbwork.db.rows import KeyRow
from kbwork.db.tx import Read, Write
from kbwork.modules.keys import queries

_RAN_OUT = "expires_at <= :now and revoked_at is null"
_KEPT = "old_until <= :now and old_digest is not null"


def _any_expired(tx: Read) -> bool:
    return tx.one(f"select 1 from key where {_RAN_OUT} limit 1", now=tx.now) is not None


def _expire(tx: Write) -> None:
    for row in tx.all(f"select * from key where {_RAN_OUT} order by id limit 1000", KeyRow, now=tx.now):
        queries.revoke(tx, row, {"reason": "expired"})


EXPIRE = Schedule(name="keys.expire", home=__name__, every_s=1, run=_expire, due=_any_expired)


def _any_kept(tx: Read) -> bool:
    return tx.one(f"select 1 from key where {_KEPT} limit 1", now=tx.now) is not None


def _forget(tx: Write) -> None:
    tx.execute(f"update key set old_digest = null, old_until = null where {_KEPT}", now=tx.now)


FORGET = Schedule(name="keys.forget_rotated", home=__name__, every_s=60, run=_forget, due=_any_kept)
