"""What rules can be made of."""

from typing import Any

from kbwork import issuefields
from kbwork.base.model import Empty
from kbwork.core.operations.declare import read
from kbwork.db.tx import Read
from kbwork.modules import fields
from kbwork.modules.automation.model import (
    AutomationCatalog,
    Preset,
    RuleSubject,
    RuleVariable,
    SubjectField,
)
from kbwork.modules.automation.rule import actions

_PRESETS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    (
        "comment",
        "Say something on the issue",
        {
            "op": "comments.create",
            "input": {"subject": "{{issue}}", "body": "What is missing, @{{reporter}}?"},
        },
    ),
    (
        "assign",
        "Assign whoever did it",
        {"op": "issues.assign", "input": {"key": "{{key}}", "assignees": ["{{actor}}"], "mode": "add"}},
    ),
    (
        "move",
        "Move the issue on",
        {"op": "issues.transition", "input": {"key": "{{key}}", "to_status": "in_progress"}},
    ),
    (
        "children",
        "Move the children along",
        {
            "op": "issues.transition",
            "input": {"key": "{{key}}", "to_status": "done"},
            "each": "parent = {{key}} and open",
            "on_error": "go_on",
        },
    ),
    (
        "request",
        "Send a web request",
        {
            "op": "webhooks.send",
            "input": {"id": 1, "body": {"text": "{{key}}: {{title}}", "by": "{{actor.name}}"}},
        },
    ),
    (
        "follow-up",
        "Make an issue that comes after it",
        {
            "op": "issues.create",
            "input": {
                "project": "{{project.key}}",
                "title": "After {{key}}: {{title}}",
                "due_date": "{{today+7d}}",
            },
        },
    ),
)
_VARIABLES = (
    ("actor", "Id of whoever set the rule off", "m_7f3k2p9q4x1z"),
    ("actor.name", "Their name", "Ana Lund"),
    ("event", "Kind of the event", "`issue.transitioned`"),
    ("subject", "What it happened to", "issue:12"),
    ("rule", "Name of the rule", "Bugs are looked at"),
    ("me", "Id of the rule's author", "m_7f3k2p9q4x1z"),
    ("me.name", "Their name", "Bo Tran"),
    ("today", "The day in the author's zone; `today+7d` and `today-2w` count from it", "2026-11-27"),
    ("trigger.key", "Key of the issue that set the rule off, where `each` names others", "WEB-12"),
    ("trigger.title", "Its title", "Lamps flicker at night"),
    ("trigger.issue", "The same as a subject", "issue:12"),
    ("payload.to", "What the event, or the request from outside, says under this name", "done"),
    ("answer", "What a model answered, in what the operation `ai.run` feeds it to", "high"),
    ("changes.priority.from", "The field before the event", "medium"),
    ("changes.priority.to", "The field behind it", "high"),
)


@read(
    "automation.catalog",
    scope="automation:read",
    guests=False,
    words="which operations can a rule run, placeholders of rules, what can an automation do, fields for conditions",
    example={},
)
def catalog(tx: Read, args: Empty) -> AutomationCatalog:
    """Look at what rules can be made of: operations, fields for conditions, placeholders, and actions to begin with."""
    plain = [SubjectField(name=one.name, kind=str(one.kind)) for one in issuefields.FIELDS if one.condition]
    own = [SubjectField(name=one.key, kind=str(one.kind)) for one in fields.seen_fields(tx)]
    return AutomationCatalog(
        general=[Preset(key=key, title=title, actions=[action]) for key, title, action in _PRESETS],
        ops=[op for op in actions.runnable(tx.registry) if tx.caller.holds(op.partition(".")[0])],
        subjects=[RuleSubject(kind="issue", fields=plain + own)],
        variables=[
            RuleVariable(name=name, title=title, example=example) for name, title, example in _VARIABLES
        ],
    )
