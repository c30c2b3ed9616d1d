"""What the keys of somebody who is erased say of them."""

from kbwork.core.jobs.kinds import JobKind, Next, RunningJob
from kbwork.db.tx import Write

_NAME = "former member"


def _forget(tx: Write, job: RunningJob) -> Next:
    for key in tx.column("select id from key where owner = :member", member=job.args["member"]):
        tx.update("key", key, name=_NAME, last_address=None)
    return Next()


FORGET = JobKind(kind="keys.forget", home=__name__, step=_forget)
