"""Renders `rows.py`: a class for the rows of each table, and what `Read.stored` answers for each."""

import keyword
import re
from collections.abc import Iterator

import apsw

from kbwork.db.migrate import migrated

_TYPES = {"INTEGER": "int", "TEXT": "str", "REAL": "float", "BLOB": "bytes", "ANY": "Any"}
_ONE_OF = re.compile(r"check \((\w+) in \(([^)]*)\)\)")
_HEAD = '''"""Rows as the tables have them. Made by `kbwork contract` from the migrations."""

# mypy: disable-error-code="overload-overlap"

from typing import TYPE_CHECKING, Any, Literal, Protocol, TypedDict, overload

'''
_STORED = '''
if TYPE_CHECKING:

    class StoredRow(Protocol):
        """Finds the row with a key: `Read.stored`."""

'''
"""Two hundred ways to call one function take 5 ms, and nobody but the type checker asks for them."""


def row_class(table: str) -> str:
    """`label` -> `LabelRow`."""
    return "".join(map(str.capitalize, table.split("_"))) + "Row"


def rows() -> str:
    """What `rows.py` holds."""
    connection = migrated()
    try:
        tables = list(
            connection.execute(
                "select l.name, m.sql from pragma_table_list l"
                " join sqlite_schema m on m.type = 'table' and m.name = l.name"
                " where l.schema = 'main' and l.type = 'table' and l.name not like 'sqlite_%' order by l.name"
            )
        )
        classes = [_class(name, list(_columns(connection, name, sql))) for name, sql in tables]
    finally:
        connection.close()
    finds = [_overload(f'Literal["{name}"]', row_class(name)) for name, _ in tables]
    return _HEAD + "".join(classes) + _STORED + "".join(finds) + _overload("str", "dict[str, Any]")


def _columns(connection: apsw.Connection, table: str, sql: str) -> Iterator[tuple[str, str]]:
    """(name, type in Python) of each column."""
    among = {column: values.replace("'", '"') for column, values in _ONE_OF.findall(sql)}
    for name, kind, needed, key in connection.execute(
        'select name, type, "notnull", pk from pragma_table_xinfo(?) order by cid', (table,)
    ):
        held = f"Literal[{among[name]}]" if name in among else _TYPES[kind.upper()]
        yield name, held if needed or key or held == "Any" else f"{held} | None"


def _class(table: str, columns: list[tuple[str, str]]) -> str:
    if any(keyword.iskeyword(name) for name, _ in columns):
        members = "".join(f'    "{name}": {kind},\n' for name, kind in columns)
        return f'\n{row_class(table)} = TypedDict("{row_class(table)}", {{\n{members}}})\n'
    return f"\nclass {row_class(table)}(TypedDict):\n" + "".join(
        f"    {name}: {kind}\n" for name, kind in columns
    )


def _overload(table: str, row: str) -> str:
    return f"        @overload\n        def __call__(self, table: {table}, place: list[Any]) -> {row} | None: ...\n"
