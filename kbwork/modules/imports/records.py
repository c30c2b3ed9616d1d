"""What a source is turned into before anything is written: one JSON object a line, kinds in the order of `ORDER`.

An `id` is `<source>:<place>#<id>` (`github:owner/repo#5`), that of a person is the name the source knows it by. Times
are unix seconds, days `YYYY-MM-DD`, texts hold neither NUL nor lone surrogates and are at most `MAX_TEXT` characters.
Members come in the order of the types here, lists of a `past` behind those. A parent comes before its child, and people
before whatever names them, be it a project; what refers to another record refers to one of the same file. `more` is
there where the source is one of ours, and says what no other source does.
"""

from collections.abc import Iterator
from functools import cache, reduce
from operator import or_
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, get_args, get_origin, get_type_hints

from pydantic import ConfigDict, Field, GetCoreSchemaHandler, TypeAdapter, ValidationError, with_config
from pydantic_core import CoreSchema
from typing_extensions import TypedDict

from kbwork.base.dataclasses import dataclass
from kbwork.core.ports.archive import Lag, Short, Sum, exact
from kbwork.issuefields import ImportedFields
from kbwork.modules.attachments import MOST_BYTES
from kbwork.modules.imports.kbz import manifest
from kbwork.modules.imports.validation_message import unfit

ORDER = ("person", "project", "label", "component", "issue", "comment", "relation", "attachment", "past")
MAX_TEXT = 1_000_000
MAX_RECORDS = 1_000_000
MAX_TIME = 253_402_300_799
"""The last second of the year 9999."""

SourceText = Annotated[str, Field(max_length=MAX_TEXT)]
SourceId = Annotated[str, Field(min_length=1, max_length=200)]
Word = Annotated[str, Field(min_length=1, max_length=500)]
Time = Annotated[int, Field(ge=0, le=MAX_TIME)]
Color = Annotated[str, Field(pattern=r"^#[0-9a-f]{6}$")]
Outcome = Literal["completed", "cancelled", "duplicate"]
Value = str | int | float | bool | None | list[str]
"""What a field of the source holds that has no place of its own in an issue."""

_STRICT = ConfigDict(extra="forbid", strict=True)


@dataclass(frozen=True)
class _PartOf:
    """Some members of the lines of an archive, whose manifests are read when the first record is looked at."""

    file: str

    def __get_pydantic_core_schema__(self, _source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        return handler.generate_schema(manifest.lines()[self.file].type(whole=False))


class _WithLists:
    """A record whose other members are lists of an issue."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        lists = manifest.lines()["issues.jsonl"].lists
        late = {"late": manifest.shape_of(lists["held"])}
        others = {
            name: NotRequired[manifest.shape_of(one)] for name, one in lists.items() if name not in late
        }
        return handler.generate_schema(exact(source.__name__, source.__annotations__ | late | others))


@with_config(_STRICT)
class ProjectRecord(TypedDict):
    """`key` is what the source calls it where that fits a key (`^[A-Z][A-Z0-9]{1,9}$`), else none."""

    kind: Literal["project"]
    id: SourceId
    key: Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9]{1,9}$")] | None
    name: Word
    description: SourceText
    more: NotRequired[Annotated[dict[str, Any], _PartOf("projects.jsonl")]]


@with_config(_STRICT)
class LabelRecord(TypedDict):
    """Every label that an issue names has one."""

    kind: Literal["label"]
    id: SourceId
    project: SourceId
    name: Word
    color: Color | None
    description: SourceText | None
    more: NotRequired[Annotated[dict[str, Any], _PartOf("labels.jsonl")]]


@with_config(_STRICT)
class ComponentRecord(TypedDict):
    """Every component that an issue names has one."""

    kind: Literal["component"]
    id: SourceId
    project: SourceId
    name: Word
    more: NotRequired[Annotated[dict[str, Any], _PartOf("components.jsonl")]]


@with_config(_STRICT)
class PersonRecord(TypedDict):
    """Everybody whom another record names has one. `known` is the id of a member of the same org."""

    kind: Literal["person"]
    id: Word
    name: Word
    handle: Word | None
    email: Word | None
    known: NotRequired[Word]


@with_config(_STRICT)
class IssueRecord(ImportedFields):
    """`type`, `status` and `priority` are words of the source; `done` and `outcome` say what the status means there."""

    kind: Literal["issue"]
    id: SourceId
    project: SourceId
    number: Annotated[int, Field(ge=1, le=2**31 - 1)] | None
    type: Word
    title: Word
    body: SourceText
    author: Word | None
    status: Word
    done: bool
    outcome: Outcome | None
    """None while it is open."""
    priority: Word | None
    assignees: list[Word]
    labels: list[Word]
    components: list[Word]
    parent: SourceId | None
    created_at: Time | None
    updated_at: Time | None
    done_at: Time | None
    url: SourceText | None
    values: dict[str, Value]
    """By column or field of the source."""
    private: NotRequired[bool]
    """Whether few see it; not there where the source knows nothing of the kind."""
    more: NotRequired[Annotated[dict[str, Any], _PartOf("issues.jsonl")]]


@with_config(_STRICT)
class CommentRecord(TypedDict):
    """`parent` is the first comment of its thread: a thread has no second level. Never empty."""

    kind: Literal["comment"]
    id: SourceId
    issue: SourceId
    parent: SourceId | None
    author: Word | None
    body: Annotated[str, Field(min_length=1, max_length=MAX_TEXT)]
    created_at: Time | None
    updated_at: Time | None
    internal: bool
    more: NotRequired[Annotated[dict[str, Any], _PartOf("comments.jsonl")]]


@with_config(_STRICT)
class RelationMore(TypedDict):
    """When two issues were related, and by whom."""

    lag_days: Lag
    created_at: Time
    created_by: Word


# `from` is a word of the language, so this one is spelled as a call.
RelationRecord = TypedDict(
    "RelationRecord",
    {
        "kind": Literal["relation"],
        "from": SourceId,
        "to": SourceId,
        "relation": Word,
        "more": NotRequired[RelationMore],
    },
)
"""Reads `from` relation `to`. The relation is `relates`, `blocks`, `duplicates`, ..., or the source's word."""
with_config(_STRICT)(RelationRecord)


@with_config(_STRICT)
class AttachmentRecord(TypedDict):
    """A file, whose bytes are in what was sent: on a comment where that is named, else on an issue, else on the
    project."""

    kind: Literal["attachment"]
    id: SourceId
    project: SourceId
    issue: SourceId | None
    comment: SourceId | None
    name: Word
    content_type: Short
    size: Annotated[int, Field(ge=0, le=MOST_BYTES)]
    sha256: Sum
    there: bool
    """Whether the bytes are there."""
    text: SourceText | None
    """What of it can be searched."""
    author: Word | None
    created_at: Time | None


@with_config(_STRICT)
class Outside(TypedDict):
    """A relation to an issue of another project; `key` is its key there. `turned`: it begins at that one."""

    relation: Word
    key: Word
    turned: bool
    more: RelationMore


class PastRecord(TypedDict):
    """What is put on an issue, or without one on the project, when all else is there. Where that is much it comes in
    several, all but the first of which have lists alone. Its other members are lists of an issue, by their names."""

    kind: Literal["past"]
    id: SourceId
    project: SourceId
    issue: SourceId | None
    first: bool
    updated_at: Time | None
    archived_at: Time | None
    locked: bool
    lock_reason: SourceText | None
    outside: list[Outside]
    late: list[dict[str, Any]]
    """Values that name issues."""


Record = (
    ProjectRecord
    | LabelRecord
    | ComponentRecord
    | PersonRecord
    | IssueRecord
    | CommentRecord
    | RelationRecord
    | AttachmentRecord
    | Annotated[PastRecord, _WithLists()]
)

RECORD: TypeAdapter[Record] = TypeAdapter(
    Annotated[Record, Field(discriminator="kind")], config=ConfigDict(defer_build=True)
)


@cache
def _of_others() -> TypeAdapter[Any]:
    """The same records without `more`, and no `past`: what they hold is read off all manifests, which takes longer than
    all else of most sources."""
    kinds: list[Any] = []
    for one in get_args(Record):
        if get_origin(one) is Annotated:
            continue
        members = get_type_hints(one, include_extras=True)
        kinds.append(exact(one.__name__, {name: shape for name, shape in members.items() if name != "more"}))
    shape: Any = Annotated[reduce(or_, kinds), Field(discriminator="kind")]
    return TypeAdapter(shape)


class BadRecord(ValueError):
    """A line that is no record; one line with the place."""


def dumped(record: Record) -> bytes:
    """The line of a record. Raises BadRecord for what is none, be it a text that cannot be written."""
    shapes = RECORD if "more" in record or record["kind"] == "past" else _of_others()
    try:
        shapes.validate_python(record)
        return shapes.dump_json(record) + b"\n"
    except ValidationError as error:
        raise BadRecord(unfit(error)) from None
    except ValueError as error:
        raise BadRecord(str(error)) from None


def read(path: Path, offset: int = 0) -> Iterator[tuple[int, Record]]:
    """Each record from the byte `offset` on, with the offset of the line behind it. Raises BadRecord."""
    with path.open("rb") as file:
        file.seek(offset)
        for line in file:
            try:
                record = RECORD.validate_json(line)
            except ValidationError as error:
                raise BadRecord(f"byte {offset}: {unfit(error)}") from None
            offset += len(line)
            yield offset, record


class FoundStatus(TypedDict):
    """What a word for a status stands for; `outcomes` counts how its issues ended."""

    count: int
    done: bool
    outcomes: dict[str, int]


class FoundProject(TypedDict):
    """A project, repository, file or tracker of the source."""

    id: str
    key: str | None
    name: str
    issues: int
    highest: int
    """The highest number of its issues; 0 where they have none."""


class FoundPerson(TypedDict):
    """Somebody whom the source names; `count` is how often issues and comments do."""

    id: str
    name: str
    handle: str | None
    email: str | None
    count: int
    known: NotRequired[str]


class FoundField(TypedDict):
    """A field without a place of its own in an issue; `samples` are up to five of its values."""

    count: int
    samples: list[str]


class FoundContent(TypedDict):
    """What a source holds. Every map and list is cut to `MAX_FOUND`, the most used first; `counts` is whole."""

    counts: dict[str, int]
    """By kind of record."""
    projects: list[FoundProject]
    types: dict[str, int]
    statuses: dict[str, FoundStatus]
    priorities: dict[str, int]
    relations: dict[str, int]
    people: list[FoundPerson]
    labels: dict[str, int]
    components: dict[str, int]
    fields: dict[str, FoundField]
    columns: dict[str, str]
    """Of a table: each column and the field it goes to; empty for other sources."""
    guessed: list[str]
    """Columns of which nobody said what they hold: they were taken for it by their names and cells."""


MAX_FOUND = 1_000


class ReaderAnswer(TypedDict, total=False):
    """What the reader says: `found` and `losses`, or `refused` alone, one line with the place in the file."""

    found: FoundContent
    losses: list[str]
    refused: str
    full: bool
    """With `refused`: the disk is full."""
