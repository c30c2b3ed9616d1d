"""What happens to stars when what they are on is purged, or their owner is erased."""

from kbwork.core.access import visibility
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob
from kbwork.core.things.cascade import Cascade
from kbwork.db.tx import Write, json_array


def _purge(tx: Write, subject: str) -> None:
    names = json_array(visibility.known_as(tx, subject))
    tx.execute("delete from star where subject in (select value from json_each(:names))", names=names)


ON_SUBJECTS = Cascade(name="stars", home=__name__, purge=_purge, table="star")


def _forget(tx: Write, job: RunningJob) -> Next:
    """Nobody is left to whom they are of use."""
    tx.execute("delete from star where member = :member", member=job.args["member"])
    return Next()


FORGET = JobKind(kind="stars.forget", home=__name__, step=_forget)
