"""The way of an issue from lane to lane: which transitions are open, what they ask, and going along one."""

from contextvars import ContextVar
from functools import cache
from typing import Any

from kbwork.base.dataclasses import dataclass, field
from kbwork.base.errors import ApprovalNeeded, InvalidInput, WorkflowRefused
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Read, Write
from kbwork.modules import fields, workflows
from kbwork.modules.fields import conditions
from kbwork.modules.issues import access, ports, queries
from kbwork.modules.issues.issue import resolve
from kbwork.modules.issues.model import IssueTransition
from kbwork.modules.issues.relations import blocked
from kbwork.modules.issues.transitions import effects, status, transition_fields
from kbwork.modules.workflows import TransitionStep, WorkflowPosition, askable_fields, evaluation, lanes

MOST_DEEP = 5
"""So many transitions stand in each other, and so many run by themselves in a row."""


@dataclass(frozen=True, slots=True)
class TransitionRequest:
    """What somebody who moves an issue says besides. `auto`: it moves by itself; `freely`: whoever asks has judged that
    they may go this way."""

    values: dict[str, Any] = field(default_factory=dict)
    comment: str | None = None
    outcome: str | None = None
    auto: bool = False
    freely: bool = False


@dataclass(frozen=True, slots=True)
class Nesting:
    """The issues that are being changed, and how many transitions stand in each other."""

    issues: frozenset[int] = frozenset()
    deep: int = 0


_NOTHING = Nesting()
nesting: ContextVar[Nesting] = ContextVar("under", default=_NOTHING)


def standing_of(tx: Read, row: IssueRow, *, changed: frozenset[int | str] = frozenset()) -> WorkflowPosition:
    """Where an issue that the caller sees stands, with all that rules ask, as it is when the first of them asks."""
    ident = row["id"]
    assignees = cache(lambda: queries.assignees(tx, ident))

    def facts() -> conditions.Facts:
        found = resolve.facts(tx, row, assignees=assignees(), labels=queries.labels(tx, ident))
        return found | {"body": row["body"], "component": queries.live_components(tx, ident)}

    return WorkflowPosition(
        case=conditions.Case(
            tx,
            row["project"],
            conditions.WhenAsked(lambda: fields.held(tx, ident)),
            conditions.WhenAsked(facts),
            ident,
            changed,
            workflows.of_issue_type(tx, row["project"], row["type"]).names,
        ),
        type=row["type"],
        lane=lanes.one(tx, row["lane"]),
        reporter=row["reporter"],
        assignees=assignees,
        barred=_barred(tx, row),
        edits=row["archived_at"] is None and access.may_edit(tx, row),
        moves=access.may_move(tx, row),
        approved=ports.approved(tx, row),
    )


def available(tx: Read, row: IssueRow, at: WorkflowPosition) -> list[TransitionStep]:
    """The transitions that leave its lane and whose conditions hold."""
    graph = workflows.of_issue_type(tx, row["project"], row["type"])
    return [step for step in graph.steps(at.lane["key"]) if evaluation.open_to(step.transition, at)]


def transitions(tx: Read, row: IssueRow) -> list[IssueTransition]:
    """The ways on from the issue's lane, with why one is closed to the caller."""
    at = standing_of(tx, row)
    known = fields.catalogue(tx)
    answer = []
    for step in available(tx, row, at):
        why = evaluation.closed(step, at)
        answer.append(
            IssueTransition(
                transition=step.transition["key"],
                name=step.transition["name"],
                to_status=step.to["key"],
                allowed=why is None,
                why=why,
                fields=_asked(step, at),
                approvers=workflows.approvers(step.transition, known),
            )
        )
    return answer


def find(tx: Read, row: IssueRow, name: str, *, field: str) -> TransitionStep | None:
    """The transition from the issue's lane to the named one, or None where that is the lane itself.

    Of several the first that is open to the caller. Raises InvalidInput for a lane that is not there, WorkflowRefused
    where no transition leads to it.
    """
    target = lanes.by_name(tx, name, field=field)
    if target["id"] == row["lane"]:
        return None
    at = standing_of(tx, row)
    steps = available(tx, row, at)
    there = [step for step in steps if step.to["id"] == target["id"]]
    if not there:
        graph = workflows.of_issue_type(tx, row["project"], row["type"])
        known = ", ".join(dict.fromkeys(step.to["key"] for step in steps)) or "nowhere"
        raise WorkflowRefused(
            f"No transition of {graph.name} leads from {at.lane['name']} to {target['name']} now; from here: {known}.",
            rule="no-transition",
        )
    return next((step for step in there if evaluation.closed(step, at) is None), there[0])


def execute(tx: Write, row: IssueRow, step: TransitionStep, going: TransitionRequest) -> None:
    """Move an issue along a transition: what it asks, its checks, the move, and what it does behind it.

    Raises WorkflowRefused with the rule, ApprovalNeeded, or InvalidInput at `values.<name>`.
    """
    under = nesting.get()
    if under.deep >= MOST_DEEP:
        raise WorkflowRefused(
            f"More than {MOST_DEEP} transitions would run in each other.", rule="transitions-in-transitions"
        )
    mark = nesting.set(Nesting(under.issues | {row["id"]}, under.deep + 1))
    try:
        _require_open(tx, row, step, going)
        given = transition_fields.given(step, standing_of(tx, row), going.values)
        said = transition_fields.said(step, given, comment=going.comment, outcome=going.outcome)
        transition_fields.fill_in(tx, row, given)
        now = queries.stored(tx, row["id"])
        _require_fitting(tx, now, step, given, said)
        with ports.spending_approval(tx, now, step):
            status.move(
                tx,
                now,
                step.to,
                status.StatusChange(step.transition["key"], said["outcome"], auto=going.auto),
            )
        if said["comment"]:
            transition_fields.comment(tx, row, said["comment"])
        effects.run(tx, row, step)
    finally:
        nesting.reset(mark)


def require_enterable(tx: Read, row: IssueRow) -> None:
    """An issue that was made in another lane than the start could have gone there from it by one transition.

    Raises WorkflowRefused, ApprovalNeeded or InvalidInput.
    """
    start = workflows.of_issue_type(tx, row["project"], row["type"]).start
    if row["lane"] == start["id"]:
        return
    before = row | {"lane": start["id"], "category": start["category"]}
    at = standing_of(tx, before)
    step = find(tx, before, lanes.one(tx, row["lane"])["key"], field="status")
    assert step is not None
    if (refusal := evaluation.who_refuses(step.transition, at)) is not None:
        raise WorkflowRefused(f"{refusal}.", rule="who")
    if step.transition["approvers"]:
        raise ApprovalNeeded(
            f"{step.transition['name']} has to be approved first: make the issue where its workflow begins, and ask by "
            "approvals.request."
        )
    _require_filled(step, at, {})
    _require_checks(step, at)


def _require_open(tx: Read, row: IssueRow, step: TransitionStep, going: TransitionRequest) -> None:
    at = standing_of(tx, row)
    refusal = None if going.auto or going.freely else evaluation.who_refuses(step.transition, at)
    if refusal is not None:
        raise WorkflowRefused(f"{refusal}.", rule="who")
    if step.transition["approvers"] and step.transition["key"] not in at.approved:
        raise ApprovalNeeded(
            f"{step.transition['name']} has to be approved first: approvals.request asks those who decide."
        )
    if (why := evaluation.barred(step, at)) is not None:
        raise WorkflowRefused(why, rule="open-blockers")


def _require_fitting(
    tx: Read, row: IssueRow, step: TransitionStep, given: dict[str, Any], said: dict[str, Any]
) -> None:
    """What it asks for is there, and its checks hold."""
    by_key = {field.key: field.id for field in fields.catalogue(tx).values()}
    at = standing_of(tx, row, changed=frozenset(by_key.get(name, name) for name in given))
    _require_filled(step, at, said)
    _require_checks(step, at)


def _require_filled(step: TransitionStep, at: WorkflowPosition, said: dict[str, Any]) -> None:
    if missing := evaluation.missing(step.transition, at, said):
        names = " and ".join(title for _, title in missing)
        errors = [
            {"path": f"values.{name}", "message": f"{title} is required here"} for name, title in missing
        ]
        raise InvalidInput(f"{step.transition['name']} asks for {names}.", errors=errors)


def _require_checks(step: TransitionStep, at: WorkflowPosition) -> None:
    if failing := evaluation.failing(step.transition, at):
        raise WorkflowRefused(failing[0], rule="check")


def _asked(step: TransitionStep, at: WorkflowPosition) -> list[dict[str, Any]]:
    """The fields to fill in on the way."""
    found = []
    for one, own in evaluation.laid_out(step.transition, at):
        if own is not None:
            name, title, kind = own.key, own.name, str(own.kind)
        else:
            plain = askable_fields.PLAIN[one["field"]]
            name, title, kind = plain.name, plain.title, plain.kind
        found.append({"field": name, "name": title, "kind": kind, "required": one["required"]})
    return found


def _barred(tx: Read, row: IssueRow) -> str | None:
    """Why it is not to be closed: open issues block it, and its project keeps such ones open."""
    if not row["blockers"]:
        return None
    if tx.value("select blockers from project where id = :id", id=row["project"]) != "refuse":
        return None
    blockers = blocked.open_blockers(tx, row["id"])
    if not blockers:
        return None
    seen = [queries.key_of(tx, one) for one in blockers if access.find(tx, f"issue:{one['id']}")]
    named = ", ".join(seen) or "issues that you do not see"
    return (
        f"Open issues block {queries.key_of(tx, row)}: {named}. Close them first, or take the relation away."
    )
