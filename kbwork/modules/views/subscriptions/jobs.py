"""Mailing views to who subscribed: a schedule finds what is due, and a job asks each view as its receiver.

Of a letter that cannot be sent admins hear by `core/ports/mail.py`, as of any other.
"""

import json

from kbwork.base.dataclasses import dataclass
from kbwork.core import org_settings, zones
from kbwork.core.access import visibility
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob, Schedule, enqueue
from kbwork.core.operations.external import External
from kbwork.core.ports import mail
from kbwork.db.rows import ViewSubscriptionRow
from kbwork.db.tx import Read, TooSlow, Write
from kbwork.modules.views import results
from kbwork.modules.views.subscriptions import due_times, letters
from kbwork.modules.views.subscriptions.subscribe import receiver

_AT_ONCE = 200
_A_STEP = 10
_DUE = "next_at <= :now"


def _any_due(tx: Read) -> bool:
    found = tx.value(f"select 1 from view_subscription where {_DUE} limit 1", now=tx.now) is not None
    return found and mail.sends(tx) and not org_settings.module_off(tx, "views")


def _begin(tx: Write) -> None:
    """Hand what is due to a job, and note when each is due again: a time that nobody was there for comes once."""
    rows = tx.all(
        f"select * from view_subscription where {_DUE} order by next_at, view, member limit :most",
        ViewSubscriptionRow,
        now=tx.now,
        most=_AT_ONCE,
    )
    for row in rows:
        tx.execute(
            "update view_subscription set next_at = :next where view = :view and member = :member",
            next=_next(tx, row),
            view=row["view"],
            member=row["member"],
        )
    due = [[row["view"], row["member"]] for row in rows]
    enqueue(tx, TELL.kind, {"due": due, "since": tx.now}, message=f"Mailing {len(due)} views")


def _next(tx: Read, row: ViewSubscriptionRow) -> int:
    if row["minute"] is None:
        return tx.now + due_times.CHANGE_S
    zone = zones.of_caller(visibility.as_member(tx, row["member"]))
    return zones.following(tx.now, row["minute"], json.loads(row["days"]), zone)


async def _tell(out: External, job: RunningJob) -> Next:
    due = job.args["due"]
    for view, member in due[:_A_STEP]:
        await _tell_one(out, view, member, job.args["since"])
    if len(due) <= _A_STEP:
        return Next(message="Mailed")
    return Next(args=job.args | {"due": due[_A_STEP:]}, message=f"Mailing {len(due) - _A_STEP} views")


async def _tell_one(out: External, view: int, member: str, since: int) -> None:
    try:
        found = await out.read(lambda tx: _look(tx, view, member, since))
    except (
        TooSlow
    ):  # its own bounds did not hold it: it is asked again at its next time, and the others go on
        return
    if found is None:
        await out.write(lambda tx: _end(tx, view, member))
        return
    letter = await out.thread(letters.letter, found.told) if found.to_send else None
    await out.write(lambda tx: _note(tx, found, letter))


@dataclass(frozen=True, slots=True)
class _Found:
    subscription: ViewSubscriptionRow
    told: letters.LetterContent
    to_send: bool


def _look(tx: Read, view: int, member: str, since: int) -> _Found | None:
    """What is to be told; None where nothing is any more, and where it was told before the server went down."""
    subscription = tx.stored("view_subscription", [view, member])
    row = tx.stored("view", [view])
    if subscription is None or row is None or (subscription["told_at"] or 0) >= since:
        return None
    if (seen := receiver(tx, view, member)) is None:
        return None
    org, origin = org_settings.get(tx, "org.name"), mail.origin(tx)
    tx.caller, tx.memo = seen.caller, {}  # from here on the whole snapshot is theirs, and so is its deadline
    before = subscription["told"]
    told = letters.LetterContent(
        view=view,
        name=row["name"],
        every=subscription["every"],
        result=results.look(tx, row),
        before=None if before is None else json.loads(before),
        org=org,
        origin=origin,
    )
    return _Found(subscription, told, _is_news(subscription, told.result))


def _is_news(subscription: ViewSubscriptionRow, result: results.Result) -> bool:
    """By the clock everything is, but a query that is still wrong; else what differs from what was told last."""
    if subscription["every"] != "change" and result.fault is None:
        return True
    first = subscription["digest"] is None and result.fault is None
    return not first and subscription["digest"] != result.digest


def _note(tx: Write, found: _Found, letter: mail.Letter | None) -> None:
    """Queue the letter, and remember what it tells; neither for whoever lost sight of the view since it was asked."""
    view, member = found.subscription["view"], found.subscription["member"]
    if receiver(tx, view, member) is None:
        _end(tx, view, member)
        return
    if letter is not None:
        mail.to_member(tx, member, letter)
    result = found.told.result
    told = found.subscription["told"] if result.fault else _remembered(result)
    tx.execute(
        "update view_subscription set digest = :digest, told = :told, told_at = :now"
        " where view = :view and member = :member",
        digest=result.digest,
        told=told,
        now=tx.now,
        view=view,
        member=member,
    )


def _remembered(result: results.Result) -> str | None:
    return json.dumps(result.names, ensure_ascii=False) if result.is_whole else None


def _end(tx: Write, view: int, member: str) -> None:
    """End a subscription whose receiver left or sees the view no more. One of a view in the trash stays."""
    row = tx.stored("view", [view])
    if row is None or row["deleted_at"] is not None or receiver(tx, view, member) is not None:
        return
    tx.execute(
        "delete from view_subscription where view = :view and member = :member", view=view, member=member
    )


TELL = JobKind(kind="views.tell", home=__name__, wait=_tell, emits=(mail.MailFailed,))
DUE = Schedule(name="views.due", home=__name__, every_s=5, run=_begin, due=_any_due, on_time=True)
