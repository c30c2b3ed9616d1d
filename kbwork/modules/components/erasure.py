"""What happens to components when somebody is erased."""

from kbwork.core.jobs.kinds import JobKind, Next, RunningJob
from kbwork.db.tx import Write


def _forget(tx: Write, job: RunningJob) -> Next:
    """An erased person leads no component."""
    for component in tx.column("select id from component where lead = :who", who=job.args["member"]):
        tx.update("component", component, lead=None)
    return Next()


FORGET = JobKind(kind="components.forget", home=__name__, step=_forget)
