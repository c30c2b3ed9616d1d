"""What happens to webhooks when what they told of is purged, their project goes, or somebody is erased."""

from kbwork.core.access import visibility
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob
from kbwork.core.things.cascade import Cascade
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import WebhookRow
from kbwork.db.tx import Write, json_array
from kbwork.modules.projects import access
from kbwork.modules.webhooks import ops
from kbwork.modules.webhooks.delivery import outcome

_UNTOLD = "update webhook_delivery set request = null, response = null where "


def _purge(tx: Write, subject: str) -> None:
    """What was sent of it is kept no longer. The webhooks of a project go with it."""
    kind, ref = ref_of(subject)
    tx.execute(
        _UNTOLD + "id in (select w.delivery from events e join webhook_event w on w.seq = e.seq"
        " where e.subject in (select value from json_each(:names)))",
        names=json_array(visibility.known_as(tx, subject)),
    )
    if kind == "project":
        project = access.purged(tx, ref)
        for hook in tx.all(
            "select * from webhook where project = :project order by id", WebhookRow, project=project
        ):
            ops.remove(tx, hook)


ON_SUBJECTS = Cascade(name="webhooks", home=__name__, purge=_purge)


def _forget(tx: Write, job: RunningJob) -> Next:
    """Nothing that was sent says their name any more, and what they keep is sent to nobody."""
    member = job.args["member"]
    tx.execute(_UNTOLD + "instr(request, :member) > 0", member=member)
    tx.execute(
        _UNTOLD
        + "event = :message and instr(request, trim(json_quote((select name from member where id = :member)),"
        " '\"')) > 0",
        message=outcome.MESSAGE,
        member=member,
    )
    for hook in tx.all(
        "select * from webhook where author = :member and enabled order by id", WebhookRow, member=member
    ):
        outcome.disable(tx, hook, "Its author left: another admin saves it to go on.")
    return Next()


FORGET = JobKind(kind="webhooks.forget", home=__name__, step=_forget)
