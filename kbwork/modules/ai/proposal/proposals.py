"""Look at what models propose, apply it, dismiss it."""

import itertools
import json
from collections.abc import Iterator
from typing import Any

from kbwork.base.errors import Conflict
from kbwork.base.model import Id, Input, Text
from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read, write
from kbwork.core.things.thing import Subject
from kbwork.db.rows import AiProposalRow
from kbwork.db.tx import Read, Write, json_array
from kbwork.modules.ai import policy
from kbwork.modules.ai.context import exclusion
from kbwork.modules.ai.model import AIProposal, AIProposalApplied, AIProposalDismissed, ProposalState
from kbwork.modules.ai.proposal import fate

MOST = 1000
"""So many are listed at most."""
_SHOWS = "ai.proposals"


class AiProposals(Input):
    state: ProposalState | None = "open"
    """Those in this state; `open` unless given."""
    subject: Text | None = None
    """Only those about this, such as `issue:WEB-1`."""


@read(
    "ai.proposals",
    scope="ai:read",
    words="what does AI suggest, AI suggestions to review, open proposals, what did the model propose",
    example={"state": "open"},
)
def proposals(tx: Read, args: AiProposals) -> list[AIProposal]:
    """List what models propose about what you see, newest first, 1,000 at most. Nobody has checked the answers."""
    binds: dict[str, Any] = {"state": args.state or "open", "most": MOST}
    where = "state = :state"
    if args.subject is not None:
        subject = exclusion.require_seen(tx, args.subject)
        where += " and subject in (select value from json_each(:names))"
        binds["names"] = json_array(visibility.known_as(tx, subject.id))
    return list(itertools.islice(_seen(tx, where, binds), MOST))


def _seen(tx: Read, where: str, binds: dict[str, Any]) -> Iterator[AIProposal]:
    """Those about what the caller sees, newest first: what they do not see takes no place in the list."""
    subjects: dict[str, Subject | None] = {}
    before = None
    while rows := tx.all(
        f"select * from ai_proposal where {where} and (:before is null or id < :before)"
        " order by id desc limit :most",
        AiProposalRow,
        before=before,
        **binds,
    ):
        for row in rows:
            if (name := row["subject"]) not in subjects:
                subjects[name] = visibility.find(tx, name)
            if subjects[name] is not None:
                yield _shown(tx, row, subjects[name])
        before = rows[-1]["id"]


class AiProposalApply(Input):
    id: Id
    """Id of the proposal."""


def _carried(tx: Read, args: AiProposalApply) -> list[str]:
    row = tx.stored("ai_proposal", [args.id])
    return [row["op"]] if row is not None and visibility.find(tx, row["subject"]) is not None else []


@write(
    "ai.proposal_apply",
    scope="ai:write",
    people="people",
    carries=_carried,
    words="accept an AI suggestion, apply the proposal, do what the model proposes, approve an AI answer",
    undo="what it ran is taken back by undoing that",
    emits=[AIProposalApplied],
    emits_any=True,
    example={"id": 1},
)
def proposal_apply(tx: Write, args: AiProposalApply) -> AIProposal:
    """Run the operation of a proposal, as you, and only where whoever asked may do it as well: by a session or a
    personal key, never as an agent.

    What refuses you is refused as ever, and the proposal stays. One whose operation does not fit any more becomes
    `failed`, with `error`, and may be applied again. One that was applied or dismissed is 409. What it did is undone by
    itself. Over MCP `confirm` is asked for where the operation takes something away.
    """
    policy.require_on(tx)
    row, _ = _find(tx, args.id)
    _require(row, "open", "failed")
    fate.apply(tx, row)
    return _one(tx, row["id"])


class AiProposalDismiss(Input):
    id: Id
    """Id of the proposal."""


@write(
    "ai.proposal_dismiss",
    scope="ai:write",
    words="reject an AI suggestion, throw the proposal away, decline what the model proposes",
    undo="what was dismissed is asked for anew",
    emits=[AIProposalDismissed],
    example={"id": 1},
)
def proposal_dismiss(tx: Write, args: AiProposalDismiss) -> AIProposal:
    """Dismiss a proposal that is open or failed; another one is 409."""
    row, _ = _find(tx, args.id)
    _require(row, "open", "failed")
    fate.decide(tx, row, "dismissed")
    fate.tell(tx, AIProposalDismissed, row)
    return _one(tx, row["id"])


def _find(tx: Read, ident: int) -> tuple[AiProposalRow, Subject]:
    """A proposal and its subject, which the caller sees. Raises NotFound."""
    row: AiProposalRow | None = tx.stored("ai_proposal", [ident])
    subject = visibility.find(tx, row["subject"]) if row is not None else None
    if row is None or subject is None:
        return named.seen(None, "proposal", ident, _SHOWS)
    return row, subject


def _require(row: AiProposalRow, *states: ProposalState) -> None:
    if row["state"] not in states:
        raise Conflict(f"This proposal is {row['state']} already.")


def _one(tx: Read, ident: int) -> AIProposal:
    """After it was applied the subject may be out of sight."""
    row = fate.stored(tx, ident)
    return _shown(tx, row, visibility.find(tx, row["subject"]))


def _shown(tx: Read, row: AiProposalRow, subject: Subject | None) -> AIProposal:
    """What refused it may name what others than whoever tried it do not see."""
    mine = row["decided_by"] == tx.caller.actor
    return AIProposal(
        id=row["id"],
        subject=row["subject"],
        task=row["task"],
        answer=row["answer"],
        op=row["op"],
        input=json.loads(row["input"]),
        state=row["state"],
        created_at=row["created_at"],
        decided_at=row["decided_at"],
        decided_by=row["decided_by"],
        error=row["error"] if mine else row["fault"],
        rule=row["rule"],
        title=(subject.bare or subject.title) if subject is not None else None,
    )
