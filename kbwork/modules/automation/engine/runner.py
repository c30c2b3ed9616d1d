"""Running a rule for one thing: whole or not at all, in its author's name, and written into the log."""

import json
from typing import Any

from kbwork.base.clock import monotonic
from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Problem
from kbwork.core import org_settings
from kbwork.core.access import impersonate
from kbwork.core.jobs.chores import Chore
from kbwork.db.rows import RuleRow, RuleRunRow
from kbwork.db.tx import Read, Write
from kbwork.modules.automation.engine import author, occasion, outcome, queue, steps
from kbwork.modules.automation.engine.occasion import Occasion
from kbwork.modules.automation.engine.outcome import Said
from kbwork.modules.automation.engine.variables import Variables
from kbwork.modules.automation.rule import conditions

MOST_A_MINUTE = 10
"""Runs of one rule for one subject."""
MINUTE_S = 60
_TRIES = 3
_AT_ONCE = 50
"""Runs of one transaction, as far as they take no longer than `_STEP_S`."""
_STEP_S = 0.02
_BROKEN = "It could not be run, and was given up: the server's log says more."


@dataclass(slots=True)
class _Tried:
    """How often the run that is first was begun: one that the server cannot run holds up no other for long."""

    run: int = 0
    times: int = 0


@dataclass(frozen=True, slots=True)
class DueRuns:
    """The runs that are due longest; none where those that wait are to be dropped. `broken`: the first was begun often
    enough."""

    ids: list[int]
    broken: bool = False


def look(tx: Read) -> DueRuns | None:
    """The runs that are due longest; None while there are none. One that failed the server is made alone."""
    if org_settings.module_off(tx, "automation"):
        waits = tx.value("select 1 from rule_run limit 1")
        return DueRuns([]) if waits is not None else None
    ids = tx.column(
        "select id from rule_run where due_at <= :now order by due_at, id limit :most",
        now=tx.now,
        most=_AT_ONCE,
    )
    if not ids:
        return None
    tried: _Tried = tx.beside("automation.tried", _Tried)
    tried.run, tried.times = ids[0], tried.times + 1 if tried.run == ids[0] else 1
    return DueRuns(ids if tried.times == 1 else ids[:1], broken=tried.times > _TRIES)


def write(tx: Write, due: DueRuns) -> None:
    """Make them, as many as there is time for, unless somebody else did. Where the module is off, what waits is
    dropped."""
    if not due.ids:
        tx.execute("delete from rule_run where id > 0")
    begun = monotonic()
    for ident in due.ids:
        _take(tx, ident, broken=due.broken)
        if monotonic() - begun > _STEP_S:
            break


def _take(tx: Write, ident: int, *, broken: bool) -> None:
    row = queue.take(tx, ident)
    rule = tx.stored("rule", [row["rule"]]) if row is not None else None
    if row is None or rule is None or not rule["enabled"]:
        return
    caller = author.caller_of(tx, rule)
    if caller is None:
        outcome.disable(tx, rule, author.LOST)
        return
    with impersonate.instead(tx, caller):
        about = occasion.of_run(tx, row)
        if broken:
            outcome.failed(tx, rule, about, Said(_BROKEN, ok=False))
        elif row["step"] is not None or not is_too_often(tx, rule, about):
            make(tx, rule, about, row)


RUN = Chore(name="automation.run", home=__name__, look=look, write=write)


def make(tx: Write, rule: RuleRow, about: Occasion, row: RuleRunRow | None = None) -> int | None:
    """Run a rule as the caller, its author; answers the number of its entry in the log.

    None where its conditions do not hold. What fails takes back the run and nothing else.
    """
    step = row["step"] if row is not None else None
    actions: list[dict[str, Any]] = json.loads(rule["actions"])
    label, before = about.label(tx), tx.seq
    outer, tx.by_rule = tx.by_rule, rule["id"]
    try:
        with tx.attempt():
            if step is None and not conditions.suit(tx, rule, about):
                return None
            done = steps.perform(tx, actions, Variables(tx, rule, about), step)
    except Problem as problem:
        tx.by_rule = outer
        # What refused it may name what its author sees and others do not, also where it was about the subject alone:
        # an issue that blocks it, or that an action names.
        return outcome.failed(
            tx, rule, about, Said(problem.detail, ok=False, author=rule["author"], label=label)
        )
    finally:
        tx.by_rule = outer
    said = Said(
        _told(done, actions),
        ok=True,
        author=tx.caller.actor if done.wide or done.left_out else None,
        label=label,
        events=(before + 1, tx.seq) if tx.seq > before else None,
    )
    if done.waits_at is not None:
        due_at = tx.now + actions[done.waits_at]["delay_minutes"] * 60
        queue.add(tx, rule["id"], about, step=done.waits_at, due_at=due_at)
        return outcome.log(tx, rule["id"], about, said)
    return outcome.succeeded(tx, rule, about, said)


def _told(done: steps.Performed, actions: list[dict[str, Any]]) -> str:
    times = "1 operation" if done.times == 1 else f"{done.times} operations"
    text = f"Ran {times}."
    if done.waits_at is not None:
        text += f" The rest waits {actions[done.waits_at]['delay_minutes']} minutes."
    if done.left_out:
        text += f" {len(done.left_out)} left out, the first: {done.left_out[0]}"
    return text


def ran_lately(tx: Read, rule: int, subject: str | None) -> int:
    """How often a rule ran for a subject within a minute, as the log tells it."""
    found: int = tx.value(
        "select count(*) from rule_log where rule = :rule and subject is :subject"
        " and at > :since and at <= :now",  # where the clock was set back, what lies ahead is not of this minute
        rule=rule,
        subject=subject,
        since=tx.now - MINUTE_S,
        now=tx.now,
    )
    return found


def is_too_often(tx: Write, rule: RuleRow, about: Occasion) -> bool:
    """Whether it ran so often for this within a minute; the first that is not run is told in the log."""
    lately = ran_lately(tx, rule["id"], about.subject)
    if lately == MOST_A_MINUTE:
        why = f"Not run: it ran {MOST_A_MINUTE} times for this within a minute."
        outcome.log(tx, rule["id"], about, Said(why, ok=False))
    return lately >= MOST_A_MINUTE
