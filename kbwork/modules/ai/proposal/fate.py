"""What becomes of an answer: a proposal, which is applied as far as whoever asked may do that as well."""

import json
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Conflict, ElevationNeeded, InsufficientScope, NotAllowed, Problem
from kbwork.base.text import whole_number
from kbwork.core.operations import nested
from kbwork.core.operations.declare import Operation
from kbwork.db.rows import AiProposalRow
from kbwork.db.tx import Read, Write
from kbwork.modules.ai import policy
from kbwork.modules.ai.model import AIProposalApplied, AIProposed, ProposalEvent, RunTask
from kbwork.modules.ai.proposal import asker, sequel

_ERROR_CHARS = 1000
_THEIRS = (ElevationNeeded, InsufficientScope, NotAllowed)
"""What refuses whoever applies it, and says nothing of the proposal."""


@dataclass(frozen=True, slots=True)
class AISuggestion:
    """What a model answered to a task about a subject, and the operation that it feeds."""

    subject: str
    task: RunTask
    answer: str
    op: str
    input: Any
    rule: str | None = None


def propose(tx: Write, made: AISuggestion, *, at_once: bool = False) -> AiProposalRow:
    """The proposal that an answer becomes, made by the caller. Where they want it `at_once`, the policy lets them and
    nothing is taken away, it is applied."""
    kind, _, ref = made.subject.partition(":")
    tx.execute(
        "insert into ai_proposal (subject, issue, task, answer, op, input, state, rule, asked_by, asker, created_at)"
        " values (:subject, :issue, :task, :answer, :op, :input, 'open', :rule, :by, :asker, :now)",
        subject=made.subject,
        issue=whole_number(ref) if kind == "issue" else None,
        task=made.task,
        answer=made.answer,
        op=made.op,
        input=json.dumps(made.input, ensure_ascii=False),
        rule=made.rule,
        by=tx.caller.me(),
        asker=json.dumps(asker.told(tx)),
        now=tx.now,
    )
    row = stored(tx, int(tx.value("select max(id) from ai_proposal")))
    tell(tx, AIProposed, row)
    if at_once and policy.row(tx)["automation_apply"] and not takes_away(tx, row):
        _apply_at_once(tx, row)
    return stored(tx, row["id"])


def _apply_at_once(tx: Write, row: AiProposalRow) -> None:
    try:
        _run(tx, row)
    except _THEIRS as refusal:
        decide(tx, row, "failed", refusal)


def stored(tx: Read, ident: int) -> AiProposalRow:
    row: AiProposalRow | None = tx.stored("ai_proposal", [ident])
    assert row is not None
    return row


def takes_away(tx: Read, row: AiProposalRow) -> bool:
    op: Operation | None = tx.registry.operations.get(row["op"])
    return op is not None and op.cls == "destructive"


def apply(tx: Write, row: AiProposalRow) -> None:
    """Run it as the caller, if whoever asked may do it, too; else it failed. Raises what refuses the caller alone."""
    why = _refusal_of_asker(tx, row)
    if why is not None:
        decide(tx, row, "failed", why)
    else:
        _run(tx, row)


def _refusal_of_asker(tx: Write, row: AiProposalRow) -> Problem | None:
    """Why whoever asked may not do it now; it is tried and taken back."""
    try:
        _require_fit(tx, row)
        with tx.attempt(keep=False), asker.acting(tx, json.loads(row["asker"])):
            nested.run(tx, row["op"], json.loads(row["input"]), about=f"{row['op']}: ")
    except Problem as refusal:
        if refusal.later:
            raise
        return refusal
    return None


def _run(tx: Write, row: AiProposalRow) -> None:
    try:
        _require_fit(tx, row)
        with tx.attempt():
            nested.run(tx, row["op"], json.loads(row["input"]), about=f"{row['op']}: ")
    except Problem as refusal:
        if refusal.later or isinstance(refusal, _THEIRS):
            raise
        decide(tx, row, "failed", refusal)
        return
    decide(tx, row, "applied")
    tell(tx, AIProposalApplied, row)


def _require_fit(tx: Read, row: AiProposalRow) -> None:
    """Raises Conflict where it is an operation no more that a model may propose."""
    op: Operation | None = tx.registry.operations.get(row["op"])
    why = f"There is no operation {row['op']} any more." if op is None else sequel.refusal(op)
    if why is not None:
        raise Conflict(why)


def decide(tx: Write, row: AiProposalRow, state: str, refusal: Problem | None = None) -> None:
    """It stands so from now on, whatever is undone of what it did."""
    tx.execute(
        "update ai_proposal set state = :state, decided_at = :now, decided_by = :who, fault = :fault, error = :error"
        " where id = :id",
        state=state,
        now=tx.now,
        who=tx.caller.actor,
        fault=refusal.title if refusal is not None else None,
        error=refusal.detail[:_ERROR_CHARS] if refusal is not None else None,
        id=row["id"],
    )


def tell(tx: Write, kind: type[ProposalEvent], row: AiProposalRow) -> None:
    """What happened to a proposal, on its subject; never what the model said."""
    told = {"proposal": row["id"], "task": row["task"], "op": row["op"]}
    tx.emit(kind(subject=row["subject"], payload=told))
