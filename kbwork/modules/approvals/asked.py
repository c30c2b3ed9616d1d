"""What a way of a workflow asks: of whom, and which fields must stay as they are meanwhile."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from kbwork.core.things.thing import ref_of
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Read, json_array
from kbwork.modules import fields, workflows
from kbwork.modules.workflows import TransitionStep, WorkflowPosition, lanes

_MOST = 1000
"""So many people are asked at most."""
_TEAM = (
    "select m.id from team_member t join member m on m.id = t.member where t.team = :team"
    " order by lower(m.name), m.id"
)
_ADMINS = "select id from member where role in ('owner', 'admin') order by lower(name), id"
PRESENT = (
    "(exists (select 1 from member m where m.id = {who} and m.state = 'active') or exists (select 1 from customer c"
    " where c.id = cast(substr({who}, 10) as integer) and {who} = 'customer:' || c.id and c.blocked_at is null))"
)
"""The condition on who is asked or said something: they may still do so."""
_ACTIVE = f"select value from json_each(:whos) where {PRESENT.format(who='value')}"


def approvers(tx: Read, row: IssueRow, step: TransitionStep) -> list[str]:
    """The active members who are asked: named ones, those of teams, and those whom fields hold, each once."""
    found: dict[str, None] = {}
    held = fields.held(tx, row["id"])
    for ref in step.transition["approvers"]:
        kind, name = ref_of(ref)
        for one in _in_field(tx, held, int(name)) if kind == "field" else [ref]:
            found |= dict.fromkeys(_people(tx, one))
    return _active(tx, found)


def people(tx: Read, refs: list[str]) -> list[str]:
    """The active members behind these members and teams and the customers who are not blocked, each once."""
    return _active(tx, dict.fromkeys(who for ref in refs for who in _people(tx, ref)))


def deciding(tx: Read, row: IssueRow, step: TransitionStep, whole: list[str]) -> list[str]:
    """Those of them who may decide what the caller asks for: where the way lets nobody decide their own, neither the
    caller nor a customer whose issue it is."""
    if step.transition["self_approval"]:
        return whole
    own = {tx.caller.actor, row["reporter"] if str(row["reporter"]).startswith("customer:") else None}
    return [who for who in whole if who not in own]


def needed(step: TransitionStep) -> int:
    """How many have to agree."""
    return max(1, int(step.transition["needed"]))


def heads(tx: Read, row: IssueRow) -> list[str]:
    """The active members who lead the project of an issue; where nobody does, the admins."""
    leads = tx.column(
        "select who from project_member where project = :project and role = 'lead' order by who",
        project=row["project"],
    )
    return people(tx, leads) or people(tx, ["team:admins"])


def present(tx: Read, whos: Iterable[str]) -> set[str]:
    """Those of them who may still decide anything: active members, and customers who are not blocked."""
    return set(tx.column(_ACTIVE, whos=json_array(whos)))


def _active(tx: Read, whos: Iterable[str]) -> list[str]:
    found = list(whos)
    active = present(tx, found)
    return [who for who in found if who in active][:_MOST]


def _in_field(tx: Read, held: Mapping[int, list[fields.Stored]], ident: int) -> list[str]:
    """Whom an own field holds; nobody where it is gone."""
    field = fields.catalogue(tx).get(ident)
    if field is None:
        return []
    return [f"team:{one.value}" if field.kind == "team" else str(one.value) for one in held.get(ident, ())]


def _people(tx: Read, ref: str) -> list[str]:
    kind, name = ref_of(ref)
    if kind != "team":
        return [ref]
    return tx.column(_ADMINS) if name == "admins" else tx.column(_TEAM, team=int(name))


def watched(step: TransitionStep, at: WorkflowPosition) -> str:
    """A digest of each field whose edit ends a request, as JSON."""
    return json.dumps({str(field): _digest(_value(at, field)) for field in step.transition["watch"]})


def _value(at: WorkflowPosition, field: int | str) -> Any:
    """Without the handles, which people change by themselves."""
    if isinstance(field, int):
        return [[value.value, value.unit] for value in at.case.values.get(field, ())]
    value = at.case.facts.get(field)
    return [one for one in value if not str(one).startswith("@")] if isinstance(value, list) else value


def _digest(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def step_of(tx: Read, row: IssueRow, transition: str, to_status: str) -> TransitionStep | None:
    """The way by approval that leads there from where an issue stands; None where there is none any more."""
    graph = workflows.of_issue_type(tx, row["project"], row["type"])
    steps = graph.steps(lanes.one(tx, row["lane"])["key"])
    return next(
        (
            step
            for step in steps
            if step.transition["key"] == transition
            and step.to["key"] == to_status
            and step.transition["approvers"]
        ),
        None,
    )
