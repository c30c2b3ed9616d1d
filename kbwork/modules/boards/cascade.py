"""What happens to boards when their project is purged, or their owner is erased."""

from kbwork.core.jobs.kinds import JobKind, Next, RunningJob
from kbwork.core.things.cascade import Cascade
from kbwork.core.things.thing import ref_of
from kbwork.db.tx import Write
from kbwork.modules import trash
from kbwork.modules.projects import access

_SLICE = 50


def _purge(tx: Write, subject: str) -> bool:
    """A project's boards go with it, some at a time."""
    kind, ref = ref_of(subject)
    if kind != "project":
        return True
    found = tx.column(
        "select id from board where project = :project order by id limit :most",
        project=access.purged(tx, ref),
        most=_SLICE,
    )
    return all(trash.purge(tx, f"board:{board}") for board in found) and len(found) < _SLICE


HANGING = Cascade(name="boards", home=__name__, purge=_purge)


def _forget(tx: Write, job: RunningJob) -> Next:
    """What was an erased person's alone goes; boards on projects stay."""
    for board in tx.column(
        "select id from board where owner = :member and project is null", member=job.args["member"]
    ):
        trash.purge(tx, f"board:{board}")
    return Next()


FORGET = JobKind(kind="boards.forget", home=__name__, step=_forget)
