"""What the query language can ask for: each module says which of its things, and how their fields read in SQL.

A module declares a `QuerySource` for its own things, `QueryFields` for what it knows of things of another source, and
a `QueryCollection` where its things are parts of issues. The language loops over them and knows no table by name.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from kbwork.base.dataclasses import dataclass, field
from kbwork.base.text import folded
from kbwork.core.ports.extension import Extension
from kbwork.db.tx import Read
from kbwork.tql.fields import FieldDef
from kbwork.tql.names import NamedThing, OwnFieldDef

DEPTH = 12
"""So far up and down a hierarchy is looked."""


@dataclass(frozen=True, slots=True)
class Rows:
    """SQL for the values of something. `expr` is one value, null where it is missing.

    Without `tables` it is about the row at hand. With them there is one value for each of their rows for which
    `inner = outer` and `where` hold; `outer` is about the row at hand, all else is not. `order`: which comes first.
    """

    expr: str
    tables: str = ""
    outer: str = ""
    inner: str = ""
    where: str = "1"
    order: str = ""


class QueryFrame(Protocol):
    """The statement that is being made."""

    tx: Read
    as_of: int | None
    """The instant that is looked back to, in Unix seconds."""
    aside: bool
    """Side tables are looked at first, and not once for each candidate."""

    @property
    def today(self) -> str:
        """The present day where the caller is, as the tables write days."""

    def row(self, letter: str) -> str:
        """A name for a row that no other has."""

    def bind(self, value: Any) -> str:
        """A value as the statement names it."""

    def among(self, expr: str, values: list[Any]) -> str:
        """The condition that the expression is one of these."""

    def seen(self, source: str, row: str) -> str:
        """The condition that the caller sees this row of a source."""

    def field(self, source: str, row: str, name: str) -> Rows:
        """A field of the row, as it was at the instant that is looked back to."""

    def some(self, rows: Rows, test: Callable[[str], str], *, aside: bool | None = None) -> str:
        """The condition that one of the values passes the test, which makes one of an expression."""


ColumnSql = Callable[[QueryFrame, str], Rows]
"""Makes a field of the row of this name."""
FlagSql = Callable[[QueryFrame, str], str]
"""Makes a condition on the row of this name."""


@dataclass(frozen=True, slots=True)
class TextColumn:
    """Where texts stand: the id of what has them, the text, and the rows.

    `rows` names the row of the source as the source's own condition of sight does, which is added. `index`: the column
    in the index of words, the id there, and which kind of thing has it; None where there is none. `order`: of several
    texts of one thing. `scope`: what the caller needs to read them, beside that of the source.
    """

    ident: str
    text: str
    rows: str
    where: str = "1"
    index: tuple[str, str, str] | None = None
    binds: Mapping[str, Any] = field(default_factory=dict)
    order: str = ""
    scope: str = ""


@dataclass(frozen=True, kw_only=True)
class QueryField:
    """A field. A text as `sql` is an expression over `{row}`; a field of texts alone has none.

    `texts`: several are read together. Unless they are given, a column that holds a text is one.
    """

    field: FieldDef
    sql: str | ColumnSql | None = None
    step: str = ""
    """Where a path goes on, unless along `sql`: it need not look whether the far end is seen."""
    texts: tuple[TextColumn, ...] = ()
    history: str = ""
    """The name of its history, where spells of it are kept."""
    certain: bool = False
    """It is never missing."""
    counted: str = ""
    """A quick count of what has the value `:id`, which may stop at `:few`."""
    order: str = ""
    """What is sorted by, over `{0}`, the value, where it is not the value itself."""
    sorted_by: tuple[str, ...] = ()
    """What is sorted by in its place, over `{row}`; never missing."""
    scope: str = ""
    """What the caller needs to ask for it, beside that of the source."""

    @property
    def name(self) -> str:
        return self.field.name


@dataclass(frozen=True, kw_only=True)
class OwnQueryField(QueryField):
    """A field that the org made; `field.name` is `cf.<key>`."""

    own: OwnFieldDef


def own_field(own: OwnFieldDef, *, module: str = "", **more: Any) -> OwnQueryField:
    """The field of a definition; `more` is what a QueryField has beside."""
    field = FieldDef(
        f"cf.{own.key}", own.kind, own.many, own.domain, own.to, tracked=own.tracked, module=module
    )
    return OwnQueryField(field=field, own=own, **more)


def listed_by_name(table: str) -> ColumnSql:
    """Rows of this table that an issue has, by `issue_<table>`, as they are called."""

    def make(frame: QueryFrame, row: str) -> Rows:
        side = frame.row("u")
        order = f"(select name_key from {table} where id = {side}.{table}), {side}.{table}"
        return Rows(f"{side}.{table}", f"issue_{table} {side}", f"{row}.id", f"{side}.issue", order=order)

    return make


@dataclass(frozen=True, kw_only=True)
class QuerySource(Extension):
    """Things that can be asked for. `seen` is the condition on the row called `row` that the caller sees it, or makes
    that of the registry, where other kinds of things have a part in it."""

    name: str
    table: str
    row: str
    seen: str | Callable[[Any], str]
    scope: str
    fields: tuple[QueryField, ...]
    module: str = ""
    """Comes with this module, which may be off; empty: always there."""
    flags: Mapping[str, str | FlagSql] = field(default_factory=dict)
    """Words that are a condition by themselves; as a text over `{row}` and `{today}`."""
    asked: bool = True
    """It stands behind `from`; others are what a path or a collection leads to."""
    defaults: str = ""
    """The fields that are told where none are selected."""
    ident: str = "{row}.id"
    """What its rows are known by."""
    found: str = ""
    """The tables that give the rows known by `:ids`, where its own would be read from end to end."""
    key: str = "{row}.id"
    """What references to its things hold."""
    subject: str = ""
    """What its things are called as subjects: a kind with the column that holds the rest, `project:key`."""
    domain: str = ""
    """Whose names are keys of its things."""
    relations: Mapping[str, ColumnSql] = field(default_factory=dict)
    """Relations between two of its things: the far ends of a row."""
    depth: int = 0
    """So many levels they stand below each other, each by its `parent`; 0: they make no tree."""
    live: str = ""
    """The condition on what is not put aside, over `{row}`, which holds where the text does not speak of that."""
    own: Callable[[Read], Iterable[OwnQueryField]] | None = None
    """The fields that the org made for its things, as the caller sees them."""
    deleted: Callable[[Read], Sequence[OwnFieldDef]] | None = None
    """Those that were deleted and that the caller saw."""


@dataclass(frozen=True, kw_only=True)
class QueryFields(Extension):
    """Fields that a module adds to the things of another."""

    source: str
    fields: tuple[QueryField, ...]


@dataclass(frozen=True, kw_only=True)
class QueryNamed(Extension):
    """How texts name the things of a source."""

    source: str
    needles: Callable[[Read, int], Iterable[str]]
    """Words of which a text has some that names this one."""
    named: Callable[[Read, str], Iterable[int]]
    """Those that a text names, seen or not."""


@dataclass(frozen=True, kw_only=True)
class QueryMentions(Extension):
    """Which things of another source the texts of a source name, where that is kept."""

    source: str
    to: str
    named: Callable[[Read, list[int]], Mapping[int, Sequence[int]]]
    """What each of these names."""
    naming: Callable[[Read, list[int]], Iterable[int]]
    """Those that name one of these."""


def relations_of(source: QuerySource, mentions: Iterable[QueryMentions]) -> tuple[str, ...]:
    """The relations that a text about this source may name, beside those of issues."""
    kept = any(one.source == source.name for one in mentions)
    return (
        *source.relations,
        *(("mentions", "mentioned in") if kept else ()),
        *(("under", "above") if source.depth else ()),
    )


@dataclass(frozen=True, kw_only=True)
class QueryCollection(Extension):
    """Things of `source` that are parts of an issue, over `{row}`, the issue, and `{part}`."""

    name: str
    source: str
    tables: str
    link: str
    """What makes it a part of the issue."""
    order: str
    sided: tuple[str, str] | None = None
    """Where the parts may be looked for first: their tables then, and the column that holds the issue."""


@dataclass(frozen=True, kw_only=True)
class QueryDomain(Extension):
    """Names of one sort: of people, lanes, labels. Behind a colon stands which of several such: `field:region`."""

    name: str
    some: Callable[[Read, str], Iterable[NamedThing]]
    """All that the caller sees, or the latest of very many; given what stands behind the colon."""
    begins: Callable[[Read, str], list[NamedThing]] | None = None
    """Those that a text may mean, where `some` does not hold all."""
    scopes: frozenset[str] = frozenset({"issues:read", "projects:read"})
    """One of these tells such names: those of what issues hold are told with the issues."""
    seldom: bool = False
    """They rest on tables that decide who sees what, and so are kept until one of them changes."""
    same: bool = False
    """They are the same for all members of the org."""
    shown: Callable[[Read, str, str], Any] | None = None
    """How one is answered, by its id; itself unless given."""
    ranks: Callable[[Read, str], Mapping[str, Any]] | None = None
    """What they sort by, by id."""


@dataclass(frozen=True, slots=True)
class TableNames:
    """What rows of a table are called by one of its columns, seen or not: to be answered, and to sort as they read."""

    table: str
    column: str = "name"

    def shown(self, tx: Read, _rest: str, ident: str) -> str | None:
        return self._all(tx).get(ident)

    def ranks(self, tx: Read, _rest: str) -> dict[str, tuple[int, float, str]]:
        return {ident: (0, 0, folded(name)) for ident, name in self._all(tx).items()}

    def _all(self, tx: Read) -> dict[str, str]:
        known: dict[str, str] = tx.memoized(
            ("tql column", self.table, self.column),
            lambda: {
                str(row["id"]): row["name"]
                for row in tx.all(f"select id, {self.column} as name from {self.table}")
            },
        )
        return known


def by_place(idents: Iterable[Any]) -> dict[str, tuple[int, float, str]]:
    """Ranks of things that have an order."""
    return {str(ident): (0, at, "") for at, ident in enumerate(idents)}


@dataclass(frozen=True, kw_only=True)
class QueryFunction(Extension):
    """What a function of the language gives; `call` takes its arguments, of which each is one value or a tuple."""

    name: str
    call: Callable[..., Sequence[Any]]
    scope: str = ""
    """What it needs that looks into another source."""


def several(value: Any) -> Sequence[str]:
    """An argument that may be one value or some."""
    return value if isinstance(value, tuple | list) else (value,)
