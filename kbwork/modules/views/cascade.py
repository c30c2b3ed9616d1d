"""What happens to views when their project is purged, or their owner is erased."""

from kbwork.core.jobs.kinds import JobKind, Next, RunningJob
from kbwork.core.ports import mail
from kbwork.core.things.cascade import Cascade
from kbwork.core.things.thing import ref_of
from kbwork.db.tx import Write
from kbwork.modules import trash
from kbwork.modules.projects import access

_SLICE = 50


def _purge(tx: Write, subject: str) -> bool:
    """A project's views go with it, some at a time."""
    kind, ref = ref_of(subject)
    if kind != "project":
        return True
    found = tx.column(
        "select id from view where project = :project order by id limit :most",
        project=access.purged(tx, ref),
        most=_SLICE,
    )
    return all(trash.purge(tx, f"view:{view}") for view in found) and len(found) < _SLICE


HANGING = Cascade(name="views", home=__name__, purge=_purge)


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
