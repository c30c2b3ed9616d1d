"""Rules that go by times: each time is queued once, and what was missed while the service was down once in all."""

import json

from kbwork.base.clock import monotonic
from kbwork.base.dataclasses import dataclass, replace
from kbwork.base.errors import Problem
from kbwork.core import org_settings
from kbwork.core.jobs.kinds import Schedule
from kbwork.db.rows import RuleRow
from kbwork.db.tx import Read, Write
from kbwork.modules.automation.engine import author, occasion, outcome, queue, steps
from kbwork.modules.automation.engine.occasion import Occasion
from kbwork.modules.automation.engine.outcome import Said
from kbwork.modules.automation.rule import trigger

MOST_ISSUES = 1000
_STEP_S = 0.2
"""Behind so long a step the rest waits for the next second: rules have their times together, and queries are dear."""
_DUE = "enabled and trigger ->> '$.kind' = 'schedule' and coalesce(next_run_at, 0) <= :now"
"""Without a time there was one that may have been kept: the next one counts."""


def _is_due(tx: Read) -> bool:
    return tx.value(f"select 1 from rule where {_DUE} limit 1", now=tx.now) is not None


def _run(tx: Write) -> None:
    """Where the module is off, times pass by."""
    off, begun = org_settings.module_off(tx, "automation"), monotonic()
    for rule in tx.all(f"select * from rule where {_DUE} order by next_run_at, id", RuleRow, now=tx.now):
        following = trigger.next_run(json.loads(rule["trigger"]), tx.now)
        tx.execute("update rule set next_run_at = :at where id = :id", at=following, id=rule["id"])
        if not off and rule["next_run_at"] is not None:
            write(tx, look(tx, rule), Occasion(occasion.TIME, "system", None))
        if monotonic() - begun > _STEP_S:
            break
    tx.wake()


CLOCK = Schedule(name="automation.clock", home=__name__, every_s=1, run=_run, due=_is_due, on_time=True)


@dataclass(frozen=True, slots=True)
class RuleSetting:
    """What a rule is set off for, as far as can be seen before it is."""

    rule: RuleRow
    issues: list[int] | None = None
    """Those that fit its query; None where it has none, and runs once."""
    error: str | None = None
    """Why it cannot run; `author.LOST` where its author may not have it any more."""

    def is_of(self, rule: RuleRow) -> bool:
        """Whether the rule is as it was when it was looked at."""
        return all(rule[name] == self.rule[name] for name in ("trigger", "names", "author", "scopes"))


def look(tx: Read, rule: RuleRow) -> RuleSetting:
    """What a rule that no event sets off is to run for now: once, or for each issue that fits its query. The query may
    take seconds."""
    caller = author.caller_of(tx, rule)
    if caller is None:
        return RuleSetting(rule, error=author.LOST)
    text = json.loads(rule["trigger"])["tql"]
    if not text:
        return RuleSetting(rule)
    try:
        found = steps.listed(tx.as_caller(caller), text, rule["names"], MOST_ISSUES + 1)
    except Problem as problem:
        return RuleSetting(rule, error=problem.detail)
    if len(found) > MOST_ISSUES:
        return RuleSetting(rule, error=f"More than {MOST_ISSUES:,} issues fit its query: narrow it.")
    return RuleSetting(rule, found)


def write(tx: Write, found: RuleSetting, about: Occasion) -> int | None:
    """Queue it. Answers the number of the entry in the log that says why it cannot run; None where it can."""
    rule = found.rule
    if found.error == author.LOST:
        outcome.disable(tx, rule, author.LOST)
        return None
    if found.error is not None:
        return outcome.failed(tx, rule, about, Said(found.error, ok=False, author=rule["author"]))
    if found.issues is None:
        queue.add(tx, rule["id"], about)
        return None
    for issue in found.issues:
        queue.add(tx, rule["id"], replace(about, subject=f"issue:{issue}"))
    return None
