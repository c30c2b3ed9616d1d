"""The personal spaces of somebody who is erased go with them: nobody else ever saw what is in them."""

from kbwork.core.jobs.kinds import JobKind, Next, RunningJob
from kbwork.db.tx import Write
from kbwork.modules import trash


def _forget(tx: Write, job: RunningJob) -> Next:
    for row in tx.all(
        "select id, key from space where owner = :member and kind = 'personal' and name <> ''",
        member=job.args["member"],
    ):
        tx.execute("update space set deleted_at = :now where id = :id", now=tx.now, id=row["id"])
        whole = False
        while not whole:
            whole = trash.purge(tx, f"space:{row['key']}")
    return Next()


FORGET = JobKind(kind="spaces.forget", home=__name__, step=_forget)
