"""The words of feature flags. What stands inside definitions is in the spelling of the flag engine (`contextKind`)."""

import re
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent

FlagKind = Literal["bool", "string", "number", "json"]
KeyKind = Literal["server", "client"]
TargetKind = Literal["flag", "segment"]
Status = Literal["pending", "approved", "declined", "applied", "cancelled", "failed"]
Decision = Literal["approve", "decline", "comment"]
Outcome = Literal["applied", "unchanged", "changeRequest"]
AgentWrites = Literal["changeRequest", "direct"]
Risk = Literal["none", "low", "medium", "high"]

Json = dict[str, Any]
Ref = Annotated[str, Field(max_length=200)]
"""The key of something that is there; taken as it is, for keys tell cases apart."""
Remark = Annotated[str, Field(max_length=2000)]
Instructions = Annotated[list[Json], Field(min_length=1, max_length=500)]
"""Ordered instructions, applied all or nothing."""
Listed = Annotated[list[str], Field(max_length=100_000)]
PROJECT_KEY = re.compile(r"[A-Za-z0-9._-]{1,64}")
KEY = re.compile(r"[A-Za-z0-9._-]{1,128}")
UNDO = "flags have a history of their own: flags.history and flags.restore"


class EnvironmentState(TypedDict):
    """A flag in one environment. Lists come with the whole flag, how long they are with a list of flags."""

    on: bool
    off_variation: int | None
    fallthrough: Json
    track_events: bool
    version: int
    targets: NotRequired[list[Json]]
    rules: NotRequired[list[Json]]
    prerequisites: NotRequired[list[Json]]
    counts: NotRequired[dict[str, int]]


class FlagReview(TypedDict):
    who: str
    decision: Decision
    comment: str
    at: int


class FlagChange(TypedDict):
    """A change that waits, or was decided. `run_at` is in milliseconds, the other times in seconds.

    `preview` is what it would change now: {`diff`, `fits`, `why`}; it stands in the answers about one change.
    """

    id: int
    kind: TargetKind
    target: str
    environment: str
    instructions: list[Json]
    comment: str
    status: Status
    run_at: int | None
    reviews: list[FlagReview]
    requested_by: str
    created_at: int
    preview: Json | None


class FlagSchedule(TypedDict):
    """Instructions for a time; `run_at` is in milliseconds."""

    id: int
    key: str
    environment: str
    instructions: list[Json]
    run_at: int
    created_by: str


class Flag(TypedDict):
    """A flag with its state in each environment; one that was asked for alone comes with what belongs to it."""

    project: str
    key: str
    name: str
    description: str
    kind: FlagKind
    variations: list[Json]
    tags: list[str]
    maintainers: list[str]
    temporary: bool
    client_side: bool
    defaults: dict[str, int]
    schema: Json | None
    archived: bool
    version: int
    environments: dict[str, EnvironmentState]
    dependents: NotRequired[list[str]]
    changes: NotRequired[list[FlagChange]]
    schedules: NotRequired[list[FlagSchedule]]
    issues: NotRequired[list[str]]


class Environment(TypedDict):
    project: str
    key: str
    name: str
    critical: bool
    require_approval: bool
    min_approvals: int
    allow_self_approval: bool


class Segment(TypedDict):
    """A group of contexts; `used_by` names the flags and segments (`segment:<key>`) that ask for it."""

    project: str
    environment: str
    key: str
    name: str
    included: list[str]
    excluded: list[str]
    included_contexts: list[Json]
    excluded_contexts: list[Json]
    rules: list[Json]
    description: str
    tags: list[str]
    used_by: list[str]


class SdkKey(TypedDict):
    """A key of client libraries. `value` is a client-side ID, which is public; a server key is shown once."""

    id: int
    environment: str
    kind: KeyKind
    last4: str
    value: str | None
    created_at: int
    expires_at: int | None


class FlagTemplate(TypedDict):
    """What a new flag may begin as. `settings` are fields of `flags.create`."""

    key: str
    name: str
    kind: FlagKind
    variations: list[Json]
    settings: Json
    built_in: bool


class FlagProject(TypedDict):
    project: str
    name: str
    environments: list[str]
    flags: int


class FlagSettings(TypedDict):
    agent_writes: AgentWrites


class FlagRevision(TypedDict):
    """One version: who made it of the one before, and what differs, as {`path`, `from`, `to`}."""

    id: int
    at: int
    who: str
    via: str | None
    comment: str
    diff: list[Json]


class _FlagEvent(DomainEvent):
    scope = "flags:read"


class FlagCreated(_FlagEvent):
    kind = "flag.created"


class FlagUpdated(_FlagEvent):
    kind = "flag.updated"


class FlagArchived(_FlagEvent):
    kind = "flag.archived"


class FlagRestored(_FlagEvent):
    kind = "flag.restored"


class FlagScheduled(_FlagEvent):
    kind = "flag.scheduled"


class FlagLinked(_FlagEvent):
    kind = "flag.linked"
    names = {"issue": "issue"}  # noqa: RUF012 - declared as a ClassVar in Event


class FlagBypassed(_FlagEvent):
    """An approval was passed over."""

    kind = "flag.bypassed"


class SegmentSaved(_FlagEvent):
    kind = "segment.saved"


class SegmentUpdated(_FlagEvent):
    kind = "segment.updated"


class SegmentDeleted(_FlagEvent):
    kind = "segment.deleted"


class ChangeRequested(_FlagEvent):
    kind = "change.requested"


class ChangeReviewed(_FlagEvent):
    kind = "change.reviewed"


class ChangeApplied(_FlagEvent):
    """It came to its end: `status` says whether it was `applied`, or `failed` since it did not fit any more."""

    kind = "change.applied"


class ChangeCancelled(_FlagEvent):
    kind = "change.cancelled"


class EnvironmentSaved(_FlagEvent):
    kind = "environment.saved"


class EnvironmentDeleted(_FlagEvent):
    kind = "environment.deleted"


class SdkKeyCreated(_FlagEvent):
    kind = "sdk_key.created"
    audience = "admin"


class SdkKeyRevoked(_FlagEvent):
    kind = "sdk_key.revoked"
    audience = "admin"
