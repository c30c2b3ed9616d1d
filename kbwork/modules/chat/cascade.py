"""What happens to chats when what they were to tell of is purged, their project goes, or somebody is erased."""

from kbwork.core.access import visibility
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob
from kbwork.core.things.cascade import Cascade
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import ChatConnectionRow
from kbwork.db.tx import Write, json_array
from kbwork.modules.chat.connection import ops
from kbwork.modules.projects import access


def _purge(tx: Write, subject: str) -> None:
    """It is not posted any more. The connections of a project go with it."""
    kind, ref = ref_of(subject)
    tx.execute(
        "delete from chat_post where seq in (select seq from events where subject in"
        " (select value from json_each(:names)))",
        names=json_array(visibility.known_as(tx, subject)),
    )
    if kind == "project":
        rows = tx.all(
            "select * from chat_connection where project = :project order by id",
            ChatConnectionRow,
            project=access.purged(tx, ref),
        )
        for row in rows:
            ops.remove(tx, row)


ON_SUBJECTS = Cascade(name="chat", home=__name__, purge=_purge)


def _forget(tx: Write, job: RunningJob) -> Next:
    """No account elsewhere is theirs any more. What a channel heard in their name ends by itself."""
    tx.execute("delete from chat_account where member = :member", member=job.args["member"])
    return Next()


FORGET = JobKind(kind="chat.forget", home=__name__, step=_forget)
