"""What happens to assets when somebody is erased."""

from kbwork.core.jobs.kinds import JobKind, Next, RunningJob
from kbwork.db.tx import Write


def _forget(tx: Write, job: RunningJob) -> Next:
    """An erased person owns no asset and stands in no value."""
    who = job.args["member"]
    for asset in tx.column("select id from asset where owner = :who", who=who):
        tx.update("asset", asset, owner=None)
    for row in tx.all("select asset, field from asset_value where value = :who", who=who):
        tx.delete("asset_value", (row["asset"], row["field"]))
    return Next()


FORGET = JobKind(kind="assets.forget", home=__name__, step=_forget)
