"""What the rules of a transition say of a thing that is to go its way."""

from collections.abc import Callable, Mapping
from typing import Any

from kbwork.core.access import visibility
from kbwork.modules import fields
from kbwork.modules.fields import conditions
from kbwork.modules.projects import access
from kbwork.modules.workflows.graphs import TransitionStep
from kbwork.modules.workflows.model import Judged, Kept
from kbwork.modules.workflows.ports import WorkflowPosition
from kbwork.modules.workflows.transitions import askable_fields, definitions


def open_to(transition: Kept, standing: WorkflowPosition) -> bool:
    """Whether its conditions hold: else it is as if it were not there."""
    return all(_holds(condition, standing) for condition in transition["if"])


def who_refuses(transition: Kept, standing: WorkflowPosition) -> str | None:
    """Who goes this way, where the caller is none of them."""
    if any(_is(word, standing) for word in transition["who"]) or (not transition["who"] and standing.moves):
        return None
    return f"{transition['name']} is for {_listed(standing, transition['who'] or ['member'])}"


def failing(transition: Kept, standing: WorkflowPosition) -> list[str]:
    """What the checks that fail say."""
    return [_said(check, standing) for check in transition["check"] if not _holds(check, standing)]


def missing(transition: Kept, standing: WorkflowPosition, given: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(name, title) of the fields that it asks for and that hold nothing; `given` are the comment and the outcome."""
    found = []
    for field, own in laid_out(transition, standing):
        if not field["required"]:
            continue
        if own is not None:
            if not standing.case.values.get(own.id):
                found.append((own.key, own.name))
            continue
        plain = askable_fields.PLAIN[field["field"]]
        held = given.get(plain.name) if plain in askable_fields.SAID else standing.case.facts.get(plain.name)
        if held in (None, "", [], plain.clear):
            found.append((plain.name, plain.title))
    return found


def laid_out(transition: Kept, standing: WorkflowPosition) -> list[tuple[Kept, fields.OwnField | None]]:
    """The fields that it asks for, with the own one where it is that; without what issues there do not have."""
    known = fields.layout_of(standing.case.tx, standing.case.project, standing.type).fields
    found: list[tuple[Kept, fields.OwnField | None]] = []
    for one in transition["ask"]:
        if isinstance(one["field"], str):
            found.append((one, None))
        elif one["field"] in known:
            found.append((one, known[one["field"]]))
    return found


def closed(step: TransitionStep, standing: WorkflowPosition) -> str | None:
    """Why this way is closed to the caller now; None where it is open. What it asks for is not there yet."""
    if not standing.edits:
        return "this needs the role member in the project, and an issue that is not archived"
    transition = step.transition
    checks = [check for check in transition["check"] if not _may_change(transition, check)]
    answers: list[Callable[[], str | None]] = [
        lambda: who_refuses(transition, standing),
        lambda: next(iter(failing({"check": checks}, standing)), None),
        lambda: barred(step, standing),
        lambda: "somebody has to approve it" if awaits(transition, standing) else None,
    ]
    return next((why for answer in answers if (why := answer()) is not None), None)


def awaits(transition: Kept, standing: WorkflowPosition) -> bool:
    """Whether others have to agree before the caller goes this way, and did not yet."""
    return bool(transition["approvers"]) and transition["key"] not in standing.approved


def barred(step: TransitionStep, standing: WorkflowPosition) -> str | None:
    """Why it may not be closed, where this way closes it."""
    closes = step.to["category"] == "done" and standing.lane["category"] != "done"
    return standing.barred if closes else None


def judged(step: TransitionStep, standing: WorkflowPosition) -> list[Judged]:
    """Every rule on a way, in the order in which they are asked. What is filled in on the way is not there yet."""
    transition = step.transition
    known = fields.catalogue(standing.case.tx)
    steps = [_step("edit", standing.edits, "whoever moves it may edit it")]
    for condition in transition["if"]:
        text = _words(condition, standing)
        steps.append(_step("if", _holds(condition, standing), text))
    refusal = who_refuses(transition, standing)
    steps.append(
        _step("who", refusal is None, refusal or "a member of the project, or one of those it names")
    )
    empty = {name for name, _ in missing(transition, standing, {})}
    for one, own in laid_out(transition, standing):
        name = own.key if own is not None else str(one["field"])
        must = "has to" if name in empty else "may"
        steps.append(_step("ask", True, f"{name} {must} be given on the way"))
    for check in transition["check"]:
        passed = _holds(check, standing)
        open_ = not passed and _may_change(transition, check)
        detail = _said(check, standing) + (": what is given on the way decides" if open_ else "")
        steps.append(_step("check", passed or open_, detail))
    why = barred(step, standing)
    steps.append(_step("blockers", why is None, why or "no open issue stands in the way"))
    names = definitions.approvers(transition, known)
    waits = awaits(transition, standing)
    said = (
        "nobody has to agree" if not names else ", ".join(names) + (" have to agree" if waits else " agreed")
    )
    steps.append(_step("approvers", not waits, said))
    return steps


def _said(check: Kept, standing: WorkflowPosition) -> str:
    words = _words(_bare(check), standing)
    return f"{check['message']} ({words})" if check.get("message") else f"It asks that {words}"


def _words(condition: Kept, standing: WorkflowPosition) -> str:
    case = standing.case
    present = conditions.presented(case.tx, case.names)
    return conditions.words(conditions.shown(condition, fields.catalogue(case.tx), present))


def _step(name: str, passed: bool, detail: str) -> Judged:
    return Judged(rule=name, passed=passed, detail=detail)


def _bare(condition: Kept) -> Kept:
    return {name: value for name, value in condition.items() if name != "message"}


def _holds(condition: Kept, standing: WorkflowPosition) -> bool:
    """What a rule says of a field that is gone it does not say any more."""
    left = _left(_bare(condition), fields.catalogue(standing.case.tx))
    return left is None or conditions.holds(left, standing.case)


def _left(condition: Kept, known: Mapping[int, fields.OwnField]) -> Kept | None:
    """A condition without comparisons of fields that are gone; None where nothing is left of it."""
    for name in ("all", "any"):
        if name in condition:
            each = [left for one in condition[name] if (left := _left(one, known)) is not None]
            return {name: each} if each else None
    field = condition.get("field")
    return None if isinstance(field, int) and field not in known else condition


def _may_change(transition: Kept, check: Kept) -> bool:
    """Whether what is filled in on the way may make a check true."""
    asked = {one["field"] for one in transition["ask"]}
    named = {one["field"] for one in conditions.comparisons(check)}
    return bool(named & asked) or (bool(asked) and _queries(check))


def _queries(condition: Kept) -> bool:
    """Whether it asks in the query language."""
    return "tql" in condition or any(
        _queries(one) for name in ("all", "any") for one in condition.get(name, ())
    )


def _is(word: str, standing: WorkflowPosition) -> bool:
    """Whether the caller is one of whom a word means; a wider role of the project is the narrower one too."""
    tx, project = standing.case.tx, standing.case.project
    caller = tx.caller
    if word == "reporter":
        return caller.member is not None and standing.reporter == caller.member
    if word == "assignee":
        assignees = standing.assignees()
        return caller.member in assignees or caller.via in assignees
    if word.startswith("team:"):
        return word in visibility.teams(tx)
    if word in ("owner", "guest"):
        return caller.role == word
    if word == "admin":
        return caller.admin
    return access.at_least(tx, project, word)  # type: ignore[arg-type]  # lead, member or viewer


def _listed(standing: WorkflowPosition, words: list[str]) -> str:
    names = []
    for word in words:
        team = visibility.find_named(standing.case.tx, word) if word.startswith("team:") else None
        names.append(f"the team {team.title}" if team is not None else word)
    return " or ".join(names)
