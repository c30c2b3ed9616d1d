"""Which thing a stored row is of: undo asks it for rows that it sets back, and purging for those that go."""

from collections.abc import Iterable
from typing import Any

from kbwork.base.dataclasses import dataclass, field
from kbwork.core.access import visibility
from kbwork.core.things.thing import Thing
from kbwork.db.tx import Read, Row


@dataclass(frozen=True, slots=True)
class RowSubjects:
    """The subjects that a row is of, the first of them before all, and those that such a one hangs on."""

    of: tuple[str, ...] = ()
    near: tuple[str, ...] = ()

    @property
    def all(self) -> frozenset[str]:
        return frozenset((*self.of, *self.near))


NOTHING = RowSubjects()
Image = tuple[str, list[Any], Row | None, Row | None]
"""(table, key, before, after) of a row."""


@dataclass(slots=True)
class TableSubjects:
    """How rows of a table are named: the kind and the columns with its number (none: the first of the key), the column
    with the subject on which it hangs, and (kind, column) of others that it is part of."""

    kind: str
    columns: tuple[str, ...] = ()
    hangs_by: str | None = None
    besides: list[tuple[str, str]] = field(default_factory=list)

    @property
    def by_key(self) -> bool:
        """Whether the first of the key says all."""
        return not (self.columns or self.hangs_by or self.besides)


def subjects_of_row(tx: Read, table: str, place: list[Any], sides: Iterable[Row | None]) -> RowSubjects:
    """`place` is the row's key, `sides` are the row as it is or was, as far as that is known."""
    known = _tables(tx).get(table)
    if known is None:
        return NOTHING
    rows = [tx.place(table, place), *(row for row in sides if row is not None)]
    if not known.columns:
        found = [f"{known.kind}:{place[0]}"]
    else:
        found = [f"{known.kind}:{ref}" for column in known.columns for ref in _held(rows, column)]
    near = [str(one) for one in _held(rows, known.hangs_by)] if known.hangs_by else []
    near += [f"{kind}:{ref}" for kind, column in known.besides for ref in _held(rows, column)]
    return RowSubjects(tuple(dict.fromkeys(found)), tuple(dict.fromkeys(near)))


def subjects_of_rows(tx: Read, images: Iterable[Image]) -> frozenset[str]:
    """All things that the rows of a change are of, or hang on."""
    found: set[str] = set()
    for table, place, before, after in images:
        known = _tables(tx).get(table)
        if known is None:
            continue
        if known.by_key:
            found.add(f"{known.kind}:{place[0]}")
            continue
        now = tx.stored(table, place) if before is not None and after is not None else None
        found |= subjects_of_row(tx, table, place, (now, before, after)).all
    return frozenset(found)


def own_subject(tx: Read, table: str, place: list[Any]) -> str | None:
    """The thing that this row is, where it is one that goes to the trash."""
    known = _tables(tx).get(table)
    if known is None or known.columns or table not in visibility.things(tx)[known.kind].trashed:
        return None
    return f"{known.kind}:{place[0]}"


def _held(rows: list[Row], column: str) -> list[Any]:
    return [row[column] for row in rows if row.get(column) is not None]


def tables(kinds: Iterable[Thing]) -> dict[str, TableSubjects]:
    """How the rows of each table are named, as the kinds of subjects declare it."""
    kinds = list(kinds)
    found: dict[str, TableSubjects] = {}
    for kind in kinds:
        for table, tracked in kind.tracked.items():
            found[table] = TableSubjects(
                tracked.subject, hangs_by=kind.hangs_by if table in kind.trashed else None
            )
    for kind in kinds:
        for table, columns in kind.parts.items():
            if table in found:
                found[table].besides += [(kind.name, column) for column in columns]
            else:
                found[table] = TableSubjects(kind.name, columns)
    return found


def _tables(tx: Read) -> dict[str, TableSubjects]:
    found: dict[str, TableSubjects] = tx.registry.named
    return found
