"""Say whether somebody may do something, and why."""

from collections.abc import Callable, Iterator

from typing_extensions import TypedDict

from kbwork.base.errors import NotAllowed, Problem
from kbwork.base.model import Input, Text
from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.core.access.grants import Level, at_least
from kbwork.core.operations.declare import Operation, read
from kbwork.core.operations.dispatch import authorize, check_person
from kbwork.core.things.thing import Thing, ref_of
from kbwork.db.tx import Read
from kbwork.modules import members


class ExplainedStep(TypedDict):
    """One thing that was looked at."""

    check: str
    """What was looked at: `scope`, `role`, `sight`, `grant` or `right`."""
    passed: bool
    """Whether it lets the call through."""
    because: str
    """Why, in a sentence."""


class Explanation(TypedDict):
    """Whether somebody may do something, and why."""

    allowed: bool
    """Whether all of it lets the call through."""
    steps: list[ExplainedStep]
    """What was looked at, in order; the first that does not pass is the last."""


class AccessExplain(Input):
    subject: Text
    """What it would be done with, such as `page:12`, `space:HAND` or `WEB-12`."""
    op: Text
    """Id of the operation, such as `pages.update`."""
    who: Text | None = None
    """Member; you unless given. Asking about others is for admins."""


@read(
    "access.explain",
    scope="members:read",
    words="why can I not see this, why may I not edit, explain permissions, who could do that, debug access, denied",
    example={"subject": "space:HAND", "op": "pages.create", "who": "@di"},
)
def explain(tx: Read, args: AccessExplain) -> Explanation:
    """Say whether somebody may do something with a thing that you see, and what decides it, in the order tested.

    Looked at are scope and role, whether they see the thing, and what they may do with it. What the input says, and how
    the thing stands, such as that it is archived, may refuse the call all the same.
    """
    thing = named.seen(visibility.referred(tx, args.subject), "thing", args.subject)
    op: Operation = tx.registry.require(args.op)
    eyes = _eyes(tx, args.who)
    steps: list[ExplainedStep] = []
    for step in _steps(eyes, op, thing.id):
        steps.append(step)
        if not step["passed"]:
            break
    return Explanation(allowed=all(step["passed"] for step in steps), steps=steps)


def _eyes(tx: Read, who: str | None) -> Read:
    """The snapshot as that member sees it. Raises NotAllowed where others ask than admins."""
    if not who:
        return tx
    found = members.by_ref(tx, who, field="who")["id"]
    if found == tx.caller.member:
        return tx
    if not tx.caller.admin:
        raise NotAllowed("What others may do is told to admins.")
    return visibility.as_member(tx, found)


def _steps(tx: Read, op: Operation, subject: str) -> Iterator[ExplainedStep]:
    scopes = " or ".join(op.scopes)
    yield _asked(
        "scope", lambda: authorize(op, tx.caller), f"It needs {scopes}, which the role or key holds."
    )
    yield _asked(
        "role", lambda: check_person(op, tx.caller, tx.now), f"The role {tx.caller.role} may call it."
    )
    if visibility.find(tx, subject) is None:
        yield ExplainedStep(check="sight", passed=False, because="They do not see it.")
        return
    yield ExplainedStep(check="sight", passed=True, because="They see it.")
    yield _right(tx, op, visibility.things(tx)[ref_of(subject)[0]], ref_of(subject)[1])


def _asked(check: str, ask: Callable[[], None], because: str) -> ExplainedStep:
    try:
        ask()
    except Problem as problem:
        return ExplainedStep(check=check, passed=False, because=problem.detail)
    return ExplainedStep(check=check, passed=True, because=because)


def _right(tx: Read, op: Operation, kind: Thing, ref: str) -> ExplainedStep:
    """What they may do with the thing itself, as its kind says."""
    if kind.grants is not None and (on := kind.grants.target(tx, ref)) is not None:
        wanted = _level(op)
        held = on.level or "none"
        passed = at_least(on.level, wanted)
        return ExplainedStep(
            check="grant", passed=passed, because=f"It needs the right to {wanted}; theirs there is {held}."
        )
    if op.cls == "read":
        return ExplainedStep(check="right", passed=True, because="Whoever sees it reads it.")
    if op.module == "comments" and kind.comments is not None:
        target = kind.comments.target(tx, ref)
        passed = target is not None and target.may_comment()
        return ExplainedStep(
            check="right", passed=passed, because=f"They may {'' if passed else 'not '}comment there."
        )
    passed = kind.undo.editable is None or kind.undo.editable(tx, ref)
    return ExplainedStep(
        check="right", passed=passed, because=f"They may {'' if passed else 'not '}change it as it is now."
    )


def _level(op: Operation) -> Level:
    """What an operation asks at least, by its class: no operation is known here by name."""
    if op.people != "anyone":
        return "manage"
    if op.module == "comments" and op.cls != "read":
        return "comment"
    return "view" if op.cls == "read" else "edit"
