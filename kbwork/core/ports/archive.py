"""What of a module stands in the archive of a project: the words of which each module's `manifest.py` is made.

A manifest names tables and their columns, and says what each column refers to; writing, checking and restoring follow
from that. Archives are read in a process that starts without the modules, and a manifest is taken by its path: it
imports these words and nothing of its own module. What columns alone do not say is an `ArchiveHook`, in any other file.

Things are named by what people call them, never by numbers of a database: projects and lanes by key, labels by name,
issues as `WEB#12`, people by their `id` in `people.jsonl`, teams as `team:<handle>`. Times are unix seconds.
"""

import datetime
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Protocol
from urllib.parse import urlsplit

from pydantic import AfterValidator, ConfigDict, Field, ValidationInfo
from typing_extensions import TypedDict

from kbwork.core.ports.extension import Extension
from kbwork.db.tx import Read, Row, Write

MAX_TIME = 253_402_300_799
FEW, SEVERAL, MANY = 1_000, 10_000, 100_000
"""How many elements a list holds: what somebody sets up; what people, or years of work, make many of; what is brought
in in parts."""


class NobodyCalled(Exception):
    """A line names somebody who is not in `people.jsonl`."""


class ArchivePeople:
    """Who stands in a file that is read: its people by id, and those among them who were erased here."""

    def __init__(self) -> None:
        self.known = {"system"}
        self.erased: dict[str, str] = {}
        """Id in the file -> id here, which is all that they are called."""
        self.fields = {"assignee", "reporter"}
        """What holds people: in spans, and own fields by their keys."""

    def here(self, value: Any) -> Any:
        """Somebody, by their id here where they were erased."""
        return self.erased.get(value, value) if isinstance(value, str) else value

    def require(self, value: Any) -> Any:
        """As `here`. Raises NobodyCalled for who is not in the file."""
        found = self.here(value)
        if isinstance(found, str) and found and found not in self.known and not found.startswith("team:"):
            raise NobodyCalled(f"there is nobody called {found!r} in people.jsonl")
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
    return info.context.require(value) if isinstance(info.context, ArchivePeople) else value


def _within(value: Any, who: Callable[[Any], Any]) -> Any:
    """A value of JSON with each `{"$who": id}` put by `who`."""
    if isinstance(value, list):
        return [_within(one, who) for one in value]
    if not isinstance(value, dict):
        return value
    return {name: who(one) if name == "$who" else _within(one, who) for name, one in value.items()}


def _people_within(value: Any, info: ValidationInfo) -> Any:
    return _within(value, info.context.here) if isinstance(info.context, ArchivePeople) else value


def _known_within(value: Any, info: ValidationInfo) -> Any:
    return _within(value, info.context.require) if isinstance(info.context, ArchivePeople) else value


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


def filled(value: dict[str, Any]) -> dict[str, Any]:
    """Without what is null or empty: an operation takes its own for that."""
    return {name: one for name, one in value.items() if one is not None and one != ""}


@dataclass(frozen=True, kw_only=True)
class ArchivedLine:
    """A member of the file, with a line for each row that `once` or `each` selects.

    `once` knows `:project`, and `each`, which is asked again and again, some issues as the JSON list `:ids`.
    """

    file: str
    columns: dict[str, Any]
    """Name in the line and in the row -> what it holds. The row's `id` is what lists hang on."""
    subject: str = ""
    """`issue:`: before the id in the subjects of its rows."""
    once: str = ""
    each: str = ""
    place: int
    """The members are written, and read, in this order."""


@dataclass(frozen=True, kw_only=True)
class ArchivedList:
    """Rows that hang on those of a line, as a list in that line; `words.lanes` stands in its member `words`."""

    line: str
    name: str
    columns: dict[str, Any]
    """Name in the element and in the row -> what it holds."""
    table: str
    by: str = ""
    """The column that holds what they hang on; empty where the table is none of the archive's own."""
    order: str = "1"
    select: str = "*"
    where: str = "1"
    """A condition over the row and `:project`."""
    bare: bool = False
    """The elements are the values of its one column."""
    numbered: str = ""
    """The column that holds their order."""
    most: int = FEW
    late: bool = False
    """They come when all else is there: what they tell of would change, or does not stand yet."""
    restored: bool = True
    """Left as it is told, where it is no longer so here."""
    checked: Callable[[dict[str, Any], ValidationInfo], dict[str, Any]] | None = None
    """What holds for an element beyond its columns; its context are the ArchivePeople of a file that is read."""
    saved_by: str = ""
    """The operation that makes one of them, which are the org's, where none here has its key or name."""
    gone: str = ""
    """What is said of names that are not here, which stand for `{}`."""
    since: int = 1
    """The format of archives that has them first; a list of format 2 makes that the format that is written."""


class ArchiveNames(Protocol):
    """What the things of a data file are called in an archive."""

    tx: Read
    project: Row

    def who(self, ref: str | None) -> str | None:
        """The id of somebody; None for nobody."""

    def by(self, ref: str) -> str:
        """As `who`, for a column that is never empty."""

    def team(self, ident: int) -> str | None:
        """`team:<handle>`; None for one that is gone."""

    def issue(self, ident: int | None) -> str | None:
        """`WEB#12`; None for none and for one in the trash."""

    def key(self, text: str) -> str:
        """`WEB-12` as `WEB#12`, where that is an issue of the project."""

    def named(self, table: str, ident: int | None, column: str = "key") -> Any:
        """What a row is called; None for one that is gone."""

    def told(self, value: Any) -> Any:
        """A value of JSON, in which people become `{"$who": id}`, teams `{"$team": name}`."""


class ArchiveReferences(Protocol):
    """What an archive names, as it is called here, while one of its lines is restored."""

    tx: Write
    project: Row
    """Where the line goes."""
    at: str
    """What the line is called at the source."""
    touched: bool
    """Somebody worked meanwhile on what late lists hang on: their work stays."""

    def who(self, ref: str | None) -> str | None:
        """A member's id, an agent, a team, else the bare name; None for nobody, and for a team that is not here."""

    def by(self, ref: str) -> str:
        """As `who`, for a column that is never empty."""

    def member(self, ref: str | None) -> str | None:
        """The id of a member who has or may have an account; None for everybody else."""

    def is_erased(self, who: str) -> bool:
        """Whether this is a member who was erased."""

    def team(self, ref: str) -> str | None:
        """`team:<id>` of `team:<handle>`."""

    def issue(self, text: str) -> int | None:
        """The issue that is `WEB#12` at the source: the one of it, else the one that has the key here."""

    def of_archive(self, text: str | None) -> int | None:
        """The issue that `WEB#12` of the archive became."""

    def named(self, table: str, name: str, column: str = "key") -> int | None:
        """The row here that is called so."""

    def key(self, table: str, name: str) -> str:
        """The key here of a lane, type or own field of the source; its own where there is none."""

    def is_left_out(self, table: str, name: str) -> bool:
        """Whether somebody asked that nothing here stands for it."""

    def become(self, table: str, name: str, here: Any) -> None:
        """From now on the name stands for the row with this key; of a workflow, which has none, this id."""

    def field(self, key: str) -> Row | None:
        """The own field here that one of the source became."""

    def here(self, value: Any, *, alone: bool = False) -> Any:
        """A value of JSON with people and teams as they are here; what is not here goes from lists. `alone`: members
        alone, where a bare name says nothing."""

    def rows(self, name: str, elements: list[Any]) -> list[Row]:
        """The elements of a list of the line as rows, without what they hang on."""

    def attempt(self, what: str, lay: Callable[[], Any]) -> Any:
        """What `lay` answers; where it is refused that is left out, with a word, and None."""

    def made(self, what: str, external: str, subject: str) -> None:
        """Something was made: sort, id at the source, subject."""

    def warn(self, why: str) -> None:
        """Say what is not as it was."""


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
