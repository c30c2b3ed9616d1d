"""Requests for approval go for good with their issue."""

from kbwork.core.things.cascade import Cascade
from kbwork.core.things.thing import ref_of
from kbwork.db.tx import Write


def _purge(tx: Write, subject: str) -> None:
    kind, ref = ref_of(subject)
    if kind != "issue":
        return
    for table in ("approval_approver", "approval_vote"):
        tx.execute(
            f"delete from {table} where approval in (select id from approval where issue = :issue)",
            issue=int(ref),
        )
    tx.execute("delete from approval where issue = :issue", issue=int(ref))


HANGING = Cascade(name="approvals", home=__name__, purge=_purge)
