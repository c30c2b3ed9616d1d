"""What happens to views when their project is purged, or their owner is erased."""

from kbwork.core.jobs.kinds import JobKind, Next, RunningJob
from kbwork.core.ports import mail
from kbwork.db.tx import Write
from kbwork.modules import trash
from kbwork.modules.projects import placement

HANGING = placement.purged_with_project("view", "view", __name__)


def _forget(tx: Write, job: RunningJob) -> Next:
    """An erased person gets nothing by mail, and what was theirs alone goes; views for others stay."""
    member = job.args["member"]
    tx.execute("delete from view_subscription where member = :member", member=member)
    mail.forget(tx, member)
    for view in tx.column(
        "select id from view where owner = :member and project is null and shared = 0", member=member
    ):
        trash.purge(tx, f"view:{view}")
    return Next()


FORGET = JobKind(kind="views.forget", home=__name__, step=_forget)
