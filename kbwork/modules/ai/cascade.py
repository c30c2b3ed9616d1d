"""What happens to proposals and runs when what they are about is purged, or somebody is erased."""

from kbwork.core.access import visibility
from kbwork.core.jobs import queue
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob
from kbwork.core.things.cascade import Cascade
from kbwork.db.tx import Write, json_array


def _purge(tx: Write, subject: str) -> None:
    """What a model said of it goes; a run that is under way finds nothing to write into, and its job ends."""
    names = json_array(visibility.known_as(tx, subject))
    for job in tx.column(
        "select job from ai_run where subject in (select value from json_each(:names)) order by id",
        names=names,
    ):
        queue.rouse(tx, job)
    for table in ("ai_proposal", "ai_run"):
        tx.execute(f"delete from {table} where subject in (select value from json_each(:names))", names=names)


ON_SUBJECTS = Cascade(name="ai", home=__name__, purge=_purge)


def _forget(tx: Write, job: RunningJob) -> Next:
    """What they asked for can be applied by nobody any more, and what says their name goes. What they used stays
    counted, under an id that says nothing of them."""
    member = job.args["member"]
    for asked in tx.column(
        "select job from ai_run where asker ->> '$.member' = :member order by id", member=member
    ):
        queue.rouse(tx, asked)
    tx.execute("delete from ai_run where asker ->> '$.member' = :member", member=member)
    tx.execute(
        "delete from ai_proposal where asked_by = :member or instr(answer || input, :member) > 0"
        " or instr(answer || input, (select name from member where id = :member)) > 0",
        member=member,
    )
    return Next()


FORGET = JobKind(kind="ai.forget", home=__name__, step=_forget)
