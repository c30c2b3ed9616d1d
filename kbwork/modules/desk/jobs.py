"""What time ends at desks: tokens, links, counted mails and looks at articles; and who leaves."""

import json

from kbwork.core.jobs.kinds import JobKind, Next, RunningJob, Schedule
from kbwork.db.tx import Read, Write
from kbwork.modules.desk.requests import later

_SLICE = 5000
_YEAR_S = 365 * 86400
_OVER = {
    "customer_token": ("digest", "expires_at <= :now"),
    "customer_link": ("digest", "expires_at <= :now"),
    "desk_mail": ("id", f"at <= :now - {_YEAR_S}"),
    "article_use": ("id", f"at <= :now - {_YEAR_S}"),
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


SWEEP = Schedule(name="desk.sweep", home=__name__, every_s=60, run=_sweep, due=_any_over)


def _forget(tx: Write, job: RunningJob) -> Next:
    """Nobody asks an erased person to agree, and what they alone might say is said no more."""
    member = job.args["member"]
    tx.execute("delete from canned_reply where owner = :member and not shared", member=member)
    later.forget(tx, member)
    for ident, approvers in tx.tuples(
        "select id, approvers from request_type where instr(approvers, :member) > 0", member=member
    ):
        left = json.dumps([who for who in json.loads(approvers) if who != member])
        tx.execute("update request_type set approvers = :left where id = :id", left=left, id=ident)
    return Next()


FORGET = JobKind(kind="desk.forget", home=__name__, step=_forget)
