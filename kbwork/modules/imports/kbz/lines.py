"""The rows of a project of a data file as lines of an archive: what manifests declare, and hooks tell."""

import json
from collections.abc import Callable, Iterator
from functools import cache, partial
from operator import itemgetter
from typing import Any

from kbwork.core.ports.archive import ArchivedLine, ArchivedList, ArchiveHook, Ref
from kbwork.db.rows import ProjectRow
from kbwork.db.tx import Read, Row, json_array
from kbwork.modules.imports.kbz.manifest import Column, LineShape, columns
from kbwork.modules.imports.kbz.portable_names import PortableNames

Line = dict[str, Any]
_Teller = tuple[str, Callable[[Row], Any]]
_AT_ONCE = 200
_NOTHING = object()
"""What a column refers to is gone, and it is never empty."""


class LineWriter:
    """Of one project."""

    def __init__(self, tx: Read, project: ProjectRow, names: PortableNames) -> None:
        self._tx = tx
        self._project = project
        self._names = names
        hooks: list[ArchiveHook] = tx.registry.of(ArchiveHook)
        self._hooks = {(one.line, one.name): one for one in hooks}

    def lines(self, shape: LineShape) -> Iterator[Line]:
        """The lines of one member of the file."""
        tellers = self._tellers(shape.line, shape.line.file)
        for rows in self._some(shape):
            ids = [row["id"] for row in rows]
            beside = {name: self._beside(shape, name, ids) for name in self._composed(shape)}
            for row in rows:
                line = _line(tellers, row)
                if line is not None:
                    line |= {name: found(row["id"]) for name, found in beside.items()}
                    yield _grouped(line, shape.members)

    def _some(self, shape: LineShape) -> Iterator[list[Row]]:
        if shape.line.once:
            yield self._tx.all(shape.line.once, project=self._project["id"])
        after = 0
        while shape.line.each and (
            issues := self._tx.column(
                "select id from issue where project = :project and id > :after and deleted_at is null"
                " order by id limit :most",
                project=self._project["id"],
                after=after,
                most=_AT_ONCE,
            )
        ):
            yield self._tx.all(shape.line.each, ids=json_array(issues))
            after = issues[-1]

    def _composed(self, shape: LineShape) -> list[str]:
        """The members that are read for many rows at once."""
        gathered = {one.name for one in self._hooks.values() if one.line == shape.line.file and one.gathered}
        return [name for name in shape.members if name in shape.lists or name in gathered]

    def _beside(self, shape: LineShape, name: str, ids: list[int]) -> Callable[[int], Any]:
        """What answers a list, or another value, of each of these rows; it is read for all of them at once.

        Names are told row by row: people stand in the file in the order in which they are named.
        """
        hook = self._hooks.get((shape.line.file, name))
        if hook is not None and (gathered := hook.gathered) is not None:
            all_of_them = cache(lambda: gathered(self._names, ids))
            return lambda ident: all_of_them().get(ident, [])
        declared, by = shape.lists[name], shape.hung_by(shape.lists[name])
        told, subject = self._telling(declared, hook), shape.subject(declared)
        ids_of = f"select '{subject}' || value" if subject else "select value"
        hung = f"{by} in ({ids_of} from json_each(:ids)) and" if by else ""
        rows: dict[Any, list[Row]] = {}
        for row in self._tx.all(
            f"select {declared.select} from {declared.table} where {hung} ({declared.where})"
            f" order by {', '.join(filter(None, (by, declared.order)))}",
            ids=json_array(ids),
            project=self._project["id"],
        ):
            rows.setdefault(row[by] if by else ids[0], []).append(row)

        def of(ident: int) -> list[Any]:
            held = rows.get(f"{subject}{ident}" if subject else ident, ())
            return [one for row in held if (one := told(row)) is not None]

        return of

    def _telling(self, declared: ArchivedList, hook: ArchiveHook | None) -> Callable[[Row], Any]:
        """How a row becomes an element."""
        if hook is not None and (told := hook.told) is not None:
            return lambda row: told(self._names, row)
        tellers = self._tellers(declared)
        if declared.bare:
            return lambda row: next(iter((_line(tellers, row) or {}).values()), None)
        return lambda row: _line(tellers, row)

    def _tellers(self, declared: ArchivedLine | ArchivedList, file: str = "") -> list[_Teller]:
        found = []
        for column in columns(declared):
            hook = self._hooks.get((file, column.name))
            if hook is None:
                found.append((column.name, self._teller(column)))
            elif hook.told is not None:
                found.append((column.name, partial(hook.told, self._names)))
        return found

    def _teller(self, column: Column) -> Callable[[Row], Any]:
        name = column.name
        if column.ref is None:
            return (lambda row: bool(row[name])) if column.flag else itemgetter(name)
        if column.ref.sort == "home":
            return lambda _: self._project["key"]
        convert = self._converter(column, column.ref)
        if column.optional:
            return lambda row: None if row[name] is None else convert(row[name])
        return lambda row: _NOTHING if (value := convert(row[name])) is None else value

    def _converter(self, column: Column, ref: Ref) -> Callable[[Any], Any]:
        """How what a column refers to is called; None for what is gone."""
        names = self._names
        if ref.sort == "person" and not column.optional:
            return names.by
        if ref.sort == "named":
            return lambda ident: names.named(ref.table, ident, ref.column)
        found: dict[str, Callable[[Any], Any]] = {
            "person": names.who,
            "member": names.who,
            "doer": names.who,
            "author": lambda who: names.who(who) or "",
            "issue": names.issue,
            "peopled": lambda text: names.told(json.loads(text)),
            "json": lambda text: json.loads(text) if text else None,
        }
        return found[ref.sort]


def _line(tellers: list[_Teller], row: Row) -> Line | None:
    """A row as a line or element; None where what it refers to is gone."""
    line = {name: tell(row) for name, tell in tellers}
    return None if _NOTHING in line.values() else line


def _grouped(line: Line, members: list[str]) -> Line:
    """The members in their order; those that belong to a group in it."""
    found: Line = {}
    for name in members:
        group, _, member = name.rpartition(".")
        (found.setdefault(group, {}) if group else found)[member] = line[name]
    return found
