"""Runs that are to be made, as rows."""

import json

from kbwork.db.rows import RuleRunRow
from kbwork.db.tx import Write
from kbwork.modules.automation.engine import outcome
from kbwork.modules.automation.engine.occasion import Occasion

MOST_DEEP = 5
MOST_WAITING = 10_000
"""Runs of one rule."""


def add(
    tx: Write, rule: int, occasion: Occasion, *, step: int | None = None, due_at: int | None = None
) -> None:
    """Have a rule run for this, unless it stands too deep in a chain or too much waits."""
    why = None
    if occasion.depth > MOST_DEEP:
        why = f"Not run: {MOST_DEEP} rules set each other going before it."
    elif tx.value("select count(*) from rule_run where rule = :rule", rule=rule) >= MOST_WAITING:
        why = f"Not run: {MOST_WAITING:,} runs of this rule wait already."
    if why is not None:
        outcome.log(tx, rule, occasion, outcome.Said(why, ok=False))
        return
    tx.execute(
        "insert into rule_run (rule, event, seq, actor, subject, depth, step, due_at, payload)"
        " values (:rule, :event, :seq, :actor, :subject, :depth, :step, :due, :payload)",
        rule=rule,
        event=occasion.event,
        seq=occasion.seq,
        actor=occasion.actor,
        subject=occasion.subject,
        depth=occasion.depth,
        step=step,
        due=tx.now if due_at is None else due_at,
        payload=_kept(occasion),
    )


def _kept(occasion: Occasion) -> str | None:
    """What is said of it, where no event tells that again."""
    if occasion.seq is not None or not occasion.payload:
        return None
    return json.dumps(occasion.payload, ensure_ascii=False)


def take(tx: Write, ident: int) -> RuleRunRow | None:
    """Take a run out; None where somebody else did."""
    row = tx.stored("rule_run", [ident])
    if row is not None:
        tx.execute("delete from rule_run where id = :id", id=ident)
    return row


def drop(tx: Write, rule: int) -> None:
    """Nothing that waits of this rule is run any more."""
    tx.execute("delete from rule_run where rule = :rule", rule=rule)
    tx.execute("delete from rule_state where rule = :rule", rule=rule)
