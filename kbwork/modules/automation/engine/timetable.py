"""Rules that go by times: each time is queued once, and what was missed while the service was down once in all."""

import json
from typing import Any

from kbwork.base.clock import monotonic
from kbwork.base.errors import Problem
from kbwork.core import org_settings
from kbwork.core.access import impersonate
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
            set_off(tx, rule, occasion.TIME, "system")
        if monotonic() - begun > _STEP_S:
            break
    tx.wake()


CLOCK = Schedule(name="automation.clock", home=__name__, every_s=1, run=_run, due=_is_due, on_time=True)


def set_off(
    tx: Write, rule: RuleRow, event: str, actor: str, payload: dict[str, Any] | None = None
) -> int | None:
    """Queue a rule that no event sets off: once, or for each issue that fits its query. Answers the number of the entry
    in the log that says why it cannot run; None where it can."""
    said = payload or {}
    about = Occasion(event, actor, None, payload=said)
    caller = author.caller_of(tx, rule)
    if caller is None:
        outcome.disable(tx, rule, author.LOST)
        return None
    text = json.loads(rule["trigger"])["tql"]
    if not text:
        queue.add(tx, rule["id"], about)
        return None
    try:
        with impersonate.instead(tx, caller):
            found = steps.listed(tx, text, rule["names"], MOST_ISSUES + 1)
    except Problem as problem:
        return outcome.failed(tx, rule, about, Said(problem.detail, ok=False, author=rule["author"]))
    if len(found) > MOST_ISSUES:
        wide = f"More than {MOST_ISSUES:,} issues fit its query: narrow it."
        return outcome.failed(tx, rule, about, Said(wide, ok=False, author=rule["author"]))
    for issue in found:
        queue.add(tx, rule["id"], Occasion(event, actor, f"issue:{issue}", payload=said))
    return None
