"""The values of issues: what is given becomes what is kept, and is written row by row."""

from collections.abc import Mapping, Sequence
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import InvalidInput
from kbwork.db.tx import Read, Write
from kbwork.modules.fields.catalogue import OwnField, catalogue, named, pick
from kbwork.modules.fields.conditions import Case, Facts
from kbwork.modules.fields.layouts import layout, rules
from kbwork.modules.fields.model import CHOICES, SETS, Stored
from kbwork.modules.fields.values import display
from kbwork.modules.fields.values.parse import Slot, parsed

_MOST_TOLD = 20

Resolved = dict[int, list[Stored]]
"""Field id -> elements as they are to be kept; no elements clear the field."""
Changes = dict[str, Any]
"""`values.<key>` -> the change as an event tells it."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """What went because the target does not know it: the names of the fields, and the changes for the event."""

    names: list[str]
    changes: Changes


def resolve(
    tx: Read, project: int, type_: int, given: Mapping[str, Any], *, issue: int | None = None
) -> Resolved:
    """What is given by field key (or name, or id), as it is to be kept.

    `issue` is the one that it is for, where it is there: what that holds already may stay, be it archived. Raises one
    InvalidInput for the values that do not fit, twenty at most, each at `values.<key>`.
    """
    if not given:
        return {}
    reading = _Reading(
        tx, layout.of(tx, project, type_).fields, display.held(tx, issue) if issue is not None else {}
    )
    errors: list[InvalidInput] = []
    for name, value in given.items():
        try:
            reading.take(name, value)
        except InvalidInput as refusal:
            errors.append(refusal)
            if len(errors) == _MOST_TOLD:
                break
    if errors:
        raise _together(errors)
    return reading.found


def defaults(
    tx: Read, project: int, type_: int, values: Mapping[int, list[Stored]], facts: Facts | None = None
) -> Resolved:
    """The values of an issue that is made, with what fields and rules fill in where nothing is given.

    An option that is archived, a person who left and a team that is gone are not filled in.
    """
    laid_out = layout.of(tx, project, type_)
    answer = dict(values)
    for field in laid_out.fields.values():
        if field.id not in answer and (fresh := _usable(tx, field, field.preset)):
            answer[field.id] = fresh
    for ident, filled in rules.filled(laid_out, Case(tx, project, answer, facts or {})).items():
        if ident not in values and (fresh := _usable(tx, laid_out.fields[ident], filled)):
            answer[ident] = fresh
    return answer


def required(
    tx: Read, project: int, type_: int, values: Mapping[int, Sequence[Stored]], facts: Facts | None = None
) -> None:
    """What the layout asks for is there: on making an issue and on a change of type, not on other edits.

    `values` is everything that the issue is to hold. Raises InvalidInput naming every field that is missing.
    """
    laid_out = layout.of(tx, project, type_)
    missing = [
        field
        for field in rules.asked(laid_out, Case(tx, project, values, facts or {}))
        if not values.get(field.id)
    ]
    if missing:
        errors = [
            {"path": f"values.{field.key}", "message": f"{field.name} is required here"} for field in missing
        ]
        raise InvalidInput(
            f"{' and '.join(field.name for field in missing)} must be given here.", errors=errors
        )


def write(tx: Write, issue: int, resolved: Mapping[int, list[Stored]]) -> Changes:
    """Keep values of an issue; fields that are not named stay. Answers what changed, for its event."""
    if not resolved:
        return {}
    known = catalogue(tx)
    changes: Changes = {}
    for ident, wanted in resolved.items():
        field = known[ident]
        rows = tx.all(
            "select position, value, unit from issue_value where issue = :issue and field = :field order by position",
            issue=issue,
            field=ident,
        )
        before = {row["position"]: Stored(row["value"], row["unit"]) for row in rows}
        held = list(before.values())
        if held == wanted or (field.kind in SETS and set(held) == set(wanted)):
            continue
        if field.kind in SETS:
            _write_set(tx, (issue, ident), before, wanted)
        else:
            _write_steps(tx, (issue, ident), before, wanted)
        changes[f"values.{field.key}"] = display.told(tx, field, held, wanted)
    return changes


def begin(tx: Write, issue: int, resolved: Mapping[int, list[Stored]]) -> None:
    """Keep the values of a new issue: nothing is asked."""
    for ident, wanted in resolved.items():
        for position, value in enumerate(wanted):
            _insert(tx, (issue, ident), position, value)


def drop_unknown(tx: Write, issue: int, project: int, type_: int) -> Dropped:
    """Take the values off that issues of this type do not have in this project: it moves there, or becomes one."""
    laid_out = layout.of(tx, project, type_).fields
    known = catalogue(tx)
    gone = [ident for ident in display.held(tx, issue) if ident not in laid_out]
    changes = write(tx, issue, {ident: [] for ident in gone})
    return Dropped([known[ident].name for ident in gone], changes)


class _Reading:
    """Reads given values one by one. `held` is what the issue has."""

    def __init__(self, tx: Read, laid_out: Mapping[int, OwnField], held: Resolved) -> None:
        self._tx = tx
        self._laid_out = laid_out
        self._held = held
        self.found: Resolved = {}

    def take(self, name: str, value: Any) -> None:
        """Raises InvalidInput at `values.<name>`."""
        path = f"values.{name[:100]}"
        field = self._field(name, path, clears=value is None)
        if field.id in self.found:
            raise InvalidInput(f"{field.name} is given twice.", field=path)
        held = frozenset(each.value for each in self._held.get(field.id, ()))
        self.found[field.id] = parsed(Slot(self._tx, field, path, held), value)

    def _field(self, name: str, path: str, *, clears: bool) -> OwnField:
        """The field that a key means. One that is not laid out takes no value; what it holds may be cleared."""
        if clears and not named(self._laid_out.values(), name):
            left = [field for field in named(catalogue(self._tx).values(), name) if field.id in self._held]
            if len(left) == 1:
                return left[0]
        return pick(self._laid_out.values(), name, path=path, missing="No field here is called")


def _together(errors: list[InvalidInput]) -> InvalidInput:
    told = [each for error in errors for each in error.extra["errors"]]
    return InvalidInput(errors[0].detail, errors=told)


def _usable(tx: Read, field: OwnField, values: Sequence[Stored]) -> list[Stored]:
    return [value for value in values if _present(tx, field, value)]


def _present(tx: Read, field: OwnField, value: Stored) -> bool:
    if field.kind in CHOICES:
        option = field.by_id.get(value.value)
        return option is not None and not option.archived
    if field.kind in ("member", "members"):
        row = tx.stored("member", [value.value])
        return row is not None and row["state"] == "active"
    return field.kind != "team" or tx.stored("team", [value.value]) is not None


def _write_set(tx: Write, place: tuple[int, int], before: dict[int, Stored], wanted: list[Stored]) -> None:
    """An element keeps its row while it is there, so that undo and history know it; new ones come behind."""
    for position, value in before.items():
        if value not in wanted:
            tx.delete("issue_value", (*place, position))
    at = max(before, default=-1)
    for value in wanted:
        if value not in before.values():
            at += 1
            _insert(tx, place, at, value)


def _write_steps(tx: Write, place: tuple[int, int], before: dict[int, Stored], wanted: list[Stored]) -> None:
    for position, value in enumerate(wanted):
        if position in before:
            tx.update("issue_value", (*place, position), value=value.value, unit=value.unit)
        else:
            _insert(tx, place, position, value)
    for position in before:
        if position >= len(wanted):
            tx.delete("issue_value", (*place, position))


def _insert(tx: Write, place: tuple[int, int], position: int, value: Stored) -> None:
    tx.insert(
        "issue_value", issue=place[0], field=place[1], position=position, value=value.value, unit=value.unit
    )
