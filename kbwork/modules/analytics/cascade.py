"""What happens to reports when something is purged, or somebody is erased: what they found may say it, and goes."""

from kbwork.core.jobs.kinds import JobKind, Next, RunningJob
from kbwork.core.things.cascade import Cascade
from kbwork.db.tx import Write


def _purge(tx: Write, subject: str) -> None:
    """What stands in a result nobody can tell from its rows. The next run finds it anew, without what is gone."""
    tx.execute("update report set last_result = null where last_result is not null")


ON_SUBJECTS = Cascade(name="analytics", home=__name__, purge=_purge)


def _forget(tx: Write, job: RunningJob) -> Next:
    """An erased person is told of no report; those that they saved stop, since they are no admin any more."""
    tx.execute("delete from report_recipient where who = :member", member=job.args["member"])
    tx.execute("update report set last_result = null where last_result is not null")
    return Next()


FORGET = JobKind(kind="analytics.forget", home=__name__, step=_forget)
