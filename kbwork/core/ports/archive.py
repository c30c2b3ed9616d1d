"""What of a module stands in the archive of a project: the words of which each module's `manifest.py` is made.

A manifest names tables and their columns, and says what each column refers to; writing, checking and restoring follow
from that. Archives are read in a process that starts without the modules, and a manifest is taken by its path: it
imports these words and nothing of its own module. What columns alone do not say is an `ArchiveHook`, in any other file.

Things are named by what people call them, never by numbers of a database: projects and lanes by key, labels by name,
issues as `WEB#12`, people by their `id` in `people.jsonl`, teams as `team:<handle>`. Times are unix seconds.
"""

import datetime
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Protocol
from urllib.parse import urlsplit

from pydantic import AfterValidator, ConfigDict, Field, ValidationInfo
from typing_extensions import TypedDict

from kbwork.base.dataclasses import KW_ONLY, dataclass
from kbwork.core.ports.extension import Extension
from kbwork.db.rows import FieldRow, ProjectRow
from kbwork.db.tx import Read, Row, Write

MAX_TIME = 253_402_300_799
FEW, SEVERAL, MANY = 1_000, 10_000, 100_000
"""How many elements a list holds: what somebody sets up; what people, or years of work, make many of; what is brought
in in parts."""


class ArchivePeople:
    """Who stands in a file that is read: its people by id, and those among them who were erased here."""

    def __init__(self) -> None:
        self.known = {"system"}
        self.erased: dict[str, str] = {}
        """Id in the file -> id here, which is all that they are called."""
        self.fields = {"assignee", "reporter"}
        """What holds people: in spans, and own fields by their keys."""
        self.missing: str | None = None
        """Whom a line named first that is not in the file."""

    def here(self, value: Any) -> Any:
        """Somebody, by their id here where they were erased."""
        return self.erased.get(value, value) if isinstance(value, str) else value

    def require(self, value: Any) -> Any:
        """As `here`; who is not in the file is noted."""
        found = self.here(value)
        if isinstance(found, str) and found and found not in self.known and not found.startswith("team:"):
            self.missing = self.missing or found
        return found


@dataclass(frozen=True)
class Ref:
    """What a column refers to: `sort` is one of those below."""

    sort: str
    table: str = ""
    column: str = "key"


def _day(text: str) -> str:
    datetime.date.fromisoformat(text)
    return text


def _web(text: str) -> str:
    if urlsplit(text).scheme not in ("http", "https") or not text.isprintable() or " " in text:
        raise ValueError("should begin with http:// or https://")
    return text


def _somebody(value: str, info: ValidationInfo) -> str:
    people: ArchivePeople | None = info.context
    if people is None or (value in people.known and not people.erased):
        return value
    found: str = people.require(value)
    return found


def _within(value: Any, who: Callable[[Any], Any]) -> Any:
    """A value of JSON with each `{"$who": id}` put by `who`."""
    if isinstance(value, list):
        return [_within(one, who) for one in value]
    if not isinstance(value, dict):
        return value
    return {name: who(one) if name == "$who" else _within(one, who) for name, one in value.items()}


def _people_within(value: Any, info: ValidationInfo) -> Any:
    return _within(value, info.context.here) if info.context is not None else value


def _known_within(value: Any, info: ValidationInfo) -> Any:
    return _within(value, info.context.require) if info.context is not None else value


Long = Annotated[str, Field(max_length=1_000_000)]
Word = Annotated[str, Field(min_length=1, max_length=500)]
Short = Annotated[str, Field(max_length=4_000)]
Time = Annotated[int, Field(ge=0, le=MAX_TIME)]
Day = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$"), AfterValidator(_day)]
Url = Annotated[str, Field(max_length=4_000), AfterValidator(_web)]
Colour = Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")]
Sort = Annotated[str, Field(pattern=r"^[a-z0-9_-]{1,40}$")]
Key = Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9]{1,9}$")]
Id = Annotated[str, Field(min_length=1, max_length=60)]
Count = Annotated[int, Field(ge=0, le=2**53 - 1)]
Number = Annotated[int, Field(ge=1, le=2**31 - 1)]
Finite = Annotated[float, Field(allow_inf_nan=False)]
Amount = Finite | int
Lag = Annotated[int, Field(ge=-36_500, le=36_500)]
Sum = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Scalar = Annotated[int, Field(ge=-(2**63), le=2**63 - 1)] | Finite | Long

_TYPED: Any = TypedDict
HUNG: Any = Ref("hung")
"""In a line: the list of that name, which another manifest declares, stands here."""
Person = Annotated[Word, AfterValidator(_somebody), Ref("person")]
"""A member, agent or team; whoever is none here stays as a bare name."""
Author = Annotated[str, Field(max_length=500), AfterValidator(_somebody), Ref("author")]
"""A person, or an empty text where nobody is to be told any more."""
Member = Annotated[Word, AfterValidator(_somebody), Ref("member")]
"""Somebody whose row means nothing without them: it goes where they have no account here."""
Doer = Annotated[Word, AfterValidator(_somebody), Ref("doer")]
"""Who is to do something: nobody who was erased."""
Place = Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9]{1,9}#[1-9][0-9]{0,12}$"), Ref("issue")]
"""An issue: `WEB#12`."""
Home = Annotated[Key, Ref("home")]
"""The project that the line is of."""


def named(table: str, column: str = "key", word: Any = Word) -> Any:
    """A row of another table, by what it is called; of a row without it nothing is written, or restored."""
    return Annotated[word, Ref("named", table, column)]


def stored(shape: Any) -> Any:
    """JSON that stands in the column as text; nobody is named in it."""
    return Annotated[shape, Ref("json")]


def peopled(shape: Any, *, known: bool = False) -> Any:
    """JSON in which people are `{"$who": id}`, teams `{"$team": "team:<handle>"}`. `known`: all are in the file."""
    return Annotated[shape, AfterValidator(_known_within if known else _people_within), Ref("peopled")]


def held_by_field(element: dict[str, Any], info: ValidationInfo) -> dict[str, Any]:
    """Checks the `value` of a `field`: where that one holds people, they are called as they are here."""
    if info.context is not None and element["field"] in info.context.fields:
        element["value"] = info.context.here(element["value"])
    return element


def few(shape: Any, most: int = FEW) -> Any:
    """A list of at most so many."""
    return Annotated[list[shape], Field(max_length=most)]


def exact(name: str, columns: dict[str, Any]) -> Any:
    """An object of these members and no others."""
    made: Any = _TYPED(name, columns)
    made.__pydantic_config__ = ConfigDict(extra="forbid", strict=True)
    return made


def keyed(shape: Any) -> Any:
    """An object whose members have any name."""
    return Annotated[dict[str, shape], Field(max_length=FEW)]


@dataclass(frozen=True, kw_only=True, eq=False)
class ArchivedLine:
    """A member of the file, with a line for each row that `once` or `each` selects.

    `once` knows `:project`, and `each`, which is asked again and again, some issues as the JSON list `:ids`.
    """

    file: str
    place: int
    """The members are written, and read, in this order."""
    columns: dict[str, Any]
    """Name in the line and in the row -> what it holds. The row's `id` is what lists hang on."""
    thing: str = ""
    """What a row is: the column of its lists that holds its id, and the kind of its subject."""
    once: str = ""
    each: str = ""
    optional: frozenset[str] = frozenset()
    """Columns that archives of earlier versions may lack; they are null there."""


@dataclass(frozen=True, eq=False)
class ArchivedList:
    """Rows that hang on those of a line, as a list in that line; `words.lanes` stands in its member `words`, where the
    org's own things are."""

    line: str
    name: str
    _: KW_ONLY
    table: str
    columns: dict[str, Any]
    """Name in the element and in the row -> what it holds."""
    by: str = ""
    """The column that holds what they hang on, where it is not called after that."""
    select: str = "*"
    where: str = "1"
    """A condition over the row and `:project`."""
    order: str = ""
    bare: bool = False
    """The elements are the values of its one column."""
    numbered: str = ""
    """The column that holds their order."""
    most: int = FEW
    checked: Callable[[dict[str, Any], ValidationInfo], dict[str, Any]] | None = None
    """What holds for an element beyond its columns; its context are the ArchivePeople of a file that is read."""
    late: bool = False
    """They come when all else is there: what they tell of would change, or, as other issues, does not stand yet."""
    restored: bool = True
    """False: it is told alone."""
    saved_by: str = ""
    """The operation that makes one, of what is named in its columns: of the org's things where none is `known`, of the
    project's each."""
    known: str = "heir is null and (key = :key or name_key = :folded)"
    """A condition over the org's row that stands for `:key` and `:name` here."""
    noted: bool = False
    """What is made of the project's is noted, as it may outlive it."""
    gone: str = ""
    """What is said of names that are not here, which stand for `{}`."""
    optional: frozenset[str] = frozenset()
    """Columns that archives of earlier versions may lack; they are null there."""
    since: int = 1
    """The format of archives that has them first; a list of format 2 makes that the format that is written."""


class ArchiveNames(Protocol):
    """What the things of a data file are called in an archive: see `PortableNames`, which stands behind it."""

    tx: Read
    project: ProjectRow

    def who(self, ref: str | None) -> str | None: ...
    def by(self, ref: str) -> str: ...
    def team(self, ident: int) -> str | None: ...
    def issue(self, ident: int | None) -> str | None: ...
    def key(self, text: str) -> str: ...
    def named(self, table: str, ident: int | None, column: str = "key") -> str | None: ...
    def told(self, value: Any) -> Any: ...


class ArchiveReferences(Protocol):
    """What an archive names, as it is called here, while one of its lines is restored: see `ReferenceMap`, which stands
    behind it."""

    tx: Write
    project: ProjectRow
    """Where the line goes."""
    at: str
    """What the line is called at the source."""
    touched: bool
    """Somebody worked meanwhile on what late lists hang on: their work stays."""

    def who(self, ref: str | None) -> str | None: ...
    def by(self, ref: str) -> str: ...
    def member(self, ref: str | None) -> str | None: ...
    def is_erased(self, who: str) -> bool: ...
    def team(self, ref: str) -> str | None: ...
    def here(self, value: Any, *, alone: bool = False) -> Any: ...
    def issue(self, text: str) -> int | None: ...
    def of_archive(self, text: str | None) -> int | None: ...
    def named(self, table: str, name: str, column: str = "key") -> int | None: ...
    def key(self, table: str, name: str) -> str: ...
    def field(self, key: str) -> FieldRow | None: ...
    def is_left_out(self, table: str, name: str) -> bool: ...
    def become(self, table: str, name: str, here: Any) -> None: ...
    def rows(self, name: str, elements: list[Any]) -> list[Row]: ...
    def attempt(self, what: str, lay: Callable[[], Any]) -> Any: ...
    def made(self, what: str, external: str, subject: str) -> None: ...
    def warn(self, why: str) -> None: ...


@dataclass(frozen=True, kw_only=True)
class ArchiveHook(Extension):
    """How a member of a line is told and restored where its columns do not say it; `name` is empty for a whole line."""

    line: str
    name: str = ""
    told: Callable[[ArchiveNames, Row], Any] | None = None
    """The element, or the value, of a row; None leaves an element out."""
    gathered: Callable[[ArchiveNames, list[int]], Mapping[int, Any]] | None = None
    """The value by the row that it hangs on, in place of what would be selected."""
    restored: Callable[[ArchiveReferences, int, Any], None] | None = None
    """Brings the value of the line with this id back."""
