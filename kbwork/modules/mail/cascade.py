"""What happens to mailboxes when what their mail becomes is purged, or somebody is erased."""

from kbwork.core.access import visibility
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob
from kbwork.core.things.cascade import Cascade
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import MailboxRow
from kbwork.db.tx import Write, json_array
from kbwork.modules.mail.mailbox import intake, ops
from kbwork.modules.projects import access


def _purge(tx: Write, subject: str) -> None:
    """Nothing answers to it any more. The mailboxes of a project or space go with it."""
    kind, ref = ref_of(subject)
    tx.execute(
        "update mailbox_mail set subject = null where subject in (select value from json_each(:names))",
        names=json_array(visibility.known_as(tx, subject)),
    )
    if kind not in ("project", "space"):
        return
    found = (
        access.purged(tx, ref)
        if kind == "project"
        else tx.value("select id from space where key = :key", key=ref)
    )
    for row in tx.all(f"select * from mailbox where {kind} = :id order by id", MailboxRow, id=found):
        ops.remove(tx, row)


ON_SUBJECTS = Cascade(name="mail", home=__name__, purge=_purge)


def _forget(tx: Write, job: RunningJob) -> Next:
    """Nothing tells any more that mail came from them."""
    address = tx.value("select email from member where id = :id", id=job.args["member"])
    if address is not None:
        tx.execute(
            "update mailbox_mail set sender = null, message = null where sender = :sender",
            sender=intake.digest_of(address),
        )
    return Next()


FORGET = JobKind(kind="mail.forget", home=__name__, step=_forget)
