"""Rights end when their time has come: sight never reads the clock."""

from kbwork.core.jobs.kinds import Schedule
from kbwork.db.rows import AccessGrantRow
from kbwork.db.tx import Read, Write
from kbwork.modules.access import grants

_RAN_OUT = "expires_at is not null and expires_at <= :now"


def _any_expired(tx: Read) -> bool:
    return tx.one(f"select 1 from access_grant where {_RAN_OUT} limit 1", now=tx.now) is not None


def _expire(tx: Write) -> None:
    rows = tx.all(
        f"select * from access_grant where {_RAN_OUT} order by id limit 1000", AccessGrantRow, now=tx.now
    )
    for row in rows:
        grants.revoke(tx, row["id"], row["subject"], row["who"], row["level"])


EXPIRE = Schedule(name="access.expire", home=__name__, every_s=1, run=_expire, due=_any_expired)
