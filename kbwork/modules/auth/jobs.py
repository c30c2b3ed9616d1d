"""What time ends: sessions, challenges, counted failures, grants, and device codes with keys that nobody fetched."""

from kbwork.core.jobs.kinds import JobKind, Next, RunningJob, Schedule
from kbwork.db.rows import DeviceCodeRow, KeyRow
from kbwork.db.tx import Read, Write
from kbwork.modules import keys
from kbwork.modules.auth.attempts import ASKED_WINDOW_S
from kbwork.modules.auth.oauth import authorization, grants

_SLICE = 5000
_CODE_KEPT_S = 3600
_GRANT_KEPT_S = 90 * 86400
"""A client that comes back meanwhile is known, and is the agent that it was."""
_WAITING_S = 30 * 86400
_FORGOTTEN = (
    f"revoked_at <= :now - {_GRANT_KEPT_S}"
    " and not exists (select 1 from oauth_token t where t.grant_id = oauth_grant.id)"
)
_LEFT_ALONE = (
    f"used_at <= :now - {_GRANT_KEPT_S}"
    " and not exists (select 1 from oauth_grant g where g.client = oauth_client.id)"
)
_OVER = {
    "session": ("id", "expires_at <= :now or idle_until <= :now"),
    "challenge": ("digest", "expires_at <= :now"),
    "attempt": ("id", f"at <= :now - {ASKED_WINDOW_S}"),
    "device_code": ("digest", f"expires_at <= :now - {_CODE_KEPT_S}"),
    "oauth_code": ("digest", "expires_at <= :now"),
    "oauth_token": ("digest", "expires_at <= :now"),
    "oauth_grant": ("id", _FORGOTTEN),
    "oauth_client": (
        "id",
        f"(used_at is null and created_at <= :now - {_WAITING_S}) or ({_LEFT_ALONE})",
    ),
}
_DUE = " or ".join(f"exists (select 1 from {table} where {over})" for table, (_, over) in _OVER.items())


def _any_over(tx: Read) -> bool:
    return bool(tx.value(f"select {_DUE}", now=tx.now))


def _sweep(tx: Write) -> None:
    for table, (key, over) in _OVER.items():
        tx.execute(
            f"delete from {table} where {key} in (select {key} from {table} where {over} limit {_SLICE})",
            now=tx.now,
        )


_IDLE = "kind = 'refresh' and used_at is null and made_at <= :since"


def _any_idle(tx: Read) -> bool:
    return (
        tx.one(f"select 1 from oauth_token where {_IDLE} limit 1", since=tx.now - authorization.idle_s(tx))
        is not None
    )


def _end_idle(tx: Write) -> None:
    """A grant that cannot be refreshed any more: its client must ask again."""
    since = tx.now - authorization.idle_s(tx)
    for grant in tx.column(f"select grant_id from oauth_token where {_IDLE} limit {_SLICE}", since=since):
        grants.end(tx, grant, "not used")
    tx.execute(f"delete from oauth_token where {_IDLE}", since=since)


IDLE = Schedule(name="auth.grants_idle", home=__name__, every_s=60, run=_end_idle, due=_any_idle)

SWEEP = Schedule(name="auth.sweep", home=__name__, every_s=60, run=_sweep, due=_any_over)

_LEFT = "granted is not null and expires_at <= :now"


def _any_left(tx: Read) -> bool:
    return tx.one(f"select 1 from device_code where {_LEFT} limit 1", now=tx.now) is not None


def _revoke_left(tx: Write) -> None:
    """A key that was approved and never fetched: nobody holds its secret."""
    for code in tx.all(
        f"select * from device_code where {_LEFT} order by digest limit {_SLICE}", DeviceCodeRow, now=tx.now
    ):
        row = tx.one("select * from key where id = :key and revoked_at is null", KeyRow, key=code["key"])
        if row is not None:
            keys.revoke(tx, row, {"reason": "not fetched"})
        tx.update("device_code", code["digest"], granted=None)


LEFT = Schedule(name="auth.device_left", home=__name__, every_s=10, run=_revoke_left, due=_any_left)


def _forget(tx: Write, job: RunningJob) -> Next:
    """What proved that it was them goes with an erased person."""
    for table in ("recovery_code", "known_device", "challenge", "passkey", "provider_link", "credential"):
        tx.execute(f"delete from {table} where member = :member", member=job.args["member"])
    tx.execute(
        "delete from oauth_token where grant_id in (select id from oauth_grant where member = :member)",
        member=job.args["member"],
    )
    for table in ("oauth_code", "oauth_grant"):
        tx.execute(f"delete from {table} where member = :member", member=job.args["member"])
    return Next()


FORGET = JobKind(kind="auth.forget", home=__name__, step=_forget)
