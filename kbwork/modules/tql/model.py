"""The words of the query language's answers."""

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict


class TqlColumn(TypedDict):
    """One column of a result; `kind` is what its cells hold: text, name, person, number, duration, time, day, key."""

    name: str
    kind: str
    title: str
    note: NotRequired[str]
    """Something to know about its figures."""


class TqlResult(TypedDict):
    """Rows as lists of cells. `total` is null above 10,000 rows; `hidden` counts what admins do not see."""

    columns: list[TqlColumn]
    rows: list[list[Any]]
    subjects: list[str] | None
    total: int | None
    more: bool
    next: str | None
    hidden: int
    tql: str
    ms: int
    notices: list[str]


TqlSuggestion = TypedDict("TqlSuggestion", {"replace": str, "with": str, "note": str})


class TqlFault(TypedDict):
    """One thing that is wrong: where, why, what could stand there and what to write instead."""

    position: int
    length: int
    line: int
    column: int
    message: str
    expected: list[str]
    suggestions: list[TqlSuggestion]


class TqlChecked(TypedDict):
    """`tree` and `normal` are there where nothing is wrong."""

    ok: bool
    errors: list[TqlFault]
    tree: dict[str, Any] | None
    normal: str | None
    notices: list[str]


Proposed = Literal[
    "field", "value", "operator", "keyword", "flag", "relation", "collection", "function", "source"
]
TqlCompletion = TypedDict(
    "TqlCompletion",
    {"insert": str, "label": str, "kind": Proposed, "detail": str | None, "from": int, "to": int},
)


class TqlField(TypedDict):
    """A field that texts over a source may name; `values` where there is a list of them."""

    name: str
    kind: str
    operators: list[str]
    functions: list[str]
    values: NotRequired[list[str]]
    custom: bool


class TqlPart(TypedDict):
    """One condition: how it is looked up, how many rows it leaves, and whether the issue that was named fits."""

    part: str
    index: str
    rows: int | None
    matched: NotRequired[bool]


class TqlExplained(TypedDict):
    text: str
    parts: list[TqlPart]
    sql: str | None


class TqlCount(TypedDict):
    count: int


class TqlTranslated(TypedDict):
    """`notes` say what could not be carried over."""

    tql: str
    notes: list[str]
