"""Rules as rows and in their shape, and who may keep and read them."""

import json
from typing import Any

from kbwork.base import ids
from kbwork.base.errors import MasterKeyLost, NotAllowed
from kbwork.core import named
from kbwork.core.seal import Seal
from kbwork.db.rows import RuleRow
from kbwork.db.tx import Read
from kbwork.modules import fields
from kbwork.modules.automation.model import AutomationRule, Trigger

PATH = "/in/rule/"
_MEND = "Save the rule with an empty `trigger.path`: that gives it another."


def require_whole(tx: Read) -> None:
    """Raises NotAllowed for a caller who sees less than its member: a rule would do more than that."""
    if tx.caller.limited:
        raise NotAllowed(
            "Rules do what their author may: a key that is limited to projects, or a client that was given some"
            " modules, keeps none. Use a session, or a key without limits."
        )


def stored(tx: Read, ident: int) -> RuleRow:
    """Raises NotFound."""
    return named.known(tx.stored("rule", [ident]), "rule", ident, "automation.list")


def every(tx: Read) -> list[RuleRow]:
    return tx.all("select * from rule order by id", RuleRow)


def said(tx: Read, row: RuleRow) -> dict[str, Any]:
    """What a rule says, with the names of today: as `automation.save` takes it."""
    present = fields.conditions.presented(tx, row["names"])
    known = fields.catalogue(tx)
    trigger = json.loads(row["trigger"])
    if trigger.get("tql"):
        trigger["tql"] = present(trigger["tql"])
    actions = json.loads(row["actions"])
    for action in actions:
        if action["each"] and "{{" not in action["each"]:
            action["each"] = present(action["each"])
    return {
        "trigger": trigger,
        "conditions": [fields.conditions.shown(one, known, present) for one in json.loads(row["conditions"])],
        "actions": actions,
    }


def shown(tx: Read, row: RuleRow) -> AutomationRule:
    """What admins read; others learn what it does, and not of what, which may name what they do not see. The path is
    told to who may keep rules: whoever knows it sets the rule off."""
    whole = tx.caller.admin and not tx.caller.limited
    what = said(tx, row) if whole else _outline(row)
    return AutomationRule(
        id=row["id"],
        name=row["name"],
        enabled=bool(row["enabled"]),
        trigger=_trigger(
            tx, what["trigger"], path(tx, row) if whole and "admin" in tx.caller.scopes else None
        ),
        conditions=what["conditions"],
        actions=what["actions"],
        runs=row["runs"],
        last_run_at=row["last_run_at"],
        next_run_at=row["next_run_at"],
        created_at=row["created_at"],
        created_by=row["created_by"],
    )


def by_token(tx: Read, token: str) -> RuleRow | None:
    """The rule that requests to this token set off."""
    return tx.one("select * from rule where digest = :digest", RuleRow, digest=ids.digest(token))


def token_place(rule: int) -> str:
    """What the sealed token of a rule is bound to."""
    return f"rule token:{rule}"


def path(tx: Read, row: RuleRow) -> str | None:
    """Where a request sets it off; None where none does, and where the master key is another now."""
    if row["token"] is None:
        return None
    try:
        return PATH + Seal(tx.secret).open(row["token"], token_place(row["id"]), _MEND).decode()
    except MasterKeyLost:
        return None


def _trigger(tx: Read, kept: dict[str, Any], path_: str | None) -> Trigger:
    """Without a kind of event that is of a module which the caller was not given."""
    event = kept.get("event")
    module = tx.registry.event_modules.get(event)
    return Trigger(
        kind=kept["kind"],
        event=event if module is None or tx.caller.holds(module) else None,
        tql=kept.get("tql"),
        every=kept.get("every"),
        zone=kept.get("zone"),
        label=kept.get("label"),
        path=path_,
        minutes=kept.get("minutes"),
    )


def _outline(row: RuleRow) -> dict[str, Any]:
    actions = [action | {"input": None, "each": None} for action in json.loads(row["actions"])]
    return {"trigger": json.loads(row["trigger"]) | {"tql": None}, "conditions": [], "actions": actions}
