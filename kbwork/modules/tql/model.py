"""The words of the query language's answers."""

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict


class TqlColumn(TypedDict):
    """One column of a result; `kind` is what its cells hold: text, name, person, number, duration, time, day, key."""

    name: str
    """What the query calls it."""
    kind: str
    """What its cells hold: text, name, person, number, duration, time, day, key and the like."""
    title: str
    """What people read above it."""
    note: NotRequired[str]
    """Something to know about its figures."""


class TqlResult(TypedDict):
    """Rows as lists of cells. `total` is null above 10,000 rows; `hidden` counts what admins do not see."""

    columns: list[TqlColumn]
    """What the cells of a row are, in order."""
    rows: list[list[Any]]
    """Rows of this page, each a list of cells."""
    subjects: list[str] | None
    """What each row is about, such as `issue:12`; null: rows are groups."""
    total: int | None
    """Rows of all pages; null above 10,000."""
    more: bool
    """Whether there are rows behind this page."""
    next: str | None
    """What to pass as `cursor` for the next page; null: this is the last."""
    hidden: int
    """Rows that fit and that the caller does not see; told to admins alone, else 0."""
    tql: str
    """The query in its tidy form."""
    ms: int
    """How long it took in milliseconds, in steps of 100."""
    notices: list[str]
    """What changed since the text was written, in words."""


TqlSuggestion = TypedDict(
    "TqlSuggestion",
    {
        "replace": Annotated[str, Field(description="Characters of the text to replace.")],
        "with": Annotated[str, Field(description="What to put there.")],
        "note": Annotated[str, Field(description="Why, in words.")],
    },
)


class TqlFault(TypedDict):
    """One thing that is wrong: where, why, what could stand there and what to write instead."""

    position: int
    """Where it begins: characters from the beginning, from 0."""
    length: int
    """Characters that it covers."""
    line: int
    """Line where it begins, from 1."""
    column: int
    """Character of that line, from 1."""
    message: str
    """What is wrong, in words."""
    expected: list[str]
    """What could stand there."""
    suggestions: list[TqlSuggestion]
    """What to write instead."""


class TqlChecked(TypedDict):
    """`tree` and `normal` are there where nothing is wrong."""

    ok: bool
    """Whether it can be run."""
    errors: list[TqlFault]
    """What is wrong, five at most."""
    tree: dict[str, Any] | None
    """How the text is read, as nested conditions; null: something is wrong."""
    normal: str | None
    """The text in its tidy form; null: something is wrong."""
    notices: list[str]
    """What changed since the text was written, in words."""


Proposed = Literal[
    "field", "value", "operator", "keyword", "flag", "relation", "collection", "function", "source"
]
TqlCompletion = TypedDict(
    "TqlCompletion",
    {
        "insert": Annotated[str, Field(description="What to put between `from` and `to`.")],
        "label": Annotated[str, Field(description="What to show of it.")],
        "kind": Annotated[Proposed, Field(description="Sort of proposal.")],
        "detail": Annotated[str | None, Field(description="A word more about it; null: none.")],
        "from": Annotated[int, Field(description="First character to replace, counted from 0.")],
        "to": Annotated[int, Field(description="The character behind the last one to replace.")],
    },
)


class TqlField(TypedDict):
    """A field that texts over a source may name; `values` where there is a list of them."""

    name: str
    """What to write for it."""
    kind: str
    """What it holds."""
    operators: list[str]
    """Operators that it takes."""
    functions: list[str]
    """Functions that give values for it."""
    values: NotRequired[list[str]]
    """Names that may be written for it, the most used first, fifty at most."""
    custom: bool
    """Whether the org made it."""


class TqlPart(TypedDict):
    """One condition: how it is looked up, how many rows it leaves, and whether the issue that was named fits."""

    part: str
    """The condition as it is written."""
    index: str
    """How it is looked up."""
    rows: int | None
    """Rows that it leaves by itself, to 10,000; null: counting took too long."""
    matched: NotRequired[bool]
    """Whether it holds for the issue that was named."""


class TqlExplained(TypedDict):
    text: str
    """What the query means, in plain words."""
    parts: list[TqlPart]
    """Its conditions."""
    sql: str | None
    """What the database is asked; null for who is no admin."""


class TqlCount(TypedDict):
    count: int
    """Rows that it finds, or groups where it groups."""


class TqlTranslated(TypedDict):
    """`notes` say what could not be carried over."""

    tql: str
    """The text in the query language."""
    notes: list[str]
    """What could not be carried over, in words."""
