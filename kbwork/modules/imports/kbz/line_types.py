"""What stands in the members of a kbz file: one JSON object a line, each of the type named in `LINES`.

Things are named by what people call them, never by numbers of a database: projects and lanes by key, labels by name,
issues as `WEB#12`, people by their `id` in `people.jsonl`, teams as `team:<handle>`. Times are unix seconds.
"""

import datetime
import re
from typing import Annotated, Any, Literal, TypeVar
from urllib.parse import urlsplit

from pydantic import AfterValidator, ConfigDict, Field, TypeAdapter, with_config
from typing_extensions import TypedDict

from kbwork.modules import attachments

FORMAT = 1
PROGRAM = "kbwork"
HOLDS = "projects"
MANIFEST = "manifest.json"
FILES = "files/"
MAX_TIME = 253_402_300_799


def _day(text: str) -> str:
    datetime.date.fromisoformat(text)
    return text


def _web(text: str) -> str:
    if urlsplit(text).scheme not in ("http", "https") or not text.isprintable() or " " in text:
        raise ValueError("should begin with http:// or https://")
    return text


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
Place = Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9]{1,9}#[1-9][0-9]{0,12}$")]
"""An issue: `WEB#12`."""
Count = Annotated[int, Field(ge=0, le=2**53 - 1)]
Number = Annotated[int, Field(ge=1, le=2**31 - 1)]
Finite = Annotated[float, Field(allow_inf_nan=False)]
Lag = Annotated[int, Field(ge=-36_500, le=36_500)]
Sum = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Category = Literal["todo", "in_progress", "done"]
Outcome = Literal["completed", "cancelled", "duplicate"]
Org = Annotated[str, Field(pattern=r"^[0-9a-f]{12}$")]
Size = Annotated[int, Field(ge=0, le=attachments.MOST_BYTES)]
Scalar = Annotated[int, Field(ge=-(2**63), le=2**63 - 1)] | Finite | Long

_T = TypeVar("_T")
Few = Annotated[list[_T], Field(max_length=1_000)]
Several = Annotated[list[_T], Field(max_length=10_000)]
"""What people, or years of work, make many of."""
Many = Annotated[list[_T], Field(max_length=100_000)]
"""What is brought in in parts."""
Named = Annotated[dict[str, _T], Field(max_length=1_000)]

_STRICT = ConfigDict(extra="forbid", strict=True)


@with_config(_STRICT)
class KbzPart(TypedDict):
    """A member of the file."""

    bytes: Count
    rows: Count
    sha256: Sum


@with_config(_STRICT)
class KbzManifest(TypedDict):
    """What a file holds; `parts` are its members by name, without the manifest and the bytes of files. `org` tells
    apart projects of the same key in different orgs."""

    format: Count
    program: Word
    holds: Word
    version: Word
    org: Org
    at: Time
    projects: Few[Key]
    parts: Named[KbzPart]
    counts: Named[Count]


@with_config(_STRICT)
class KbzPerson(TypedDict):
    """Somebody. `id` is how the other lines say it; `known` is the identity in the org where the file was written."""

    id: Word
    name: Word
    known: Word
    handle: Word | None
    email: Word | None


@with_config(_STRICT)
class KbzLane(TypedDict):
    key: Id
    name: Word
    category: Category
    color: Colour
    outcome: Outcome | None
    wip: Count | None
    stops_sla: bool
    description: Long


@with_config(_STRICT)
class KbzType(TypedDict):
    key: Id
    name: Word
    icon: Short
    color: Colour
    level: Annotated[int, Field(ge=-2, le=5)]
    description: Long


@with_config(_STRICT)
class KbzOption(TypedDict):
    """A choice of a field; `path` is its name behind those that it stands under."""

    path: Annotated[list[Word], Field(min_length=1, max_length=10)]
    color: Colour
    archived: bool


@with_config(_STRICT)
class KbzOwnField(TypedDict):
    """A field that the org made. `types`: those that it is for; none stands for all."""

    key: Id
    name: Word
    kind: Id
    description: Long
    types: Few[Id]
    default: Few[Annotated[list[Any], Field(min_length=2, max_length=2)]]
    formula: Long | None
    min: Finite | int | None
    max: Finite | int | None
    pattern: Short | None
    personal: bool
    options: Few[KbzOption]


Step = TypedDict(
    "Step",
    {
        "key": Word,
        "name": Word,
        "from": Few[Word],
        "to": Word,
        "who": Few[Any],
        "if": Few[dict[str, Any]],
        "check": Few[dict[str, Any]],
        "ask": Few[dict[str, Any]],
        "approvers": Few[Any],
        "needed": Count,
        "self_approval": bool,
        "watch": Few[Word],
        "then": Few[dict[str, Any]],
        "auto_when": Long | None,
    },
)
"""A transition, as workflows.list answers it."""
with_config(_STRICT)(Step)


@with_config(_STRICT)
class KbzWorkflow(TypedDict):
    """People and teams stand in it by name."""

    name: Word
    start: Id
    lanes: Few[Id]
    transitions: Few[Step]


@with_config(_STRICT)
class KbzRelationKind(TypedDict):
    key: Id
    name: Word
    inverse: Word
    directed: bool
    blocks: bool
    color: Short


@with_config(_STRICT)
class KbzProjectType(TypedDict):
    """A type of a project; `workflow` is its own one there, by name."""

    type: Id
    workflow: Word | None


@with_config(_STRICT)
class KbzRole(TypedDict):
    who: Word
    role: Literal["lead", "member", "reporter", "viewer"]


@with_config(_STRICT)
class KbzStatusUpdate(TypedDict):
    """How a project was said to be doing."""

    health: Literal["on_track", "at_risk", "off_track", "paused"]
    body: Long
    author: Word
    at: Time
    facts: dict[str, Any]


@with_config(_STRICT)
class KbzLayout(TypedDict):
    """Fields of a type in a project, as fields.layout answers them."""

    type: Id
    create: Few[Id]
    edit: Few[Id]
    required: Few[Id]
    rules: Few[dict[str, Any]]


@with_config(_STRICT)
class KbzTemplate(TypedDict):
    """A template of issues, as issues.templates answers it."""

    name: Word
    type: Id
    input: dict[str, Any]
    children: Few[dict[str, Any]]


@with_config(_STRICT)
class KbzView(TypedDict):
    """A saved query on a project."""

    name: Word
    tql: Long
    layout: Literal["list", "board", "table", "calendar", "timeline"]
    columns: Few[Word]
    group_by: Short | None
    sort: Short | None
    owner: Word
    icon: Short | None
    created_at: Time


@with_config(_STRICT)
class KbzWords(TypedDict):
    """What a project speaks with, and that belongs to the org."""

    lanes: Few[KbzLane]
    types: Few[KbzType]
    fields: Few[KbzOwnField]
    workflows: Few[KbzWorkflow]
    relation_kinds: Few[KbzRelationKind]


@with_config(_STRICT)
class KbzBudget(TypedDict):
    hours: Finite | int | None
    money: Finite | int | None
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] | None


@with_config(_STRICT)
class KbzProjectMore(TypedDict):
    """A project beside its key, name and description."""

    kind: Literal["software", "business", "desk", "personal"]
    icon: Short | None
    color: Short | None
    lead: Word | None
    visibility: Literal["org", "members", "private"]
    modules: Named[bool]
    default_type: Id
    default_assignee: Literal["none", "lead", "component", "rotation"]
    workflow: Word
    budget: KbzBudget | None
    start_date: Day | None
    due_date: Day | None
    labels: Few[Word]
    triage: bool
    reporters_see: Literal["own", "all"]
    blockers: Literal["warn", "refuse"]
    auto_archive_days: Count | None
    auto_close_days: Count | None
    numbers: Annotated[int, Field(ge=0, le=2**31 - 1)]
    archived_at: Time | None
    created_at: Time
    former_keys: Few[Key]
    types: Few[KbzProjectType]
    members: Several[KbzRole]
    statuses: Several[KbzStatusUpdate]
    layouts: Few[KbzLayout]
    templates: Few[KbzTemplate]
    views: Several[KbzView]
    words: KbzWords


@with_config(_STRICT)
class KbzProject(KbzProjectMore):
    key: Key
    name: Word
    description: Long


@with_config(_STRICT)
class KbzLabel(TypedDict):
    """`shared`: it is one of the org, not of the project alone."""

    project: Key
    name: Word
    color: Colour
    description: Long
    family: Word | None
    shared: bool


@with_config(_STRICT)
class KbzComponent(TypedDict):
    project: Key
    name: Word
    description: Long
    lead: Word | None
    assign: Literal["lead", "project", "nobody"]
    archived: bool


@with_config(_STRICT)
class KbzFieldValue(TypedDict):
    """One element of a field's value. Choices are paths of names, people ids, teams `team:<handle>`."""

    field: Id
    position: Count
    value: Scalar | Few[Word]
    unit: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] | None


@with_config(_STRICT)
class KbzWatcher(TypedDict):
    who: Word
    reason: Sort
    at: Time


@with_config(_STRICT)
class KbzVote(TypedDict):
    who: Word
    at: Time


@with_config(_STRICT)
class KbzRevision(TypedDict):
    """A title and body as they were before an edit."""

    revision: Count
    at: Time
    who: Word
    via: Short | None
    title: Long
    body: Long


@with_config(_STRICT)
class KbzCheck(TypedDict):
    """A line of a checklist; `promoted` is the issue that it became."""

    text: Long
    assignee: Word | None
    due_date: Day | None
    done_at: Time | None
    done_by: Word | None
    promoted: Place | None
    created_at: Time
    created_by: Word


@with_config(_STRICT)
class KbzWebLink(TypedDict):
    url: Url
    title: Short
    kind: Sort
    created_at: Time
    created_by: Word


@with_config(_STRICT)
class KbzAssetLink(TypedDict):
    """What the issue is about; the asset itself stays with its org."""

    asset: Word
    role: Sort
    created_at: Time
    created_by: Word


@with_config(_STRICT)
class KbzSpan(TypedDict):
    """What a field held from when to when. `field:<key>` is one of the org's own."""

    field: Word
    value: Long | Few[Word]
    from_at: Time
    to_at: Time | None
    by: Word


Side = Scalar | bool | None | Few[Any] | dict[str, Any]
Sides = TypedDict("Sides", {"from": Side, "to": Side})
"""What a field held before and after."""
with_config(_STRICT)(Sides)


@with_config(_STRICT)
class KbzSizes(TypedDict):
    """How long a text was before and after, and which revision keeps the one before."""

    from_size: Count
    to_size: Count
    revision: Count | None


_CHANGED = re.compile(r"[a-z_]{1,40}|values\..{1,60}")
_TEXTS = ("title", "priority", "type", "status", "parent", "outcome", "project", "start_date", "due_date")
_SETS = ("assignees", "labels", "components")


def _changed(changes: dict[str, Any]) -> dict[str, Any]:
    """Raises ValueError for what no field is called, and for a side that the field cannot hold."""
    for name, sides in changes.items():
        if not _CHANGED.fullmatch(name):
            raise ValueError(f"no field is called {name[:60]!r}")
        for side in ("from", "to"):
            if not _holds(name, sides.get(side)):
                raise ValueError(f"{name}.{side}: this is nothing that it holds")
    return changes


def _holds(name: str, value: Any) -> bool:
    if value is None or name.startswith("values."):
        return True
    if name in _TEXTS:
        return isinstance(value, str)
    if name in _SETS:
        return isinstance(value, list) and all(_is_name(one) for one in value)
    return _is_name(value) or isinstance(value, int | float)


def _is_name(value: Any) -> bool:
    """A text, or somebody as `{"$who": id}`."""
    return isinstance(value, str) or (isinstance(value, dict) and set(value) <= {"$who", "$team"})


@with_config(_STRICT)
class KbzChange(TypedDict):
    """A change as issues.history tells it: field -> its sides."""

    at: Time
    who: Word
    who_kind: Literal["human", "key", "agent", "system", "automation"]
    via: Short | None
    changes: Annotated[Named[Sides | KbzSizes], AfterValidator(_changed)]


@with_config(_STRICT)
class KbzIssueMore(TypedDict):
    """An issue beside what issues of every source have."""

    body_doc: Long | None
    created_by: Word
    level: Word | None
    locked: bool
    lock_reason: Long | None
    rank: Annotated[str, Field(pattern=r"^[0-9a-z]{1,60}$")]
    external: Word | None
    status_at: Time
    started_at: Time | None
    archived_at: Time | None
    held: Few[KbzFieldValue]
    watchers: Many[KbzWatcher]
    votes: Many[KbzVote]
    revisions: Many[KbzRevision]
    checks: Few[KbzCheck]
    links: Few[KbzWebLink]
    assets: Few[KbzAssetLink]
    former_numbers: Several[Number]


@with_config(_STRICT)
class KbzPast(TypedDict):
    """What an issue was."""

    spans: Many[KbzSpan]
    history: Many[KbzChange]


@with_config(_STRICT)
class KbzIssue(KbzIssueMore, KbzPast):
    project: Key
    number: Number
    type: Id
    title: Long
    body: Long
    reporter: Word
    lane: Id
    outcome: Outcome | None
    priority: Id
    assignees: Few[Word]
    labels: Few[Word]
    components: Few[Word]
    parent: Place | None
    estimate: Finite | int | None
    start_date: Day | None
    due_date: Day | None
    created_at: Time
    updated_at: Time
    done_at: Time | None
    source: Long | None
    values: Named[Any]


@with_config(_STRICT)
class KbzReaction(TypedDict):
    who: Word
    emoji: Annotated[str, Field(pattern=r"^\S{1,16}$")]
    at: Time


@with_config(_STRICT)
class KbzCommentMore(TypedDict):
    """A comment beside what comments of every source have. `stub`: deleted, with replies that stay."""

    body_doc: Long | None
    edited_at: Time | None
    anchor: Long | None
    resolved_at: Time | None
    resolved_by: Word | None
    stub: bool
    deleted_at: Time | None
    external: Word | None
    reactions: Several[KbzReaction]


@with_config(_STRICT)
class KbzComment(KbzCommentMore):
    """`id` is unique in the file; `parent` is the first comment of its thread."""

    id: Number
    issue: Place
    parent: Number | None
    author: Annotated[str, Field(max_length=500)]
    body: Long
    created_at: Time
    internal: bool


@with_config(_STRICT)
class KbzRelation(TypedDict):
    """`one` kind `other`. At most one of the two is of a project that is not in the file."""

    one: Place
    kind: Id
    other: Place
    lag_days: Lag
    created_at: Time
    created_by: Word


@with_config(_STRICT)
class KbzAttachment(TypedDict):
    """A file on an issue, a comment or the project. Its bytes are the member `files/<sha256>`, unless the backup that
    it was read from has none."""

    id: Word
    project: Key
    issue: Place | None
    comment: Number | None
    name: Word
    content_type: Short
    size: Size
    sha256: Sum
    there: bool
    text: Long | None
    created_at: Time
    created_by: Word


LINES: dict[str, Any] = {
    "people.jsonl": KbzPerson,
    "projects.jsonl": KbzProject,
    "labels.jsonl": KbzLabel,
    "components.jsonl": KbzComponent,
    "issues.jsonl": KbzIssue,
    "comments.jsonl": KbzComment,
    "relations.jsonl": KbzRelation,
    "attachments.jsonl": KbzAttachment,
}
"""Member -> what each of its lines is, in the order in which they are written and read."""
LINE: dict[str, TypeAdapter[Any]] = {name: TypeAdapter(line) for name, line in LINES.items()}
MANIFEST_LINE: TypeAdapter[KbzManifest] = TypeAdapter(KbzManifest)
