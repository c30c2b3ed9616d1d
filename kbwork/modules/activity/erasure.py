"""What somebody who is erased looked at, and what was told of them."""

from kbwork.core.jobs.kinds import JobKind, Next, RunningJob
from kbwork.db.tx import Write


def _forget(tx: Write, job: RunningJob) -> Next:
    """Events about them stay, but not what was changed: that is their name, their handle, and how they go by."""
    member = job.args["member"]
    tx.execute("delete from mark where member = :member", member=member)
    tx.execute(
        "update events set payload = jsonb_remove(payload, '$.changes')"
        " where subject = :subject and jsonb_extract(payload, '$.changes') is not null",
        subject=f"member:{member}",
    )
    return Next()


FORGET = JobKind(kind="activity.forget", home=__name__, step=_forget)
