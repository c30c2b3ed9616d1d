"""What happens to rules when what they ran for is purged, or somebody is erased or hands over what they hold."""

from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob
from kbwork.core.things.cascade import Cascade
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import RuleRow
from kbwork.db.tx import Write, json_array
from kbwork.modules.automation.engine import outcome


def _purge(tx: Write, subject: str) -> None:
    """Nothing says of it any more that a rule ran for it, and none does later."""
    names = json_array(visibility.known_as(tx, subject))
    for table in ("rule_log", "rule_run"):
        tx.execute(f"delete from {table} where subject in (select value from json_each(:names))", names=names)
    kind, ref = ref_of(subject)
    if kind == "issue":
        tx.execute("delete from rule_state where issue = :issue", issue=int(ref))


ON_SUBJECTS = Cascade(name="automation", home=__name__, purge=_purge)


def _forget(tx: Write, job: RunningJob) -> Next:
    """Their rules stop, and no entry says their name any more."""
    member = job.args["member"]
    tx.execute(
        "update rule_log set label = :name where subject = 'member:' || :member",
        name=named.FORMER_MEMBER,
        member=member,
    )
    tx.execute(
        "update rule_log set message = '' where instr(message, :member) > 0"
        " or instr(message, (select name from member where id = :member)) > 0",
        member=member,
    )
    for rule in tx.all(
        "select * from rule where author = :member and enabled order by id", RuleRow, member=member
    ):
        outcome.disable(tx, rule, "Its author left: another admin saves it to go on.")
    return Next()


FORGET = JobKind(kind="automation.forget", home=__name__, step=_forget)
