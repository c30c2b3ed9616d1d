"""The SQL that the code hands to a transaction, and the columns that it names, read off the sources."""

import ast
import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, get_type_hints

import apsw
import apsw.ext

from kbwork.db import rows
from kbwork.db.migrate import migrated
from kbwork.db.row_classes import row_class
from tests.house.structure import File, House

READS = {"one", "all"}
_TRANSACTIONS = {"tx", "out"}
"""What functions of the same names are given first: `queries.one(tx, 3)`."""


@dataclass(frozen=True)
class TypedRead:
    """A read that names the class of its rows."""

    place: str
    sql: list[str]
    """As it may be: what only a running function knows stands as `1`, or is left out, or all behind `where` is, which
    decides on no column."""
    of: type
    """The class."""


@dataclass(frozen=True)
class TableWrite:
    """A row that is inserted or updated by the names of its columns."""

    place: str
    verb: str
    table: str
    columns: frozenset[str]
    open: bool
    """Some of the columns are known only when the code runs."""


def typed_reads(house: House) -> Iterator[TypedRead]:
    for file in house.files:
        for call in _calls(file, READS):
            if len(call.args) == 2 and ast.unparse(call.args[0]) not in _TRANSACTIONS:
                known = _known(file)
                of = _value(call.args[1], known)
                yield TypedRead(f"{file.name}:{call.lineno}", _texts(call.args[0], known), of)


def table_writes(house: House) -> Iterator[TableWrite]:
    for file in house.files:
        for call in _calls(file, {"insert", "update"}):
            if call.args and isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str):
                names = [keyword.arg for keyword in call.keywords]
                yield TableWrite(
                    f"{file.name}:{call.lineno}",
                    ast.unparse(call.func).rpartition(".")[2],
                    call.args[0].value,
                    frozenset(name for name in names if name),
                    None in names,
                )


class Tables:
    """What the schema says."""

    def __init__(self) -> None:
        self._connection = migrated()

    def columns(self, table: str) -> set[str]:
        """Those that can be written."""
        return self._named(table, "hidden = 0")

    def needed(self, table: str) -> set[str]:
        """Those that a new row has to be given; an integer that is the whole key is counted by SQLite."""
        counted = "(select lower(group_concat(type)) from pragma_table_xinfo(:table) where pk) = 'integer'"
        return self._named(
            table, f'hidden = 0 and dflt_value is null and ("notnull" or pk) and not (pk and {counted})'
        )

    def _named(self, table: str, which: str) -> set[str]:
        sql = f"select name from pragma_table_xinfo(:table) where {which}"
        return {name for (name,) in self._connection.execute(sql, {"table": table})}

    def fault(self, read: TypedRead) -> str | None:
        """What makes the class of a read a wrong one."""
        for sql in read.sql:
            try:
                info: Any = apsw.ext.query_info(self._connection, sql)
            except apsw.SQLError:
                continue
            hints, names = get_type_hints(read.of), [part[0] for part in info.description]
            if list(hints) != names:
                return f"{read.of.__name__} has other columns than {names}"
            missing = set(re.findall(r"left join (\w+)", sql))
            for name, (_, _, _, table, origin) in zip(names, info.description_full, strict=True):
                held = get_type_hints(getattr(rows, row_class(table)))[origin] if table else hints[name]
                if hints[name] != (held | None if table in missing else held):
                    return f"{read.of.__name__} has {name} as {hints[name]}"
            return None
        return f"cannot be read: {read.sql}"


def _calls(file: File, verbs: set[str]) -> Iterator[ast.Call]:
    for node in ast.walk(file.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in verbs:
            yield node


def _known(file: File) -> dict[str, Any]:
    """What the top of a file names."""
    name = file.name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return vars(importlib.import_module(f"kbwork.{name}"))


def _value(node: ast.expr, known: dict[str, Any]) -> Any:
    return eval(compile(ast.Expression(node), "", "eval"), dict(known))  # the house's own code


def _texts(node: ast.expr, known: dict[str, Any]) -> list[str]:
    texts = [_text(node, known, unknown) for unknown in ("1", "")]
    return [*texts, texts[0].partition(" where ")[0]]


def _text(node: ast.expr, known: dict[str, Any], unknown: str) -> str:
    """A text as the top of its file makes it, with something for what a function has to say."""
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part, known, unknown) for part in node.values)
    if isinstance(node, ast.FormattedValue):
        return _text(node.value, known, unknown)
    if isinstance(node, ast.BinOp):
        return _text(node.left, known, unknown) + _text(node.right, known, unknown)
    if isinstance(node, ast.IfExp):
        return _text(node.body, known, unknown)
    try:
        return str(_value(node, known))
    except NameError:
        return unknown
