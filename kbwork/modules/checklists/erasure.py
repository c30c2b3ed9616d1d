"""What happens to checklists when somebody is erased."""

from kbwork.core.jobs.kinds import JobKind, Next, RunningJob
from kbwork.db.tx import Write


def _forget(tx: Write, job: RunningJob) -> Next:
    """An erased person has no item to do any more; what they ticked stays ticked."""
    who = job.args["member"]
    for item in tx.column("select id from check_item where assignee = :who", who=who):
        tx.update("check_item", item, assignee=None)
    return Next()


FORGET = JobKind(kind="checklists.forget", home=__name__, step=_forget)
