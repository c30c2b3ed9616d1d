"""Transitions that run by themselves when their text becomes true."""

import contextlib
from collections.abc import Iterator

from kbwork.base.errors import Problem
from kbwork.core.operations.dispatch import run_as_operation
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Read, Write
from kbwork.modules import fields, workflows
from kbwork.modules.issues.transitions.engine import (
    MOST_DEEP,
    Nesting,
    TransitionRequest,
    execute,
    nesting,
    standing_of,
)
from kbwork.modules.workflows import TransitionStep, evaluation


@contextlib.contextmanager
def after_change(tx: Write, row: IssueRow) -> Iterator[None]:
    """What happens inside may make the text of a transition true that runs by itself: then it does, behind it.

    The outermost of several about one issue counts.
    """
    under = nesting.get()
    if row["id"] in under.issues:
        yield
        return
    before = _true(tx, row)
    mark = nesting.set(Nesting(under.issues | {row["id"]}, under.deep))
    try:
        yield
    finally:
        nesting.reset(mark)
    run_automatic(tx, row["id"], before)


def run_automatic(tx: Write, issue: int, before: frozenset[str] = frozenset()) -> None:
    """Run transitions whose text holds now and did not `before`, one after the other, five at most.

    One that is refused stays away, and so does all that it did.
    """
    left, refused = MOST_DEEP - nesting.get().deep, set[str]()
    while left > 0:
        row = tx.stored("issue", [issue])
        if row is None or row["deleted_at"] is not None or row["archived_at"] is not None:
            return
        step = _own_step(tx, row, before, refused)
        if step is None:
            return
        if _ran(tx, row, step):
            left -= 1
        else:
            refused.add(step.transition["key"])


def _ran(tx: Write, row: IssueRow, step: TransitionStep) -> bool:
    op = tx.registry.require("issues.transition")
    try:
        with tx.attempt():
            run_as_operation(
                tx, op, lambda inner: execute(inner, row, step, TransitionRequest(auto=True)), ""
            )
    except Problem:  # a rule stands against it: the edit itself is done
        return False
    return True


def _own_step(tx: Read, row: IssueRow, before: frozenset[str], refused: set[str]) -> TransitionStep | None:
    """The first way from its lane that goes by itself now and was not refused."""
    graph = workflows.of_issue_type(tx, row["project"], row["type"])
    texts = [text for text in graph.texts if text not in before]
    if not texts:
        return None
    at = standing_of(tx, row)
    for step in graph.steps(at.lane["key"]):
        text = step.transition["auto_when"]
        if step.transition["key"] in refused:
            continue
        if (
            text in texts
            and evaluation.open_to(step.transition, at)
            and fields.conditions.fits(tx, text, row["id"], graph.names)
        ):
            return step
    return None


def _true(tx: Read, row: IssueRow) -> frozenset[str]:
    """The texts of transitions that run by themselves which hold now."""
    graph = workflows.of_issue_type(tx, row["project"], row["type"])
    return frozenset(text for text in graph.texts if fields.conditions.fits(tx, text, row["id"], graph.names))
