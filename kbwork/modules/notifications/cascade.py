"""What happens to inboxes when what they speak of is purged, or their owner is erased."""

from kbwork.core.access import visibility
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob
from kbwork.core.things.cascade import Cascade
from kbwork.db.tx import Write, json_array


def _purge(tx: Write, subject: str) -> None:
    names = json_array(visibility.known_as(tx, subject))
    for table in ("notification", "notification_mute"):
        tx.execute(f"delete from {table} where subject in (select value from json_each(:names))", names=names)
    kind, _, ref = subject.partition(":")
    if kind == "issue":
        tx.execute("delete from notification_due where issue = :id", id=int(ref))
    if kind == "project":
        tx.execute(
            "delete from notification_project where project in (select id from project where 'project:' || key in"
            " (select value from json_each(:names)))",
            names=names,
        )


ON_SUBJECTS = Cascade(name="notifications", home=__name__, purge=_purge, table="notification")

_OWN = ("notification", "notification_due", "notification_project", "notification_setting", "push_device")


def _forget(tx: Write, job: RunningJob) -> Next:
    """Nobody is left to whom anything is to be told."""
    member = job.args["member"]
    agents = tx.column("select 'agent:' || name from agent where owner = :member", member=member)
    for table in ("inbox", "notification_mute"):
        tx.execute(
            f"delete from {table} where who in (select value from json_each(:whos))",
            whos=json_array([member, *agents]),
        )
    for table in _OWN:
        tx.execute(f"delete from {table} where member = :member", member=member)
    return Next()


FORGET = JobKind(kind="notifications.forget", home=__name__, step=_forget)
