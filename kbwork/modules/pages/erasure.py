"""Pages forget who was erased."""

from kbwork.core.jobs.kinds import JobKind, Next, RunningJob
from kbwork.db.tx import Write


def _forget(tx: Write, job: RunningJob) -> Next:
    member = job.args["member"]
    tx.execute("delete from page_watcher where who = :member", member=member)
    tx.execute("delete from page_visit where who = :member", member=member)
    tx.execute("update page_task set assignee = null where assignee = :member", member=member)
    # A page of which nobody else is named would be everybody's: it stays narrowed, to those who see it anyway.
    tx.execute(
        "insert into page_limit (page, level, who) select page, level, 'team:admins' from page_limit"
        " where who = :member and level <> 'owner' on conflict do nothing",
        member=member,
    )
    tx.execute("delete from page_limit where who = :member and level <> 'owner'", member=member)
    return Next()


FORGET = JobKind(kind="pages.forget", home=__name__, step=_forget)
