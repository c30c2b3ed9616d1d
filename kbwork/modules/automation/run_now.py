"""Run a rule by hand: a button, a time before it comes, or to see how often it would have run."""

import json

from kbwork.base.clock import monotonic
from kbwork.base.errors import Conflict
from kbwork.base.model import Id, Input
from kbwork.core.access import impersonate
from kbwork.core.operations.declare import write
from kbwork.db.rows import RuleRow
from kbwork.db.tx import Write, with_columns
from kbwork.modules import issues
from kbwork.modules.automation import queries
from kbwork.modules.automation.engine import (
    author,
    follower,
    occasion,
    outcome,
    runner,
    states,
    steps,
    timetable,
)
from kbwork.modules.automation.engine.occasion import Occasion
from kbwork.modules.automation.engine.outcome import Said
from kbwork.modules.automation.model import RuleRun

_TRIAL = "trial"
_LOOK_S = 1.0
_MOST_EVENTS = 2000
_MOST_NAMED = 10
_BACK = 100_000
"""So many events back a trial looks."""


class AutomationRun(Input):
    id: Id
    """Id of the rule, from `automation.list`."""


@write(
    "automation.run",
    scope="admin",
    words=(
        "press the button of a rule, run a rule now, try a rule, how often would it have run, test an automation, "
        "dry run"
    ),
    undo="what its operations did is taken back by undoing those",
    emits_any=True,
    example={"id": 1},
)
def run(tx: Write, args: AutomationRun) -> RuleRun:
    """Run a rule now, as its author, and answer its entry in the log, which says what came of it. For admins.

    A rule with a button or with times is run: at once, or in a moment for each issue that its query names. A rule that
    goes by events or by a state changes nothing here: the entry says how often it would have run over past events,
    judged by how issues are now, or for which issues it would run now. One that is off is 409, unless it is only tried.
    """
    queries.require_whole(tx)
    rule = queries.stored(tx, args.id)
    caller = author.caller_of(tx, rule)
    if caller is None:
        raise Conflict(author.LOST)
    kind = json.loads(rule["trigger"])["kind"]
    if kind in ("event", "state"):
        return RuleRun(log=_tried(tx, rule, kind))
    if not rule["enabled"]:
        raise Conflict("The rule is off: switch it on by automation.save first.")
    who = tx.caller.actor
    if json.loads(rule["trigger"])["tql"]:
        before = _waiting(tx, rule)
        failed = timetable.set_off(tx, rule, occasion.BUTTON, who)
        if failed is not None:
            return RuleRun(log=failed)
        tx.wake()
        number = _waiting(tx, rule) - before
        text = "Runs for 1 issue." if number == 1 else f"Runs for {number} issues."
        said = Said(text, ok=True, author=rule["author"])
        return RuleRun(log=outcome.log(tx, rule["id"], Occasion(occasion.BUTTON, who, None), said))
    about = Occasion(occasion.BUTTON, who, None)
    if runner.is_too_often(tx, rule, about):
        raise Conflict(f"It ran {runner.MOST_A_MINUTE} times within a minute: wait a little.")
    with impersonate.instead(tx, caller):
        entry = runner.make(tx, rule, about)
    if entry is None:
        entry = outcome.log(
            tx, rule["id"], about, Said("Its conditions do not hold: nothing was done.", ok=True)
        )
    return RuleRun(log=entry)


def _waiting(tx: Write, rule: RuleRow) -> int:
    return int(tx.value("select count(*) from rule_run where rule = :rule", rule=rule["id"]))


def _tried(tx: Write, rule: RuleRow, kind: str) -> int:
    """What is said of it is for its author, with whose eyes was looked."""
    said = _past(tx, rule) if kind == "event" else _present(tx, rule)
    about = Occasion(_TRIAL, tx.caller.actor, None)
    return outcome.log(tx, rule["id"], about, Said(said, ok=True, author=rule["author"]))


def _past(tx: Write, rule: RuleRow) -> str:
    """The latest events that it names, newest first, as long as there is time."""
    rows = follower.latest(tx, rule, max(0, tx.seq - _BACK), _MOST_EVENTS)
    asked = with_columns(rule, {"since": 0})
    candidates = follower.Candidates(tx, [asked], rows)
    ends, looked, found = monotonic() + _LOOK_S, 0, []
    for row in rows:
        looked += 1
        found += [about for _, about in candidates.set_off(row)]
        if monotonic() > ends:
            break
    named = list(dict.fromkeys(about.label(tx) for about in found))
    text = f"Would have run {len(found)} times over the latest {looked} events of its kind"
    return f"{text}: {_listed(named)}" if named else f"{text}."


def _present(tx: Write, rule: RuleRow) -> str:
    caller = author.caller_of(tx, rule)
    assert caller is not None
    trigger = json.loads(rule["trigger"])
    with impersonate.instead(tx, caller):
        found = steps.listed(tx, trigger["tql"], rule["names"], states.MOST_ISSUES)
        keys = [issues.key_of(tx, issues.stored(tx, one)) for one in found[: _MOST_NAMED + 1]]
    text = f"{len(found)} issues fit now; it runs for each that does so for {trigger['minutes']} minutes"
    return f"{text}: {_listed(keys)}" if keys else f"{text}."


def _listed(names: list[str]) -> str:
    more = " …" if len(names) > _MOST_NAMED else "."
    return ", ".join(names[:_MOST_NAMED]) + more
