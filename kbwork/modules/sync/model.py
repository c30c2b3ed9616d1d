"""The words of sync."""

from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.model import Input, Int, Text


class SyncScopes(Input):
    """What a client keeps."""

    projects: Annotated[list[Text], Field(max_length=500)] | None = None
    """Keys of projects whose issues are kept; left out: all that you see. What you do not see is left out, silently:
    a client goes on when it loses one."""
    spaces: Annotated[list[Text], Field(max_length=500)] | None = None
    """Keys of spaces whose pages are kept; there are none yet."""
    closed_days: Annotated[Int, Field(ge=0, le=3650)] = 90
    """Issues that were done longer ago are not kept. What grows too old is not told: drop it yourself."""


class SyncPart(TypedDict):
    """Things of one kind, by columns."""

    kind: str
    """Kind of the things, such as `issue` or `label`."""
    scope: str
    """`org` for all of the kind that you see, `project:WEB` for those of a project, of which several parts may come."""
    etag: str
    """Names these values: send it in `etags` and they are left out while they stay as they are."""
    unchanged: bool
    """Whether `etags` had it, and the values are left out."""
    columns: list[str]
    """Names of the columns; the first names the thing."""
    values: list[list[Any]]
    """Those of each column, in the order of `columns`: the first list names the things, the others stand beside it."""


class SyncSnapshot(TypedDict):
    """What there is. With `next` there is more of it; `seq` and `access` are those of the first page on all."""

    seq: int
    """Pass it to `sync.delta` as `since`."""
    access: int
    """Stands for who you are and what you may see: another number means that it is something else now."""
    parts: list[SyncPart]
    """What is kept, open issues before those that are done."""
    next: str | None
    """Pass it as `cursor` to go on; null: that was all."""


class SyncRows(TypedDict):
    """Things that are there, as they are now."""

    kind: str
    """Kind of the things."""
    columns: list[str]
    """Names of the columns; the first names the thing."""
    rows: list[list[Any]]
    """The things, each with its values in the order of `columns`."""
    whole: bool
    """Whether these are all that you see of the kind: any other is gone."""
    etag: str | None
    """Names these rows, for `etags`; null where they are not the whole."""


class SyncGone(TypedDict):
    """Things that are there no more, or not for you."""

    kind: str
    """Kind of the things."""
    ids: list[Any]
    """As in the first column of their rows."""


class SyncDelta(TypedDict):
    """What became of things since then."""

    seq: int
    """Pass it as `since` in the next call."""
    access: int
    """Another number than before means that you see something else now."""
    upserts: list[SyncRows]
    """Things that came or changed, each once, however often it did."""
    gone: list[SyncGone]
    """What was deleted, what left the scopes, and what you may no longer see."""
    more: bool
    """Whether there is more: call again."""
    reset: bool
    """Whether too much changed to be told: begin again with `sync.snapshot`."""


class PushedChange(TypedDict):
    """What others made of a field that a write would change, too."""

    subject: str
    """The thing, such as `issue:57`."""
    field: str
    """The field, as events name it in their `changes`."""
    value: Any
    """What it is by their change, any JSON; null for a long text, which its `get` answers."""
    actor: str
    """Who changed it last."""
    created_at: int
    """When, in Unix seconds."""
    seq: int
    """The event that told it."""
