"""What personal fields say of somebody who is erased."""

from kbwork.core.jobs.kinds import JobKind, Next, RunningJob
from kbwork.db.tx import Write

_PERSONAL = "select id from field where personal = 1"
_THEIRS = "select id from issue where reporter = :who"
_RECORDS = f"""
with about (what, record) as (
  select what, record from undo_about
  union all select e.subject, u.seq from undo u join events e on e.seq between u.seq and u.last_seq
)
select f.record from about f join about i on i.record = f.record
  where f.what in (select 'field:' || id from field where personal = 1)
  and i.what in (select 'issue:' || issue from issue_value where field in ({_PERSONAL})
    and (value = :who or issue in ({_THEIRS})))
"""


def _forget(tx: Write, job: RunningJob) -> Next:
    """Personal fields hold nothing more of an erased person, nor did they ever.

    They go from what the person reported, and wherever they name them. Other fields that name them are part of the
    work: they stay, and show a former member.
    """
    who = job.args["member"]
    tx.execute(f"delete from undo where seq in ({_RECORDS})", who=who)
    tx.execute(
        f"delete from issue_value where field in ({_PERSONAL}) and (value = :who or issue in ({_THEIRS}))",
        who=who,
    )
    names = tx.column(f"select 'field:' || id from ({_PERSONAL})")
    for name in names:
        tx.execute(
            "delete from span where field = :name and (value = :who or subject in"
            f" (select 'issue:' || id from ({_THEIRS})))",
            name=name,
            who=who,
        )
    return Next()


FORGET = JobKind(kind="fields.forget", home=__name__, step=_forget)
