"""All fields that are there, with their options: read once and kept until one changes."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import InvalidInput
from kbwork.base.text import did_you_mean, folded
from kbwork.db.rows import FieldOptionRow, FieldRow
from kbwork.db.tx import Read
from kbwork.modules.fields.model import CHOICES, COMPUTED, REFERENCES, Home, Kind, Stored


@dataclass(frozen=True, slots=True)
class Option:
    """One value that may be chosen."""

    id: int
    name: str
    name_key: str
    color: str
    archived: bool
    parent: int | None
    place: int
    """Where it stands in the list."""


@dataclass(frozen=True, slots=True)
class OwnField:
    """A field. `projects` and `types` are ids; none stands for all."""

    id: int
    key: str
    name: str
    name_key: str
    kind: Kind
    home: Home
    description: str
    projects: tuple[int, ...]
    types: tuple[int, ...]
    preset: tuple[Stored, ...]
    """What it holds where nothing is said."""
    formula: str | None
    names: str
    """What the names of the formula meant when it was kept."""
    min: float | None
    max: float | None
    pattern: str | None
    personal: bool
    options: tuple[Option, ...]
    by_id: dict[int | float | str, Option]
    """Those that are being folded into others, too: as what they become."""

    def admits(self, project: int, type_: int) -> bool:
        """Whether issues of this type may have it in this project."""
        return (not self.projects or project in self.projects) and (not self.types or type_ in self.types)

    @property
    def fillable(self) -> bool:
        return self.kind not in COMPUTED

    def path(self, ident: int) -> list[Option]:
        """The option and those above it, from the top down."""
        found: list[Option] = []
        at: int | None = ident
        while at is not None and (option := self.by_id.get(at)) is not None:
            found.insert(0, option)
            at = option.parent
        return found


def catalogue(tx: Read) -> dict[int, OwnField]:
    """Every field that is not deleted, by id, in the order in which they were made."""
    found: dict[int, OwnField] = tx.cached("own fields", lambda: _read(tx))
    return found


def stand_alone(tx: Read) -> bool:
    """Whether what is held in fields is all that they show: none names other things, and none is computed."""
    found: bool = tx.cached(
        "fields stand alone",
        lambda: not any(own.kind in REFERENCES | COMPUTED for own in catalogue(tx).values()),
    )
    return found


def of_row(row: Mapping[str, Any], options: Iterable[FieldOptionRow] = ()) -> OwnField:
    """A stored field, with its stored options in order. One that is folded into another is shown as that."""
    stored = list(options) if row["kind"] in CHOICES else []
    left = [option for option in stored if option["heir"] is None]
    chosen = tuple(_option(option, place) for place, option in enumerate(left))
    by_id: dict[int | float | str, Option] = {option.id: option for option in chosen}
    by_id |= {
        option["id"]: by_id[option["heir"]]
        for option in stored
        if option["heir"] is not None and option["heir"] in by_id
    }
    return OwnField(
        id=row["id"],
        key=row["key"],
        name=row["name"],
        name_key=row["name_key"],
        kind=row["kind"],
        home=row["home"],
        description=row["description"],
        projects=tuple(json.loads(row["projects"])),
        types=tuple(json.loads(row["types"])),
        preset=unpacked(json.loads(row["preset"])),
        formula=row["formula"],
        names=row["names"],
        min=row["min"],
        max=row["max"],
        pattern=row["pattern"],
        personal=bool(row["personal"]),
        options=chosen,
        by_id=by_id,
    )


def packed(values: Iterable[Stored]) -> list[list[object]]:
    """Elements as JSON."""
    return [[value.value, value.unit] for value in values]


def unpacked(values: list[list[object]]) -> tuple[Stored, ...]:
    """Elements from what `packed` made."""
    return tuple(Stored(*value) for value in values)  # type: ignore[arg-type]  # JSON that this module wrote


def named(fields: Iterable[OwnField], ref: str) -> list[OwnField]:
    """The fields that a reference means: one by its key or id, or all that have the name."""
    known = list(fields)
    wanted = folded(ref.strip())
    for field in known:
        if wanted in (field.key, str(field.id)):
            return [field]
    return [field for field in known if field.name_key == wanted]


def pick(fields: Iterable[OwnField], ref: str, *, path: str, missing: str = "There is no field") -> OwnField:
    """The one field that a reference means. Raises InvalidInput at `path` naming the nearest, or both."""
    known = list(fields)
    found = named(known, ref)
    if len(found) == 1:
        return found[0]
    if found:
        keys = [field.key for field in found]
        raise InvalidInput(
            f"{ref!r} is the name of {' and '.join(keys)}: say it by key.", field=path, allowed=keys
        )
    keys = [field.key for field in known]
    ref = ref[:100]
    hint = did_you_mean(ref, [*keys, *(field.name for field in known)])
    raise InvalidInput(f"{missing} {ref!r}.{hint}", field=path, allowed=sorted(keys))


def _read(tx: Read) -> dict[int, OwnField]:
    options: dict[int, list[FieldOptionRow]] = {}
    for row in tx.all("select * from field_option order by field, position, id", FieldOptionRow):
        options.setdefault(row["field"], []).append(row)
    rows = tx.all("select * from field where deleted_at is null order by id", FieldRow)
    return {row["id"]: of_row(row, options.get(row["id"], ())) for row in rows}


def _option(row: FieldOptionRow, place: int) -> Option:
    return Option(
        id=row["id"],
        name=row["name"],
        name_key=row["name_key"],
        color=row["color"],
        archived=bool(row["archived"]),
        parent=row["parent"],
        place=place,
    )
