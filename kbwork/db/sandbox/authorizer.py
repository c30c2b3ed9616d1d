"""What SQL of others may do: read the view of the events, use JSON and functions that only compute."""

import apsw

from kbwork.db.sandbox.guest import COLUMNS, HIDDEN, VIEW

_READABLE = frozenset({*COLUMNS, HIDDEN})
_JSON_TABLES = frozenset({"json_each", "json_tree"})
_OURS = ("sqlite_", "pragma_")
FUNCTIONS = frozenset(
    [
        "->",
        "->>",
        "abs",
        "acos",
        "acosh",
        "asin",
        "asinh",
        "atan",
        "atan2",
        "atanh",
        "avg",
        "ceil",
        "ceiling",
        "char",
        "coalesce",
        "concat",
        "concat_ws",
        "cos",
        "cosh",
        "count",
        "cume_dist",
        "current_date",
        "current_time",
        "current_timestamp",
        "date",
        "datetime",
        "degrees",
        "dense_rank",
        "exp",
        "first_value",
        "floor",
        "format",
        "glob",
        "group_concat",
        "hex",
        "if",
        "ifnull",
        "iif",
        "instr",
        "json",
        "json_array",
        "json_array_insert",
        "json_array_length",
        "json_error_position",
        "json_extract",
        "json_group_array",
        "json_group_object",
        "json_insert",
        "json_object",
        "json_patch",
        "json_pretty",
        "json_quote",
        "json_remove",
        "json_replace",
        "json_set",
        "json_type",
        "json_valid",
        "julianday",
        "lag",
        "last_value",
        "lead",
        "length",
        "like",
        "likelihood",
        "likely",
        "ln",
        "log",
        "log10",
        "log2",
        "lower",
        "ltrim",
        "max",
        "median",
        "min",
        "mod",
        "nth_value",
        "ntile",
        "nullif",
        "octet_length",
        "percent_rank",
        "percentile",
        "percentile_cont",
        "percentile_disc",
        "pi",
        "pow",
        "power",
        "printf",
        "quote",
        "radians",
        "random",
        "rank",
        "replace",
        "round",
        "row_number",
        "rtrim",
        "sign",
        "sin",
        "sinh",
        "sqrt",
        "strftime",
        "string_agg",
        "substr",
        "substring",
        "sum",
        "tan",
        "tanh",
        "time",
        "timediff",
        "total",
        "trim",
        "trunc",
        "typeof",
        "unhex",
        "unicode",
        "unixepoch",
        "unlikely",
        "upper",
    ]
)
"""Those that read nothing but their arguments and make nothing out of nothing, as `zeroblob` does."""
_WORDS = {
    apsw.SQLITE_ATTACH: "ATTACH",
    apsw.SQLITE_DETACH: "DETACH",
    apsw.SQLITE_PRAGMA: "PRAGMA",
    apsw.SQLITE_INSERT: "INSERT",
    apsw.SQLITE_UPDATE: "UPDATE",
    apsw.SQLITE_DELETE: "DELETE",
    apsw.SQLITE_TRANSACTION: "a transaction",
    apsw.SQLITE_SAVEPOINT: "a savepoint",
    apsw.SQLITE_ANALYZE: "ANALYZE",
    apsw.SQLITE_REINDEX: "REINDEX",
}
_ONE_SELECT = "one SELECT over the table events runs here"


class Authorizer:
    """Asked by SQLite while it compiles; keeps in words what it refused first."""

    def __init__(self, connection: apsw.Connection, schema: str) -> None:
        self._schema = schema
        tables = connection.execute(f"select lower(name) from {schema}.sqlite_schema where name is not null")
        modules = connection.execute("select lower(name) from pragma_module_list")
        self._real = {name for rows in (tables, modules) for (name,) in rows} - _JSON_TABLES
        self.refused: str | None = None

    def __call__(
        self, action: int, first: str | None, second: str | None, database: str | None, source: str | None
    ) -> int:
        refused = self._refusal(action, first or "", second or "", database, source)
        if refused is None:
            return apsw.SQLITE_OK
        self.refused = self.refused or refused
        return apsw.SQLITE_DENY

    def _refusal(
        self, action: int, first: str, second: str, database: str | None, source: str | None
    ) -> str | None:
        if action in (apsw.SQLITE_SELECT, apsw.SQLITE_RECURSIVE):
            return None
        if action == apsw.SQLITE_FUNCTION:
            return None if second.lower() in FUNCTIONS else f"the function {second} does not run here"
        if action == apsw.SQLITE_READ:
            if self._may_read(first.lower(), second.lower(), database, source):
                return None
            return f"{first} cannot be read here: the one table is events({', '.join(COLUMNS)})"
        return f"{_WORDS.get(action, 'this')} does not run here: {_ONE_SELECT}"

    def _may_read(self, table: str, column: str, database: str | None, source: str | None) -> bool:
        """A table of the file is read through the view alone: so it names the columns, and is the source.

        SQLite says neither column nor database where a table is counted or merely joined, nor does it where a name is
        one that the query gave to a part of itself: what is so called in the file, or is a module, is no such part. Of
        the view it says columns always, so that it would be refused if it were not there.
        """
        if database == self._schema:
            return table == VIEW and column in _READABLE and source == VIEW
        if table in _JSON_TABLES:
            return True
        if column:
            return table == VIEW and database == "temp"
        return table not in self._real and not table.startswith(_OURS)
