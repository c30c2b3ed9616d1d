"""What the keys of somebody who is erased say of them."""

from kbwork.core import named
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob
from kbwork.db.tx import Write


def _forget(tx: Write, job: RunningJob) -> Next:
    for key in tx.column("select id from key where owner = :member", member=job.args["member"]):
        tx.update("key", key, name=named.FORMER_MEMBER, last_address=None)
    return Next()


FORGET = JobKind(kind="keys.forget", home=__name__, step=_forget)
