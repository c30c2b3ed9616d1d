"""What somebody who is erased could take back."""

from kbwork.core.jobs.kinds import JobKind, Next, RunningJob
from kbwork.db.tx import Write


def _forget(tx: Write, job: RunningJob) -> Next:
    tx.execute("delete from undo where member = :member", member=job.args["member"])
    return Next()


FORGET = JobKind(kind="undo.forget", home=__name__, step=_forget)
