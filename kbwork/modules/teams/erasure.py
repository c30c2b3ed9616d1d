"""Teams forget who was erased."""

from kbwork.core.jobs.kinds import JobKind, Next, RunningJob
from kbwork.db.tx import Write


def _forget(tx: Write, job: RunningJob) -> Next:
    member = job.args["member"]
    for team in tx.column("select team from team_member where member = :member", member=member):
        tx.delete("team_member", (team, member))
    for override in tx.column("select id from rota_override where member = :member", member=member):
        tx.delete("rota_override", override)
    return Next()


FORGET = JobKind(kind="teams.forget", home=__name__, step=_forget)
