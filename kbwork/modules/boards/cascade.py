"""What happens to boards when their project is purged, or their owner is erased."""

from kbwork.core.jobs.kinds import JobKind, Next, RunningJob
from kbwork.db.tx import Write
from kbwork.modules import trash
from kbwork.modules.projects import placement

HANGING = placement.purged_with_project("board", "board", __name__)


def _forget(tx: Write, job: RunningJob) -> Next:
    """What was an erased person's alone goes; boards on projects stay."""
    for board in tx.column(
        "select id from board where owner = :member and project is null", member=job.args["member"]
    ):
        trash.purge(tx, f"board:{board}")
    return Next()


FORGET = JobKind(kind="boards.forget", home=__name__, step=_forget)
