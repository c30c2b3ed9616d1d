"""Running the actions of a rule, one after the other, until the end or until one waits."""

from typing import Any

from kbwork.base.dataclasses import dataclass, field
from kbwork.base.errors import Conflict, Problem
from kbwork.core import zones
from kbwork.core.operations import nested
from kbwork.db.tx import Write
from kbwork.modules.automation.engine.variables import Variables
from kbwork.modules.automation.rule import actions
from kbwork.modules.issues import placeholders
from kbwork.modules.tql import time_limit
from kbwork.tql import tree as t

MOST_EACH = 200


@dataclass(slots=True)
class Performed:
    """What came of it."""

    times: int = 0
    """Operations that were run."""
    left_out: list[str] = field(default_factory=list)
    """What was refused and may be."""
    waits_at: int | None = None
    """The action that comes later."""
    wide: bool = False
    """It went beyond what the rule ran for."""


def perform(tx: Write, actions: list[dict[str, Any]], known: Variables, step: int | None) -> Performed:
    """Run them from the first, or from the one before which the run waited. Raises what a refused one raises, unless it
    may be."""
    done = Performed()
    for place in range(step or 0, len(actions)):
        action = actions[place]
        if action["delay_minutes"] and place != step:
            done.waits_at = place
            break
        done.wide = done.wide or action["each"] is not None
        if action["on_error"] == "stop":
            _run(tx, action, known, done)
        else:
            _try(tx, action, known, done)
    return done


def _run(tx: Write, action: dict[str, Any], known: Variables, done: Performed) -> None:
    for issue in _issues(tx, action, known):
        _act(tx, action, issue, known)
        done.times += 1


def _try(tx: Write, action: dict[str, Any], known: Variables, done: Performed) -> None:
    """Each issue for itself; what is refused is left out."""
    try:
        issues = _issues(tx, action, known)
    except Problem as problem:  # the rule says that the rest stands without it
        done.left_out.append(problem.detail)
        return
    for issue in issues:
        try:
            with tx.attempt():
                _act(tx, action, issue, known)
            done.times += 1
        except Problem as problem:  # likewise
            done.left_out.append(problem.detail)


def _act(tx: Write, action: dict[str, Any], issue: int | None, known: Variables) -> None:
    filled = known.of(issue)
    if tx.registry.require(action["op"]).unattended:
        filled |= {actions.ANSWER: f"{{{{{actions.ANSWER}}}}}"}
    value = placeholders.rendered(action["input"], filled, zones.today(tx))
    if actions.ANSWER in filled:
        value |= {"rule": known.rule["name"], "apply": action["apply"]}
    nested.run(tx, action["op"], value, about=f"{action['op']}: ")


def _issues(tx: Write, action: dict[str, Any], known: Variables) -> list[int | None]:
    """The issues that an action is run for; one None for an action that names none. Raises Conflict where they are too
    many."""
    if action["each"] is None:
        return [None]
    text = placeholders.rendered(action["each"], known.of(None), zones.today(tx))
    found = listed(tx, text, known.rule["names"], MOST_EACH + 1)
    if len(found) > MOST_EACH:
        raise Conflict(f"More than {MOST_EACH} issues fit {text!r}: narrow it.")
    return list(found)


def listed(tx: Any, text: str, names: str, most: int) -> list[int]:
    """The issues that fit a query, as the caller sees them, so many at most. Raises a Problem where it cannot be
    asked."""
    language = tx.registry.language
    if language is None:
        raise Conflict("The rule names issues in the query language, which is not there.")
    with time_limit.bounded(tx, t.QueryNode()):
        found: list[int] = language.issues(tx.as_caller(tx.caller), text, most, names)
    return found
