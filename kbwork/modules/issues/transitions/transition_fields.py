"""What is filled in on the way of a transition: read by the names that it asks by, written as edits of their own."""

import contextlib
from collections.abc import Iterator
from typing import Any, get_args

from kbwork.base.errors import InvalidInput
from kbwork.base.text import did_you_mean
from kbwork.core.operations import nested
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Write
from kbwork.issuefields import IssueField
from kbwork.modules import fields
from kbwork.modules.issues import ports
from kbwork.modules.workflows import Outcome, TransitionStep, WorkflowPosition, askable_fields, evaluation

_BESIDE = ("assignee", "comment", "outcome")


def given(step: TransitionStep, at: WorkflowPosition, values: dict[str, Any]) -> dict[str, Any]:
    """The values by plain name or key of an own field. Raises InvalidInput for one that is not asked for."""
    asked = evaluation.laid_out(step.transition, at)
    own = {field.key: field for _, field in asked if field is not None}
    plain = [one["field"] for one, field in asked if field is None]
    found_by: dict[str, Any] = {}
    for name, value in values.items():
        known = askable_fields.plain(name)
        found = fields.named(own.values(), name)
        if known is not None and known.name in plain:
            found_by[known.name] = value
        elif len(found) == 1:
            found_by[found[0].key] = value
        else:
            allowed = sorted([*own, *plain])
            text = f"{step.transition['name']} does not ask for {name[:100]!r}.{did_you_mean(name, allowed)}"
            raise InvalidInput(text, field=f"values.{name[:100]}", allowed=allowed)
    return found_by


def fill_in(tx: Write, row: IssueRow, given: dict[str, Any]) -> None:
    """Write what was given on the way, as an edit and an assignment of their own."""
    plain = [field for name, field in askable_fields.PLAIN.items() if name in given and name not in _BESIDE]
    own = {name: value for name, value in given.items() if name not in askable_fields.PLAIN}
    value: dict[str, Any] = {field.input: _edit(field, given[field.name]) for field in plain}
    if own:
        value["values"] = own
    if value:
        with _at_values({field.input: field.name for field in plain}):
            nested.run(tx, "issues.update", {"key": f"issue:{row['id']}"} | value)
    if "assignee" in given:
        named = given["assignee"]
        people = [] if named is None else named if isinstance(named, list) else [named]
        with _at_values({"assignees": "assignee"}):
            nested.run(tx, "issues.assign", {"key": f"issue:{row['id']}", "assignees": people})


def _edit(field: IssueField, value: Any) -> Any:
    """A value as issues.update takes it; null clears, and one label is a list of one."""
    if value is None:
        return field.clear
    return [value] if field.kind == "multi_select" and isinstance(value, str) else value


@contextlib.contextmanager
def _at_values(names: dict[str, str]) -> Iterator[None]:
    """What is refused inside is refused at `values.<name>`."""
    try:
        yield
    except InvalidInput as refusal:
        errors = []
        for error in refusal.extra.get("errors", []):
            path = error["path"]
            head = path.partition(".")[0].partition("[")[0]
            if head in names:
                path = f"values.{names[head]}{path[len(head) :]}"
            errors.append(error | {"path": path})
        raise type(refusal)(refusal.detail, errors=errors) from None


def said(
    step: TransitionStep, given: dict[str, Any], *, comment: str | None, outcome: str | None
) -> dict[str, Any]:
    """The comment and the outcome, said in the call or among the values. Raises InvalidInput."""
    named = outcome or given.get("outcome")
    if named is not None and (named not in get_args(Outcome) or step.to["category"] != "done"):
        raise InvalidInput(
            "An outcome is for done lanes: completed, cancelled or duplicate.",
            field="values.outcome",
            allowed=list(get_args(Outcome)) if step.to["category"] == "done" else [],
        )
    return {"comment": comment or given.get("comment"), "outcome": named}


def comment(tx: Write, row: IssueRow, text: Any) -> None:
    """Say something about an issue that moves."""
    with _at_values({"body": "comment"}):
        ports.say(tx, row["id"], text)
