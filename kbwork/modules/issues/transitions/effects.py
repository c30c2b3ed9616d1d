"""Running the actions of a transition behind the move: operations, with the rights of whoever moved the issue.

An action is run for 200 issues at most, and 1,000 actions in one call, whatever transitions they set going in turn.
"""

from collections.abc import Mapping
from typing import Any

from kbwork.base.errors import Problem, WorkflowRefused
from kbwork.core import zones
from kbwork.core.operations import nested
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Read, Write
from kbwork.modules import workflows
from kbwork.modules.issues import access, fanout_limit, queries
from kbwork.modules.issues.templates import placeholders
from kbwork.modules.workflows import TransitionStep, lanes

MOST_EACH = 200


def run(tx: Write, row: IssueRow, step: TransitionStep) -> None:
    """Run the actions of a transition that `row` has just gone. Raises what a refused one raises, unless it may be."""
    for action in step.transition["then"]:
        if action["on_error"] == "stop":
            for issue in _issues(tx, row, action):
                _act(tx, action, issue, (row, step))
        else:
            _try(tx, action, row, step)


def _act(tx: Write, action: dict[str, Any], issue: int, moved: tuple[IssueRow, TransitionStep]) -> None:
    if not fanout_limit.count(tx, 1):
        raise WorkflowRefused(
            f"More than {fanout_limit.MOST:,} actions would run in one call: change fewer issues at once.",
            rule="then",
        )
    value = placeholders.rendered(action["input"], _known(tx, issue, *moved), zones.today(tx))
    nested.run(tx, action["op"], value, about=f"{action['op']}: ")


def _try(tx: Write, action: dict[str, Any], row: IssueRow, step: TransitionStep) -> None:
    """Each issue for itself; what is refused is left out."""
    try:
        issues = _issues(tx, row, action)
    except Problem:  # the transition says that the move stands without it
        return
    for issue in issues:
        try:
            with tx.attempt():
                _act(tx, action, issue, (row, step))
        except Problem:  # likewise
            continue


def _issues(tx: Write, row: IssueRow, action: dict[str, Any]) -> list[int]:
    """The issues that an action is run for. Raises WorkflowRefused where they are too many."""
    if action["each"] is None:
        return [row["id"]]
    language = tx.registry.language
    if language is None:
        raise WorkflowRefused("An action names its issues in TQL, which is not there.", rule="then")
    names = workflows.of_issue_type(tx, row["project"], row["type"]).names
    text = placeholders.rendered(
        action["each"], variables(tx, queries.stored(tx, row["id"])), zones.today(tx)
    )
    found: list[int] = language.issues(tx.as_caller(tx.caller), text, MOST_EACH + 1, names)
    if len(found) > MOST_EACH:
        raise WorkflowRefused(f"More than {MOST_EACH} issues fit {text!r}.", rule="then")
    return found


def _known(tx: Read, issue: int, row: IssueRow, step: TransitionStep) -> dict[str, str]:
    """The placeholders and what fills them in."""
    about = variables(tx, queries.stored(tx, issue))
    moved = variables(tx, queries.stored(tx, row["id"])) if issue != row["id"] else about
    return about | {
        "from": str(lanes.one(tx, row["lane"])["name"]),
        "to": str(step.to["name"]),
        "trigger.issue": moved["issue"],
        "trigger.key": moved["key"],
        "trigger.title": moved["title"],
    }


def variables(tx: Read, row: IssueRow) -> dict[str, str]:
    """What texts may say of an issue by a placeholder."""
    project: Mapping[str, Any] = tx.stored("project", [row["project"]]) or {}
    me = tx.caller.actor
    people = queries.assignees(tx, row["id"])
    parent = access.find(tx, f"issue:{row['parent']}") if row["parent"] else None
    return {
        "assignee": people[0] if people else "",
        "due": row["due_date"] or "",
        "issue": f"issue:{row['id']}",
        "key": queries.key_of(tx, row),
        "me": me,
        "me.name": str(tx.value("select name from member where id = :me", me=me) or me),
        "parent": queries.key_of(tx, parent) if parent else "",
        "priority": row["priority"],
        "project.key": project["key"],
        "project.name": project["name"],
        "reporter": row["reporter"],
        "title": row["title"],
        "type": str(tx.value("select key from issue_type where id = :id", id=row["type"])),
    }
