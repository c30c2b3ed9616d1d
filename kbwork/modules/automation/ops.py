"""List rules, make and change one, delete one."""

import json
from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import Conflict, InvalidInput
from kbwork.base.model import Empty, Id, Input, Name
from kbwork.core import named
from kbwork.core.hooks import new_token
from kbwork.core.operations.declare import destructive, read, write
from kbwork.db.rows import RuleRow
from kbwork.db.tx import Read, Write
from kbwork.modules.automation import queries
from kbwork.modules.automation.engine import queue
from kbwork.modules.automation.model import AutomationRule, DeletedRule, RuleDeleted, RuleSaved
from kbwork.modules.automation.rule import definition, trigger
from kbwork.modules.automation.rule.actions import MOST as MOST_ACTIONS
from kbwork.modules.automation.rule.actions import RuleAction
from kbwork.modules.automation.rule.trigger import RuleTrigger

MOST = 200
"""Rules of one org."""
UNDO = "what a rule did meanwhile is not taken back with it: save it as it is to be"
_TOLD = ("name", "enabled", "trigger", "conditions", "actions")


@read(
    "automation.list",
    scope="automation:read",
    guests=False,
    words="which rules exist, automations, workflows that run by themselves, what happens automatically",
    example={},
)
def list_(tx: Read, args: Empty) -> list[AutomationRule]:
    """List the rules by id. Admins read all of them; others read what sets each off and which operations it runs, and
    neither queries nor inputs, which may name what they do not see."""
    return [queries.shown(tx, row) for row in queries.every(tx)]


class AutomationSave(Input):
    id: Id | None = None
    """The rule to change; left out: make one."""
    name: Name | None = None
    """What it is called; a new one has to have one."""
    enabled: bool | None = None
    """False switches it off: what waits is not run. A new one is on."""
    trigger: RuleTrigger | None = None
    """When it runs."""
    conditions: Annotated[list[dict[str, Any]], Field(max_length=50)] | None = None
    """What must hold besides, all of it: `{field, op, value}`, `{tql}`, `{role}` of whoever acts, `{all}`,
    `{any}`."""
    actions: Annotated[list[RuleAction], Field(min_length=1, max_length=MOST_ACTIONS)] | None = None
    """What it does, in order; one that is refused takes back the whole run, unless it says otherwise."""


@write(
    "automation.save",
    scope="admin",
    words=(
        "new rule, make an automation, when something happens do something, automate, change a rule, if this then "
        "that, when an issue is created assign it, when a request is created, "
        "switch a rule on or off, run something every morning, trigger"
    ),
    undo=UNDO,
    emits=[RuleSaved],
    example={
        "name": "Bugs of the shop are looked at",
        "trigger": {"kind": "event", "event": "issue.created", "tql": "project = WEB"},
        "conditions": [{"field": "type", "op": "=", "value": "bug"}],
        "actions": [
            {"op": "issues.update", "input": {"key": "{{key}}", "priority": "high"}},
            {"op": "comments.create", "input": {"subject": "{{issue}}", "body": "Who looks at it?"}},
        ],
    },
)
def save(tx: Write, args: AutomationSave) -> AutomationRule:
    """Make a rule, or change one; fields that are not named stay. For admins.

    Whoever saves it is its author: it runs with what they may at that moment, with the scopes of this call at most, and
    stops when they are no admin any more. It does nothing that only people may do. Operations, fields, queries and
    placeholders that are not there are 422, naming the nearest.

    A rule that set off another, and that the next, stops behind five; the same one runs for the same thing ten times
    within a minute at most; one that fails five times in a row is switched off. What is imported or undone sets
    none off. An org has 200 rules at most (409).
    """
    queries.require_whole(tx)
    row = queries.stored(tx, args.id) if args.id is not None else None
    if row is None:
        return _make(tx, args)
    return _change(tx, row, args)


class AutomationDelete(Input):
    id: Id
    """Id of the rule, from `automation.list`."""


@destructive(
    "automation.delete",
    scope="admin",
    words="remove a rule, delete an automation, stop doing something automatically",
    undo=UNDO,
    emits=[RuleDeleted],
    example={"id": 1},
)
def delete(tx: Write, args: AutomationDelete) -> DeletedRule:
    """Delete a rule with its log; what waits is not run. What it did stays."""
    queries.require_whole(tx)
    row = queries.stored(tx, args.id)
    queue.drop(tx, row["id"])
    tx.execute("delete from rule_log where rule = :rule", rule=row["id"])
    tx.delete("rule", row["id"])
    tx.emit(RuleDeleted(subject=f"rule:{row['id']}", payload={"name": row["name"]}))
    return DeletedRule(id=row["id"], deleted=True)


def _make(tx: Write, args: AutomationSave) -> AutomationRule:
    if args.name is None or args.trigger is None or args.actions is None:
        missing = next(name for name in ("name", "trigger", "actions") if getattr(args, name) is None)
        raise InvalidInput("A new rule has a name, a trigger and actions.", field=missing)
    if tx.value("select count(*) from rule") >= MOST:
        raise Conflict(f"An org has {MOST} rules at most: delete one first.")
    columns = definition.columns(tx, args.trigger, args.conditions or [], args.actions)
    enabled = args.enabled is not False
    ident = tx.insert(
        "rule",
        **columns,
        name=args.name,
        enabled=int(enabled),
        author=tx.caller.me(),
        scopes=_scopes(tx),
        since=tx.seq + 1,  # behind the event that tells of this
        runs=0,
        failures=0,
        next_run_at=trigger.next_run(json.loads(columns["trigger"]), tx.now) if enabled else None,
        created_at=tx.now,
        created_by=tx.caller.me(),
        updated_at=tx.now,
    )
    _open(tx, ident, args.trigger, opened=False)
    tx.emit(RuleSaved(subject=f"rule:{ident}", payload={"name": args.name}))
    return queries.shown(tx, queries.stored(tx, ident))


def _change(tx: Write, row: RuleRow, args: AutomationSave) -> AutomationRule:
    """What stays is read anew as well: its new author may not name what the old one did."""
    before = queries.shown(tx, row)
    was = queries.said(tx, row)
    columns = definition.columns(
        tx,
        args.trigger or definition.trigger_of(was),
        was["conditions"] if args.conditions is None else args.conditions,
        args.actions or definition.actions_of(was),
    )
    columns |= {"author": tx.caller.me(), "scopes": _scopes(tx)}
    if args.name is not None:
        columns["name"] = args.name
    if args.enabled is not None:
        columns["enabled"] = int(args.enabled)
    enabled = bool(columns.get("enabled", row["enabled"]))
    columns["next_run_at"] = _next_run(tx, row, columns["trigger"]) if enabled else None
    if enabled and not row["enabled"]:
        columns |= {"since": tx.seq + 1, "failures": 0}
    moved = args.trigger is not None and _open(tx, row["id"], args.trigger, opened=row["digest"] is not None)
    if named.diff(row, columns) or moved:
        tx.update("rule", row["id"], updated_at=tx.now, **columns)
        if not enabled or any(columns[name] != row[name] for name in ("trigger", "actions")):
            queue.drop(tx, row["id"])
        after = queries.shown(tx, queries.stored(tx, row["id"]))
        changed = sorted({*named.changes(before, after, _TOLD), *(["trigger"] if moved else [])})
        tx.emit(RuleSaved(subject=f"rule:{row['id']}", payload={"name": after["name"], "changed": changed}))
    return queries.shown(tx, queries.stored(tx, row["id"]))


def _next_run(tx: Read, row: RuleRow, trigger_: str) -> int | None:
    """The time that it waited for, unless that is another from now on."""
    if row["enabled"] and row["trigger"] == trigger_:
        return row["next_run_at"]
    return trigger.next_run(json.loads(trigger_), tx.now)


def _open(tx: Write, rule: int, given: RuleTrigger, *, opened: bool) -> bool:
    """Give a rule that requests set off the token of its path, where it has none or wants another; take it from one of
    another kind. Answers whether the path is another now."""
    opens = given.kind == "hook"
    if opens == opened and not (opens and given.path == ""):
        return False
    token = new_token(tx, queries.token_place(rule)) if opens else None
    tx.update("rule", rule, token=token and token.sealed, digest=token and token.digest)
    return True


def _scopes(tx: Read) -> str:
    return json.dumps(sorted(tx.caller.scopes))
