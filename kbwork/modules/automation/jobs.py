"""What time does to rules: authors leave, and what was logged long ago is forgotten."""

from kbwork.core.access import authors
from kbwork.core.jobs.kinds import Schedule
from kbwork.db.rows import RuleRow
from kbwork.db.tx import Read, Write, json_array
from kbwork.modules.automation.engine import outcome

KEPT_S = 90 * 86_400
MOST_KEPT = 1000
"""Entries of one rule."""
_AT_ONCE = 500
_AUTHORLESS = authors.AUTHORLESS.format("rule")


def _any_authorless(tx: Read) -> bool:
    return bool(tx.all(_AUTHORLESS, RuleRow))


def _disown(tx: Write) -> None:
    """A rule does what its author may: nothing, once they are no admin."""
    for rule in tx.all(_AUTHORLESS, RuleRow):
        outcome.disable(tx, rule, authors.LOST)


DISOWN = Schedule(name="automation.disown", home=__name__, every_s=1, run=_disown, due=_any_authorless)


def _sweep(tx: Write) -> None:
    """Some hundreds at a time."""
    old = tx.column(
        "select id from rule_log where at < :before order by at limit :most",
        before=tx.now - KEPT_S,
        most=_AT_ONCE,
    )
    for rule in tx.column("select id from rule order by id"):
        old += tx.column(
            "select id from rule_log where rule = :rule order by id desc limit :some offset :most",
            rule=rule,
            some=_AT_ONCE,
            most=MOST_KEPT,
        )
    tx.execute("delete from rule_log where id in (select value from json_each(:ids))", ids=json_array(old))


SWEEP = Schedule(name="automation.sweep", home=__name__, every_s=600, run=_sweep)
