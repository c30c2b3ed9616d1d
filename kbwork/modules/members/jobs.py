"""What happens to members by itself: guests whose time is over leave, a status ends, and the erased are forgotten."""

from kbwork.base.caller import Caller
from kbwork.base.dataclasses import replace
from kbwork.core import named
from kbwork.core.access import scopes
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob, Schedule
from kbwork.db.rows import MemberRow
from kbwork.db.tx import Read, Write
from kbwork.modules.members.departure import deactivate, erase
from kbwork.modules.members.model import MemberErased, MemberUpdated

_OVER = "guest_until <= :now and state = 'active'"
_PASSED = "json_extract(status, '$.until') <= :now and status is not null"
_AT_ONCE = 500
_PERSONAL = (
    "email",
    "avatar",
    "title",
    "pronouns",
    "about",
    "zone",
    "locale",
    "status",
    "calendar",
    "guest_until",
    "last_seen_at",
)


def _any_guest_over(tx: Read) -> bool:
    return tx.one(f"select 1 from member where {_OVER} limit 1", now=tx.now) is not None


def _end_guests(tx: Write) -> None:
    for row in tx.all(
        f"select * from member where {_OVER} order by id limit {_AT_ONCE}", MemberRow, now=tx.now
    ):
        deactivate.end(tx, row, {"reason": "guest_until"})


GUESTS = Schedule(name="members.end_guests", home=__name__, every_s=1, run=_end_guests, due=_any_guest_over)


def _any_status_passed(tx: Read) -> bool:
    return tx.one(f"select 1 from member where {_PASSED} limit 1", now=tx.now) is not None


def _clear_statuses(tx: Write) -> None:
    for member in tx.column(
        f"select id from member where {_PASSED} order by id limit {_AT_ONCE}", now=tx.now
    ):
        tx.update("member", member, status=None)
        tx.emit(MemberUpdated(subject=f"member:{member}", payload={"fields": ["status"]}))


STATUSES = Schedule(
    name="members.clear_statuses", home=__name__, every_s=1, run=_clear_statuses, due=_any_status_passed
)


def _forget(tx: Write, job: RunningJob) -> Next:
    """Erase a person in one transaction.

    Other modules forget their part by a kind of job whose name ends in `.forget`: it gets the same arguments.
    """
    tx.shred()
    member = job.args["member"]
    role = tx.value("select role from member where id = :id", id=job.args["by"])
    asked = Caller(member=job.args["by"], role=role, kind="human", scopes=scopes.of_role(role))
    before, tx.caller = tx.caller, asked
    try:
        for kind in tx.registry.jobs.values():
            if kind.kind.endswith(".forget") and kind.step is not None:
                kind.step(tx, replace(job, kind=kind.kind))
        _forget_member(tx, member)
        tx.emit(MemberErased(subject=f"member:{member}"))
    finally:
        tx.caller = before
    return Next(result={"member": member})


def _forget_member(tx: Write, member: str) -> None:
    tx.execute("delete from avatar where member = :member", member=member)
    tx.update(
        "member",
        member,
        state="erased",
        name=named.FORMER_MEMBER,
        handle=member,
        role="guest",
        preferences="{}",
        **dict.fromkeys(_PERSONAL),
    )


ERASE = JobKind(kind=erase.ERASE, home=__name__, step=_forget, emits=(MemberErased,))
