"""What happens in projects when somebody is erased."""

from kbwork.core.jobs.kinds import JobKind, Next, RunningJob
from kbwork.db.tx import Write


def _forget(tx: Write, job: RunningJob) -> Next:
    """An erased person works in no project any more; a project that they led is led by nobody."""
    who = job.args["member"]
    for project in tx.column("select project from project_member where who = :who", who=who):
        tx.delete("project_member", (project, who))
    for project in tx.column("select id from project where lead = :who", who=who):
        tx.update("project", project, lead=None)
    return Next()


FORGET = JobKind(kind="projects.forget", home=__name__, step=_forget)
