"""Nothing is given any more to who was erased."""

from kbwork.core.jobs.kinds import JobKind, Next, RunningJob
from kbwork.db.tx import Write


def _forget(tx: Write, job: RunningJob) -> Next:
    for ident in tx.column("select id from access_grant where who = :member", member=job.args["member"]):
        tx.delete("access_grant", ident)
    return Next()


FORGET = JobKind(kind="access.forget", home=__name__, step=_forget)
