"""What somebody who is erased looked at."""

from kbwork.core.jobs.kinds import JobKind, Next, RunningJob
from kbwork.db.tx import Write


def _forget(tx: Write, job: RunningJob) -> Next:
    tx.execute("delete from mark where member = :member", member=job.args["member"])
    return Next()


FORGET = JobKind(kind="activity.forget", home=__name__, step=_forget)
