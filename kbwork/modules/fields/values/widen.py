"""Changing the kind of a field that has values: to a wider kind, in which each of them lives on."""

import datetime
import zoneinfo
from collections.abc import Callable, Sequence
from typing import Any

from kbwork.base.errors import Conflict
from kbwork.core import org_settings
from kbwork.db.tx import Read, Row, Write
from kbwork.modules.fields import queries
from kbwork.modules.fields.catalogue import OwnField
from kbwork.modules.fields.model import Kind, Stored
from kbwork.modules.fields.values import display
from kbwork.modules.fields.values.parse import TEXT_CHARS

NO_CURRENCY = "XXX"
"""ISO 4217's word for an amount in no currency: what a number becomes where the default names none."""

_AS_IT_IS: frozenset[tuple[Kind, Kind]] = frozenset(
    {("text", "paragraph"), ("select", "multi_select"), ("member", "members")}
)
_TURNED: frozenset[tuple[Kind, Kind]] = frozenset({("number", "money"), ("date", "datetime")})
Turn = Callable[[Sequence[Stored]], Stored | None]
"""A whole value in the wider kind; None where it does not fit."""


def require_wider(tx: Read, field: OwnField, kind: Kind) -> None:
    """Raises Conflict naming the count where issues have values that the kind cannot hold."""
    if wider(field.kind, kind):
        return
    if uses := queries.used(tx, field.id):
        raise Conflict(
            f"{uses} issues have a value in {field.name}: {field.kind} cannot become {kind}, only a wider kind.",
            uses=uses,
        )


def wider(kind: Kind, other: Kind) -> bool:
    """Whether every value of a kind can live on in another one."""
    return other in (kind, "text") or (kind, other) in _AS_IT_IS or (kind, other) in _TURNED


def turned(
    tx: Read, field: OwnField, values: Sequence[Stored], kind: Kind, currency: str | None
) -> list[Stored]:
    """A value that stands on its own, such as a default, in the wider kind; none where it does not fit."""
    if not values or kind == field.kind or (field.kind, kind) in _AS_IT_IS:
        return list(values)
    value = _turn(tx, field, kind, currency)(values) if wider(field.kind, kind) else None
    return [value] if value is not None else []


def widen(tx: Write, field: OwnField, kind: Kind, currency: str | None) -> None:
    """Turn every value that issues have into the wider kind, row by row, so that undo can turn them back.

    Raises Conflict naming the count of those that do not fit.
    """
    if kind == field.kind or (field.kind, kind) in _AS_IT_IS:
        return
    held: dict[int, list[Row]] = {}
    for row in tx.all(
        "select issue, position, value, unit from issue_value where field = :field order by issue, position",
        field=field.id,
    ):
        held.setdefault(row["issue"], []).append(row)
    turn = _turn(tx, field, kind, currency)
    made = {issue: turn([Stored(row["value"], row["unit"]) for row in rows]) for issue, rows in held.items()}
    lost = sum(value is None for value in made.values())
    if lost:
        raise Conflict(
            f"{lost} values of {field.name} do not fit into {kind}, or name what you do not see.", uses=lost
        )
    for issue, rows in held.items():
        value = made[issue]
        assert value is not None
        _replace(tx, (issue, field.id), [row["position"] for row in rows], value)


def _replace(tx: Write, place: tuple[int, int], positions: list[int], value: Stored) -> None:
    """One element in the place of all that were there."""
    for position in positions:
        if position:
            tx.delete("issue_value", (*place, position))
    columns = {"value": value.value, "unit": value.unit}
    if 0 in positions:
        tx.update("issue_value", (*place, 0), **columns)
    else:
        tx.insert("issue_value", issue=place[0], field=place[1], position=0, **columns)


def _turn(tx: Read, field: OwnField, kind: Kind, currency: str | None) -> Turn:
    if kind == "money":
        return lambda values: Stored(values[0].value, currency or NO_CURRENCY)
    if kind == "datetime":
        zone = zoneinfo.ZoneInfo(org_settings.get(tx, "org.zone"))
        return lambda values: _midnight(str(values[0].value), zone)
    return lambda values: _as_text(tx, field, values)


def _midnight(day: str, zone: datetime.tzinfo) -> Stored | None:
    """The start of a day where the org is, as Unix seconds; None before 1970."""
    start = datetime.datetime.combine(datetime.date.fromisoformat(day), datetime.time(), zone)
    seconds = int(start.timestamp())
    return Stored(seconds) if seconds >= 0 else None


def _as_text(tx: Read, field: OwnField, values: Sequence[Stored]) -> Stored | None:
    if field.kind == "cascade":
        parts = [option.name for value in values if (option := field.by_id.get(value.value)) is not None]
        text = " / ".join(parts)
    elif field.kind == "multi_select":
        text = ", ".join(display.one(tx, field, values) or [])
    else:
        words = [_word(tx, field, value) for value in values]
        if None in words:
            return None
        text = ", ".join(str(word) for word in words)
    return Stored(text) if 0 < len(text) <= TEXT_CHARS else None


def _word(tx: Read, field: OwnField, value: Stored) -> Any:
    """One element as a text; None for a reference that the caller does not see."""
    word = _WORDS.get(field.kind)
    return word(tx, value) if word is not None else display.one(tx, field, [value])


def _moment(_tx: Read, value: Stored) -> str:
    moment = datetime.datetime.fromtimestamp(int(value.value), datetime.UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _length(_tx: Read, value: Stored) -> str:
    minutes, seconds = divmod(int(value.value), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}"


def _person(tx: Read, value: Stored) -> Any:
    return tx.memoized(
        ("member-name", value.value),
        lambda: tx.value("select name from member where id = :id", id=value.value),
    )


def _team(tx: Read, value: Stored) -> str:
    name = tx.value("select name from team where id = :id", id=value.value)
    return str(name if name is not None else value.value)


_WORDS: dict[Kind, Callable[[Read, Stored], Any]] = {
    "money": lambda _tx, value: f"{value.value} {value.unit}",
    "bool": lambda _tx, value: "yes" if value.value else "no",
    "datetime": _moment,
    "duration": _length,
    "member": _person,
    "members": _person,
    "team": _team,
}
