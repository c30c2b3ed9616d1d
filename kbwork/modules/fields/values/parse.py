"""What a value of each kind looks like when it is given, and what is kept of it."""

from collections.abc import Callable
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import InvalidInput
from kbwork.base.model import SAFE_INT, Body, Day, Id, Int, Number, Text, When
from kbwork.base.text import did_you_mean, folded, whole_number
from kbwork.core.access import visibility
from kbwork.core.things.thing import ref_of
from kbwork.db.tx import Read
from kbwork.flagengine.clauses import patterns
from kbwork.modules import members, teams
from kbwork.modules.fields.catalogue import Option, OwnField
from kbwork.modules.fields.model import COMPUTED, MOST_OPTIONS, MOST_STEPS, TEXTS, Kind, Stored

MOST_PEOPLE = 100
TEXT_CHARS = 4000
_NAME_CHARS = 500
_SHOWN = 100  # options that a refusal names
_STRICT = ConfigDict(strict=True, hide_input_in_errors=True, defer_build=True)


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a value is to go. What it `held` may stay although it could not be set anew."""

    tx: Read
    field: OwnField
    path: str
    held: frozenset[int | float | str] = frozenset()

    def wrong(self, message: str, allowed: list[Any] | None = None) -> InvalidInput:
        return InvalidInput(f"{self.field.name} {message}", field=self.path, allowed=allowed)


def parsed(slot: Slot, given: Any) -> list[Stored]:
    """A value as it is kept; none for null and for what is empty. Raises InvalidInput at the slot's path."""
    found = elements(slot, given)
    for value in found:
        _require_within(slot, value)
    return found


def elements(slot: Slot, given: Any) -> list[Stored]:
    """As `parsed`, without asking for `min`, `max` and `pattern`."""
    if given is None:
        return []
    if slot.field.kind in COMPUTED:
        raise slot.wrong("is computed: it takes no value")
    return list(dict.fromkeys(_PARSERS[slot.field.kind](slot, given)))


def one_element(slot: Slot, given: Any) -> Stored:
    """A single element to compare with: one option or person, an amount without its currency."""
    kind = slot.field.kind
    if kind == "money":
        return _number(slot, given)[0]
    found = elements(slot, [given] if kind in ("multi_select", "members") else given)
    if not found:
        raise slot.wrong("is compared with a value; say `empty` where it has none")
    return found[-1]


def _require_within(slot: Slot, value: Stored) -> None:
    field = slot.field
    text = value.value if field.kind in TEXTS else None
    size = len(text) if isinstance(text, str) else value.value
    unit = " characters" if text is not None else ""
    if not isinstance(size, str):
        if field.min is not None and size < field.min:
            raise slot.wrong(f"should be at least {_plain(field.min)}{unit}")
        if field.max is not None and size > field.max:
            raise slot.wrong(f"should be at most {_plain(field.max)}{unit}")
    if field.pattern is not None and isinstance(text, str) and not patterns.matches(field.pattern, text):
        raise slot.wrong(f"should fit the pattern {field.pattern}")


def _plain(number: float) -> int | float:
    return int(number) if number.is_integer() else number


def _simple(wanted: Any, says: str, *, blank: bool = False) -> Callable[[Slot, Any], list[Stored]]:
    """A parser for what one type describes. `blank`: an empty text clears."""
    adapter: TypeAdapter[Any] = TypeAdapter(wanted, config=_STRICT)

    def parse(slot: Slot, given: Any) -> list[Stored]:
        if blank and given == "":
            return []
        try:
            value = adapter.validate_python(given)
        except (ValidationError, OverflowError):  # an integer that no float holds
            raise slot.wrong(f"should be {says}") from None
        if isinstance(value, float):
            value = _plain(value)
        return [Stored(int(value) if isinstance(value, bool) else value)]

    return parse


_Currency = Annotated[str, StringConstraints(pattern=r"^[A-Za-z]{3}$", to_upper=True)]
_ADDRESS = TypeAdapter(Annotated[str, StringConstraints(max_length=2000)], config=_STRICT)
_number = _simple(Number, "a number")
_line = _simple(Text, f"a text of at most {TEXT_CHARS:,} characters", blank=True)
_body = _simple(Body, "a text of at most 1,000,000 characters", blank=True)
_currency = _simple(_Currency, "an amount with a currency of three letters, such as EUR")
_whole = _simple(Id, "the number of a team")


def _text(slot: Slot, given: Any) -> list[Stored]:
    return [value for value in map(_trimmed, _line(slot, given)) if value.value]


def _paragraph(slot: Slot, given: Any) -> list[Stored]:
    return [value for value in _body(slot, given) if str(value.value).strip()]


def _trimmed(value: Stored) -> Stored:
    return Stored(str(value.value).strip())


def _money(slot: Slot, given: Any) -> list[Stored]:
    if not isinstance(given, dict) or set(given) != {"amount", "currency"}:
        raise slot.wrong("should be {amount, currency}")
    (amount,), (currency,) = _number(slot, given["amount"]), _currency(slot, given["currency"])
    return [Stored(amount.value, str(currency.value))]


def _url(slot: Slot, given: Any) -> list[Stored]:
    if given == "":
        return []
    try:
        text = _ADDRESS.validate_python(given).strip()
        parts = urlsplit(text)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and text.isprintable()
    except ValueError:  # a ValidationError is one too
        fits = False
    if not fits or " " in text:
        raise slot.wrong("should be an address that begins with http:// or https://")
    return [Stored(text)]


def _select(slot: Slot, given: Any) -> list[Stored]:
    if given == "":
        return []
    return [Stored(_option(slot, given, list(slot.field.options)).id)]


def _multi_select(slot: Slot, given: Any) -> list[Stored]:
    if not isinstance(given, list) or len(given) > MOST_OPTIONS:
        raise slot.wrong(f"should be a list of at most {MOST_OPTIONS:,} options")
    return [Stored(_option(slot, each, list(slot.field.options)).id) for each in given]


def _cascade(slot: Slot, given: Any) -> list[Stored]:
    if not isinstance(given, list) or len(given) > MOST_STEPS:
        raise slot.wrong("should be a list of options from the top down")
    parent: int | None = None
    steps: list[Stored] = []
    for each in given:
        option = _option(slot, each, [one for one in slot.field.options if one.parent == parent])
        steps.append(Stored(option.id))
        parent = option.id
    return steps


def _option(slot: Slot, ref: Any, among: list[Option]) -> Option:
    """An option by name, without case, or by id."""
    if type(ref) not in (str, int):
        raise slot.wrong("should name an option")
    text = str(ref).strip()[:_NAME_CHARS]
    wanted = folded(text) if isinstance(ref, str) else None
    found = next((option for option in among if option.name_key == wanted), None)
    found = found or next((option for option in among if str(option.id) == text), None)
    if found is not None and (not found.archived or found.id in slot.held):
        return found
    live = [option.name for option in among if not option.archived][:_SHOWN]
    if found is not None:
        raise slot.wrong(f"does not take {found.name!r} any more: it is archived", live)
    raise slot.wrong(f"has no option {text[:100]!r}.{did_you_mean(text, live, repr)}", live)


def _member(slot: Slot, given: Any) -> list[Stored]:
    if not isinstance(given, str) or len(given) > _NAME_CHARS:
        raise slot.wrong("should be a member's id, `me` or @handle")
    if given == "":
        return []
    row = members.by_ref(slot.tx, given, field=slot.path)
    if row["state"] != "active" and row["id"] not in slot.held:
        raise slot.wrong(f"does not take {row['name']}: they are no active member")
    return [Stored(row["id"])]


def _members(slot: Slot, given: Any) -> list[Stored]:
    if not isinstance(given, list) or len(given) > MOST_PEOPLE:
        raise slot.wrong(f"should be a list of at most {MOST_PEOPLE} members")
    return [value for each in given for value in _member(slot, each)]


def _team(slot: Slot, given: Any) -> list[Stored]:
    ref = given.removeprefix("team:") if isinstance(given, str) else given
    number = whole_number(ref) if isinstance(ref, str) else None
    (team,) = _whole(slot, ref if number is None else number)
    if teams.seen(slot.tx, int(team.value)) is None:
        raise slot.wrong(f"names no team that you can see: {team.value}")
    return [team]


def _reference(slot: Slot, given: Any) -> list[Stored]:
    """An issue, page or asset that the caller sees."""
    kind = slot.field.kind
    if not isinstance(given, str) or len(given) > 200:
        raise slot.wrong(f"should be the key of the {kind}" if kind != "page" else "should be the page's id")
    if not given.strip():
        return []
    found = visibility.find(slot.tx, f"{kind}:{given.strip().removeprefix(f'{kind}:')}")
    if found is None:
        raise slot.wrong(f"names no {kind} that you can see: {given!r}")
    ref = ref_of(found.id)[1]
    return [Stored(int(ref) if kind == "issue" else ref)]


_PARSERS: dict[Kind, Callable[[Slot, Any], list[Stored]]] = {
    "text": _text,
    "paragraph": _paragraph,
    "number": _number,
    "money": _money,
    "bool": _simple(bool, "true or false"),
    "date": _simple(Day, "a day as YYYY-MM-DD", blank=True),
    "datetime": _simple(When, "a moment as Unix seconds"),
    "duration": _simple(Annotated[Int, Field(ge=0, le=SAFE_INT)], "a duration in whole seconds"),
    "select": _select,
    "multi_select": _multi_select,
    "cascade": _cascade,
    "member": _member,
    "members": _members,
    "team": _team,
    "issue": _reference,
    "page": _reference,
    "asset": _reference,
    "url": _url,
    "rating": _simple(Annotated[Int, Field(ge=1, le=5)], "a whole number from 1 to 5"),
}
"""How each kind that takes a value reads one."""
