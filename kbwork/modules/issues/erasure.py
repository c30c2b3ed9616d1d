"""What issues keep of somebody who is erased."""

from kbwork.core.jobs.kinds import JobKind, Next, RunningJob
from kbwork.db.tx import Write


def _forget(tx: Write, job: RunningJob) -> Next:
    """An erased person watches nothing. What they reported, have, wrote and voted for stays: it is the work."""
    tx.execute("delete from issue_watcher where who = :who", who=job.args["member"])
    return Next()


FORGET = JobKind(kind="issues.forget", home=__name__, step=_forget)
