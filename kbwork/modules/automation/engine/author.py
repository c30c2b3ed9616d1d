"""In whose name a rule runs: with what its author may now, and never more than in the call that saved it."""

from kbwork.base.caller import Caller
from kbwork.core.access import authors
from kbwork.db.rows import RuleRow
from kbwork.db.tx import Read

LOST = authors.LOST


def caller_of(tx: Read, rule: RuleRow) -> Caller | None:
    """Who acts; None where its author is no admin any more."""
    return authors.caller_of(tx, rule["author"], rule["scopes"], "rule", "automation")
