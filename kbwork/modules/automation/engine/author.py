"""In whose name a rule runs: with what its author may now, and never more than in the call that saved it."""

import json

from kbwork.base import ids
from kbwork.base.caller import Caller
from kbwork.core.access import scopes
from kbwork.db.rows import RuleRow
from kbwork.db.tx import Read

ADMINS = ("owner", "admin")
LOST = "Its author is no admin any more: another admin saves it to go on."


def caller_of(tx: Read, rule: RuleRow) -> Caller | None:
    """Who acts; None where its author is no admin any more."""
    role = tx.value("select role from member where id = :id and state = 'active'", id=rule["author"])
    if role not in ADMINS:
        return None
    return Caller(
        member=rule["author"],
        role=role,
        kind="automation",
        scopes=scopes.of_role(role) & frozenset(json.loads(rule["scopes"])),
        # what is kept of a caller is filed under its key
        key=f"rule:{rule['author']}:{ids.digest(rule['scopes']).hex()[:16]}",
    )
