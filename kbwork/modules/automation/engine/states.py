"""Rules for issues that fit a query for some time: looked at each minute, and run once for each time that they fit."""

import json
from typing import Any

from kbwork.base.dataclasses import dataclass, field
from kbwork.base.errors import Problem
from kbwork.core import org_settings
from kbwork.core.jobs.chores import Chore, paced
from kbwork.db.rows import RuleRow
from kbwork.db.tx import Read, Write, json_array
from kbwork.modules.automation.engine import author, occasion, outcome, queue, steps
from kbwork.modules.automation.engine.occasion import Occasion
from kbwork.modules.automation.engine.outcome import Said

EVERY_S = 60
MOST_ISSUES = 1000


@dataclass(slots=True)
class StateChange:
    """What is other for one rule than is kept."""

    rule: RuleRow
    begun: list[int] = field(default_factory=list)
    """Issues that fit from now on."""
    ended: list[int] = field(default_factory=list)
    due: list[int] = field(default_factory=list)
    """Issues that fit so long that the rule runs for them."""
    error: str | None = None


def changes(tx: Read) -> list[StateChange]:
    """What is other than is kept."""
    if org_settings.module_off(tx, "automation"):
        return []
    rules = tx.all("select * from rule where enabled and trigger ->> '$.kind' = 'state' order by id", RuleRow)
    found = [_of(tx, rule, json.loads(rule["trigger"])) for rule in rules]
    return [one for one in found if one.begun or one.ended or one.due or one.error]


def _of(tx: Read, rule: RuleRow, trigger: dict[str, Any]) -> StateChange:
    change = StateChange(rule)
    caller = author.caller_of(tx, rule)
    if caller is None:
        change.error = author.LOST
        return change
    try:
        fitting = steps.listed(tx.as_caller(caller), trigger["tql"], rule["names"], MOST_ISSUES + 1)
    except Problem as problem:
        change.error = problem.detail
        return change
    if len(fitting) > MOST_ISSUES:
        change.error = f"More than {MOST_ISSUES:,} issues fit its query: narrow it."
        return change
    kept = {
        row["issue"]: row for row in tx.all("select * from rule_state where rule = :rule", rule=rule["id"])
    }
    until = tx.now - trigger["minutes"] * 60
    now = set(fitting)
    change.begun = [issue for issue in fitting if issue not in kept]
    change.ended = [issue for issue in kept if issue not in now]
    change.due = [
        issue
        for issue in fitting
        if issue in kept and not kept[issue]["fired"] and kept[issue]["since"] <= until
    ]
    return change


def write(tx: Write, found: list[StateChange]) -> None:
    """Write it down and queue the runs, for rules that are as they were."""
    for change in found:
        rule = tx.stored("rule", [change.rule["id"]])
        if rule is None or not rule["enabled"] or rule["trigger"] != change.rule["trigger"]:
            continue
        if change.error == author.LOST:
            outcome.disable(tx, rule, author.LOST)
        elif change.error is not None:
            said = Said(change.error, ok=False, author=rule["author"])
            outcome.failed(tx, rule, Occasion(occasion.STATE, "system", None), said)
        else:
            _keep(tx, rule["id"], change)
    tx.wake()


def _keep(tx: Write, rule: int, change: StateChange) -> None:
    tx.execute(
        "delete from rule_state where rule = :rule and issue in (select value from json_each(:issues))",
        rule=rule,
        issues=json_array(change.ended),
    )
    tx.execute(
        "insert or ignore into rule_state (rule, issue, since, fired)"
        " select :rule, value, :now, 0 from json_each(:issues)",
        rule=rule,
        now=tx.now,
        issues=json_array(change.begun),
    )
    for issue in change.due:
        fresh = tx.execute(
            "update rule_state set fired = 1 where rule = :rule and issue = :issue and not fired",
            rule=rule,
            issue=issue,
        )
        if fresh:
            queue.add(tx, rule, Occasion(occasion.STATE, "system", f"issue:{issue}"))


WATCH = Chore(
    name="automation.states",
    home=__name__,
    look=paced("automation.states", EVERY_S, lambda tx: changes(tx) or None),
    write=write,
)
