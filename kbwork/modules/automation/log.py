"""Look at what rules did."""

from kbwork.base.model import Id, Input
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read
from kbwork.db.rows import RuleLogRow
from kbwork.db.tx import Read
from kbwork.modules.automation import queries
from kbwork.modules.automation.model import AutomationLogEntry

MOST = 200
_LOOKED_AT = 2000


class AutomationLog(Input):
    rule: Id | None = None
    """Only runs of this rule; left out: those of all."""


@read(
    "automation.log",
    scope="automation:read",
    guests=False,
    words="why did this change by itself, what did a rule do, which rule did this, failed rules",
    example={"rule": 1},
)
def log(tx: Read, args: AutomationLog) -> list[AutomationLogEntry]:
    """List what came of the latest runs, newest first: 200 at most, of 90 days and 1,000 for each rule.

    Runs for something that the caller does not see are left out. Why a run failed, and where a rule went beyond what it
    ran for, its author alone reads the message.
    """
    if args.rule is not None:
        queries.stored(tx, args.rule)
    rows = tx.all(
        "select * from rule_log where :rule is null or rule = :rule order by id desc limit :most",
        RuleLogRow,
        rule=args.rule,
        most=_LOOKED_AT,
    )
    subjects = {row["subject"] for row in rows if row["subject"] is not None}
    seen = visibility.fitting(tx, subjects, lambda kind: kind.seen)
    told = [row for row in rows if row["subject"] is None or row["subject"] in seen]
    return [_shown(tx, row) for row in told[:MOST]]


def _shown(tx: Read, row: RuleLogRow) -> AutomationLogEntry:
    whole = row["author"] in (None, tx.caller.member)
    return AutomationLogEntry(
        id=row["id"],
        rule=row["rule"],
        at=row["at"],
        event=row["event"],
        actor=row["actor"],
        label=row["label"],
        message=row["message"] if whole else ("Ran." if row["ok"] else "Failed."),
        ok=bool(row["ok"]),
        subject=row["subject"],
    )
