"""Invites end after 14 days, and forget the address of who was erased."""

from kbwork.core.jobs.kinds import JobKind, Next, RunningJob, Schedule
from kbwork.db.rows import InviteRow
from kbwork.db.tx import Read, Write
from kbwork.modules.invites import queries

_RAN_OUT = "expires_at <= :now and state = 'pending'"


def _any_expired(tx: Read) -> bool:
    return tx.one(f"select 1 from invite where {_RAN_OUT} limit 1", now=tx.now) is not None


def _expire(tx: Write) -> None:
    for row in tx.all(f"select * from invite where {_RAN_OUT} order by id limit 500", InviteRow, now=tx.now):
        queries.end(tx, row, "expired", {"reason": "expired"})


EXPIRE = Schedule(name="invites.expire", home=__name__, every_s=1, run=_expire, due=_any_expired)


def _forget(tx: Write, job: RunningJob) -> Next:
    """The address of an erased person goes from the invites that it was sent to."""
    email = tx.value("select email from member where id = :member", member=job.args["member"])
    for invite in tx.column(
        "select id from invite where accepted_by = :member or lower(email) = lower(:email)",
        member=job.args["member"],
        email=email,
    ):
        tx.update("invite", invite, email="", message="")
    return Next()


FORGET = JobKind(kind="invites.forget", home=__name__, step=_forget)
