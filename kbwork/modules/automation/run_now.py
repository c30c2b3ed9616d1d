"""Run a rule by hand: a button, a time before it comes, or to see how often it would have run."""

import json
from functools import partial

from kbwork.base.caller import Caller
from kbwork.base.clock import monotonic
from kbwork.base.dataclasses import dataclass, replace
from kbwork.base.errors import Conflict
from kbwork.base.model import Id, Input
from kbwork.core.access import impersonate
from kbwork.core.events import cursors
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.db.rows import RuleRow
from kbwork.db.tx import Read, Write, with_columns
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
async def run(out: External, args: AutomationRun) -> RuleRun:
    """Run a rule now, as its author, and answer its entry in the log, which says what came of it. For admins.

    A rule with a button or with times is run: at once, or in a moment for each issue that its query names. A rule that
    goes by events or by a state changes nothing here: the entry says how often it would have run over past events,
    judged by how issues are now, or for which issues it would run now. One that is off is 409, unless it is only tried.
    """
    found = await out.read(partial(_looked, args))
    return await out.conclude(partial(_run, args, found), essential=False)


@dataclass(frozen=True, slots=True)
class _Looked:
    """What was seen of a rule before anything is written: queries hold no write up."""

    setting: timetable.RuleSetting
    said: str | None = None
    """What a trial came to; None where it is run."""


def _looked(args: AutomationRun, tx: Read) -> _Looked:
    rule, caller = _asked(tx, args)
    kind = json.loads(rule["trigger"])["kind"]
    if kind == "event":
        return _Looked(timetable.RuleSetting(rule), _past(tx, rule))
    if kind == "state":
        return _Looked(timetable.RuleSetting(rule), _present(tx.as_caller(caller), rule))
    return _Looked(timetable.look(tx, rule))


def _asked(tx: Read, args: AutomationRun) -> tuple[RuleRow, Caller]:
    """The rule, and as whom it runs. Raises NotFound, NotAllowed or Conflict."""
    queries.require_whole(tx)
    rule = queries.stored(tx, args.id)
    caller = author.caller_of(tx, rule)
    if caller is None:
        raise Conflict(author.LOST)
    if not rule["enabled"] and json.loads(rule["trigger"])["kind"] not in ("event", "state"):
        raise Conflict("The rule is off: switch it on by automation.save first.")
    return rule, caller


def _run(args: AutomationRun, found: _Looked, tx: Write) -> RuleRun:
    rule, caller = _asked(tx, args)
    if not found.setting.is_of(rule):
        raise Conflict("The rule was changed at this moment: run it once more.")
    who = tx.caller.actor
    if found.said is not None:  # for its author, with whose eyes was looked
        said = Said(found.said, ok=True, author=rule["author"])
        return RuleRun(log=outcome.log(tx, rule["id"], Occasion(_TRIAL, who, None), said))
    about = Occasion(occasion.BUTTON, who, None)
    if json.loads(rule["trigger"])["tql"]:
        return RuleRun(log=_for_each(tx, replace(found.setting, rule=rule), about))
    if runner.is_too_often(tx, rule, about):
        raise Conflict(f"It ran {runner.MOST_A_MINUTE} times within a minute: wait a little.")
    with impersonate.instead(tx, caller):
        entry = runner.make(tx, rule, about)
    if entry is None:
        entry = outcome.log(
            tx, rule["id"], about, Said("Its conditions do not hold: nothing was done.", ok=True)
        )
    return RuleRun(log=entry)


def _for_each(tx: Write, setting: timetable.RuleSetting, about: Occasion) -> int:
    rule = setting.rule
    before = _waiting(tx, rule)
    failed = timetable.write(tx, setting, about)
    if failed is not None:
        return failed
    tx.wake()
    number = _waiting(tx, rule) - before
    text = "Runs for 1 issue." if number == 1 else f"Runs for {number} issues."
    return outcome.log(tx, rule["id"], about, Said(text, ok=True, author=rule["author"]))


def _waiting(tx: Write, rule: RuleRow) -> int:
    return int(tx.value("select count(*) from rule_run where rule = :rule", rule=rule["id"]))


def _past(tx: Read, rule: RuleRow) -> str:
    """The latest events that it names, newest first, as long as there is time."""
    rows = follower.latest(tx, rule, max(0, cursors.last(tx) - _BACK), _MOST_EVENTS)
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


def _present(seen: Read, rule: RuleRow) -> str:
    trigger = json.loads(rule["trigger"])
    found = steps.listed(seen, trigger["tql"], rule["names"], states.MOST_ISSUES)
    keys = [issues.key_of(seen, issues.stored(seen, one)) for one in found[: _MOST_NAMED + 1]]
    text = f"{len(found)} issues fit now; it runs for each that does so for {trigger['minutes']} minutes"
    return f"{text}: {_listed(keys)}" if keys else f"{text}."


def _listed(names: list[str]) -> str:
    more = " …" if len(names) > _MOST_NAMED else "."
    return ", ".join(names[:_MOST_NAMED]) + more
