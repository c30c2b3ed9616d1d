"""What may be chosen in a select, a multi-select or a cascade."""

import json
from collections.abc import Sequence
from typing import Annotated

from pydantic import Field as Limits
from pydantic import StringConstraints

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Conflict, InUse, InvalidInput, NotAllowed
from kbwork.base.model import Id, Input, Name, Text
from kbwork.base.text import did_you_mean, folded
from kbwork.core.operations.declare import write
from kbwork.db.tx import Read, Row, Write
from kbwork.modules.fields import event_payloads, queries
from kbwork.modules.fields.catalogue import Option, OwnField, catalogue, packed
from kbwork.modules.fields.layouts import rules
from kbwork.modules.fields.model import (
    CHOICES,
    MOST_OPTIONS,
    MOST_STEPS,
    Field,
    FieldOptionMerged,
    FieldSaved,
    Stored,
)
from kbwork.modules.fields.options import merge
from kbwork.modules.fields.thing import may_keep

_GREY = "#5f6b7a"


class OptionInput(Input):
    id: Id | None = None
    """The option to change; left out: the one of this name, or a new one."""
    name: Name
    """What people choose."""
    color: Annotated[str, StringConstraints(pattern=r"^#[0-9a-fA-F]{6}$")] | None = None
    """Colour as `#rrggbb`."""
    archived: bool | None = None
    """An archived option stays where it is and is not chosen anew."""
    parent: Id | Text | None = None
    """In a cascade: the option that it stands under, by id, or by the name of one that comes before it here."""


class FieldsOptionsSet(Input):
    key: Text
    """Key, id or name of the field."""
    options: Annotated[list[OptionInput], Limits(max_length=MOST_OPTIONS)]
    """The whole list, in order."""


@write(
    "fields.options_set",
    scope="projects:write",
    words="add a value to a dropdown, choices of a select field, change options, picklist",
    emits=[FieldSaved],
    example={"key": "severity", "options": [{"name": "High", "color": "#d64545"}, {"name": "Low"}]},
)
def options_set(tx: Write, args: FieldsOptionsSet) -> Field:
    """Say which options a field has, as the whole list in order: 1,000 at most.

    For admins, and for those who lead all the projects that the field is limited to. An option is known by its id, else
    by its name; names are unique without case among those that stand under the same one (422). A colour or an archiving
    that is not named stays. Leaving out an option that an issue, the default or a layout's rule has is 409 with `uses`,
    and so is moving one under another; fields.option_merge folds it into another, archiving keeps it.
    """
    field = _kept(tx, args.key)
    places = _Places(field)
    for number, given in enumerate(args.options):
        places.add(given, f"options[{number}]")
    gone = [option for option in field.options if option.id not in places.known]
    _require_unused(tx, field, [*gone, *places.moved])
    before = [option.name for option in field.options]
    if _write(tx, field, places, gone):
        after = catalogue(tx)[field.id]
        event_payloads.emit(
            tx, FieldSaved, [after], changes={"options": (before, [option.name for option in after.options])}
        )
    return queries.shown(tx, [catalogue(tx)[field.id]])[0]


class FieldsOptionMerge(Input):
    key: Text
    """Key, id or name of the field."""
    from_: Annotated[list[Text | Id], Limits(alias="from", min_length=1, max_length=MOST_OPTIONS)]
    """The options that go, by name or id."""
    into: Text | Id
    """The option that stays."""


@write(
    "fields.option_merge",
    scope="admin",
    words="merge dropdown values, combine options",
    emits=[FieldOptionMerged],
    example={"key": "severity", "from": ["Low"], "into": "High"},
)
def option_merge(tx: Write, args: FieldsOptionMerge) -> Field:
    """Fold options into one: what has them has that one, once, and they are gone.

    The default and the rules of layouts go along. In a cascade the options stand under the same one (422), and those
    that go have none under them (409). The first 500 values are changed in this call and more by a job, which tells of
    each 500 it changed; meanwhile they are shown as the option that stays.
    """
    field = _kept(tx, args.key)
    into = _option(field, args.into, "into")
    gone = list(dict.fromkeys(_option(field, ref, "from") for ref in args.from_))
    _require_mergeable(field, gone, into)
    idents = {option.id for option in gone}
    preset = [Stored(into.id) if value.value in idents else value for value in field.preset]
    if preset != list(field.preset):
        tx.update("field", field.id, preset=json.dumps(packed(dict.fromkeys(preset))))
    for place, kept in queries.rules_of_layouts(tx):
        changed = [rules.replaced(rule, field.id, idents, into.id) for rule in kept]
        if changed != kept:
            tx.update("field_layout", place, rules=json.dumps(changed))
    issues = merge.fold(tx, field, gone, into.id)
    payload = {"from": [option.name for option in gone], "into": into.name, "issues": issues}
    event_payloads.emit(tx, FieldOptionMerged, [field], payload=payload)
    return queries.shown(tx, [catalogue(tx)[field.id]])[0]


@dataclass(frozen=True, slots=True)
class _Wanted:
    """An option as it is to be. `parent_at`: the place in the list of the one that it stands under."""

    option: Option | None
    given: OptionInput
    parent: int | None
    parent_at: int | None
    depth: int


class _Places:
    """Reads the list of options. Raises InvalidInput at the one that does not fit."""

    def __init__(self, field: OwnField) -> None:
        self._field = field
        self._ids = {option.id: option for option in field.options}
        self._by_name = {(option.parent, option.name_key): option for option in field.options}
        self.wanted: list[_Wanted] = []
        self._at: dict[int | str, list[int]] = {}
        """Option id, and name without case, -> where in the list."""
        self.known: set[int] = set()
        self.moved: list[Option] = []
        """Options that are to stand under another one than now."""
        self._names: set[tuple[object, str]] = set()

    def add(self, given: OptionInput, path: str) -> None:
        above = self._above(given, path)
        parent = self.wanted[above].option if above is not None else None
        depth = self.wanted[above].depth + 1 if above is not None else 1
        if depth > MOST_STEPS:
            raise InvalidInput(
                f"Options stand at most {MOST_STEPS} deep under each other.", field=f"{path}.parent"
            )
        name = (above, folded(given.name))
        if name in self._names:
            raise InvalidInput(f"The option {given.name!r} stands here twice.", field=f"{path}.name")
        self._names.add(name)
        option = self._option(given, above, path)
        ident = parent.id if parent is not None else None
        if option is not None:
            if option.id in self.known:
                raise InvalidInput(f"The option {option.id} stands here twice.", field=f"{path}.id")
            self.known.add(option.id)
            if option.parent != ident or (above is not None and parent is None):
                self.moved.append(option)
            self._at.setdefault(option.id, []).append(len(self.wanted))
        self._at.setdefault(name[1], []).append(len(self.wanted))
        self.wanted.append(_Wanted(option, given, ident, above, depth))

    def _above(self, given: OptionInput, path: str) -> int | None:
        """The place in the list of the option that this one is to stand under."""
        if given.parent is None or given.parent == "":
            return None
        if self._field.kind != "cascade":
            raise InvalidInput("Only the options of a cascade stand under others.", field=f"{path}.parent")
        ref = given.parent
        found = self._at.get(folded(ref) if isinstance(ref, str) else ref, [])
        if len(found) != 1:
            text = "several options" if found else "no option"
            raise InvalidInput(f"{text} before this one fit {ref!r}.".capitalize(), field=f"{path}.parent")
        return found[0]

    def _option(self, given: OptionInput, above: int | None, path: str) -> Option | None:
        if given.id is not None:
            if given.id not in self._ids:
                raise InvalidInput(f"{self._field.name} has no option {given.id}.", field=f"{path}.id")
            return self._ids[given.id]
        parent = self.wanted[above].option if above is not None else None
        if above is not None and parent is None:
            return None
        ident = parent.id if parent is not None else None
        found = self._by_name.get((ident, folded(given.name)))
        return found if found is not None and found.id not in self.known else None


def _kept(tx: Read, key: str) -> OwnField:
    """A field with options that the caller keeps. Raises NotFound, NotAllowed or InvalidInput."""
    field = queries.get(tx, key)
    if not may_keep(tx, field.projects):
        raise NotAllowed(
            f"The options of {field.name} are set by admins, and by those who lead every project that it is limited to."
        )
    if field.kind not in CHOICES:
        raise InvalidInput(f"{field.name} is of the kind {field.kind}, which has no options.", field="key")
    return field


def _require_unused(tx: Read, field: OwnField, options: Sequence[Option]) -> None:
    """Raises InUse where an issue, the default or a rule has one of them."""
    if not options:
        return
    if merge.folds_into(tx, [option.id for option in options]):
        raise InUse("Others are being merged into one of them: wait until that is done.", uses=0)
    uses = queries.option_uses(tx, field.id, {option.id for option in options})
    named = {value.value for value in field.preset}
    for _, kept in queries.rules_of_layouts(tx):
        named.update(*(rules.options_in(rule, field.id) for rule in kept))
    for option in options:
        if count := uses.get(option.id, 0):
            raise InUse(
                f"{count} issues have {option.name} in {field.name}: merge it into another option, or archive it.",
                uses=count,
            )
        if option.id in named:
            raise InUse(f"{option.name} stands in the default of {field.name} or in a layout's rule.", uses=0)


def _write(tx: Write, field: OwnField, places: _Places, gone: list[Option]) -> bool:
    """Write what differs; answers whether anything did."""
    before = len(tx.images)
    for lost in gone:
        tx.delete("field_option", lost.id)
    positions = {
        row["id"]: row["position"]
        for row in tx.all("select id, position from field_option where field = :field", field=field.id)
    }
    idents: list[int] = []
    for position, wanted in enumerate(places.wanted):
        parent = idents[wanted.parent_at] if wanted.parent_at is not None else None
        columns: Row = {"name": wanted.given.name, "name_key": folded(wanted.given.name), "parent": parent}
        columns |= _looks(wanted)
        if (option := wanted.option) is None:
            idents.append(tx.insert("field_option", field=field.id, position=position, **columns))
            continue
        idents.append(option.id)
        if positions[option.id] != position:
            columns["position"] = position
        tx.update("field_option", option.id, **columns)
    return len(tx.images) > before


def _looks(wanted: _Wanted) -> Row:
    """Colour and archiving: as given, else as they are."""
    option, given = wanted.option, wanted.given
    color = given.color.lower() if given.color else (option.color if option is not None else _GREY)
    archived = given.archived if given.archived is not None else (option is not None and option.archived)
    return {"color": color, "archived": int(archived)}


def _option(field: OwnField, ref: str | int, path: str) -> Option:
    found = [
        option for option in field.options if isinstance(ref, str) and option.name_key == folded(ref.strip())
    ]
    found = found or [option for option in field.options if str(option.id) == str(ref).strip()]
    if len(found) == 1:
        return found[0]
    names = [option.name for option in field.options]
    if found:
        raise InvalidInput(
            f"Several options are called {ref!r}: say it by id.", field=path, allowed=[o.id for o in found]
        )
    hint = did_you_mean(str(ref), names, repr)
    raise InvalidInput(f"{field.name} has no option {ref!r}.{hint}", field=path, allowed=names)


def _require_mergeable(field: OwnField, gone: list[Option], into: Option) -> None:
    for option in gone:
        if option.id == into.id:
            raise InvalidInput("An option cannot be folded into itself.", field="from")
        if option.parent != into.parent:
            raise InvalidInput(
                f"{option.name} does not stand under the same option as {into.name}.", field="from"
            )
        if any(other.parent == option.id for other in field.options):
            raise Conflict(f"{option.name} has options under it: fold or move those first.")
