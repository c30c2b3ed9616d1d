"""The words of feature flags. What stands inside definitions is in the spelling of the flag engine (`contextKind`)."""

import re
from typing import Annotated, Any, Literal, NotRequired

from pydantic import AfterValidator, Field, WithJsonSchema
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
FlagProjectRef = Annotated[Ref, Field(description="Key of the flag project.")]
FlagRef = Annotated[Ref, Field(description="Key of the flag.")]
EnvironmentRef = Annotated[Ref, Field(description="Key of the environment.")]
SegmentRef = Annotated[Ref, Field(description="Key of the segment.")]
_MOMENT_CHARS = 40


def _short(value: Any) -> Any:
    if isinstance(value, str) and len(value) > _MOMENT_CHARS:
        raise ValueError(f"a time is written in {_MOMENT_CHARS} characters at most")
    return value


_WRITTEN = {"type": "string", "maxLength": _MOMENT_CHARS}
Moment = Annotated[Any, AfterValidator(_short), WithJsonSchema({"anyOf": [{"type": "integer"}, _WRITTEN]})]
"""A time to come: Unix milliseconds, or as `2026-03-01T09:00:00Z`; what reads it says what is wrong with others."""
Remark = Annotated[str, Field(max_length=2000)]
Instructions = Annotated[list[Json], Field(min_length=1, max_length=500)]
"""Ordered instructions, applied all or nothing."""
Listed = Annotated[list[str], Field(max_length=100_000)]
PROJECT_KEY = re.compile(r"(?!\.{1,2}\Z)[A-Za-z0-9._-]{1,64}")
KEY = re.compile(r"(?!\.{1,2}\Z)[A-Za-z0-9._-]{1,128}")
"""`.` and `..` are none: whoever calls a path leaves them out of it."""
UNDO = "flags have a history of their own: flags.history and flags.restore"


class EnvironmentState(TypedDict):
    """A flag in one environment. Lists come with the whole flag, how long they are with a list of flags."""

    on: bool
    """Whether targeting is on."""
    off_variation: int | None
    """Index of the variation that is served while it is off; null: the caller's default."""
    fallthrough: Json
    """What is served where no target and no rule fits: a variation or a rollout."""
    track_events: bool
    """Whether clients are to send an event for each evaluation."""
    version: int
    """Version of the flag there, which every change raises."""
    targets: NotRequired[list[Json]]
    """Contexts by key that get a variation."""
    expiring: NotRequired[list[Json]]
    """Those of them that end by themselves: {`contextKind`, `variation`, `values`, `at` in Unix milliseconds}."""
    rules: NotRequired[list[Json]]
    """Rules in order, each with clauses and what it serves."""
    prerequisites: NotRequired[list[Json]]
    """Flags that must serve a variation before this one is asked."""
    counts: NotRequired[dict[str, int]]
    """How many targets, rules and prerequisites there are, in lists of flags."""


class FlagReview(TypedDict):
    who: str
    """Id of the member who said it."""
    decision: Decision
    """What they decided, or `comment`: nothing."""
    comment: str
    """What they said; empty: nothing."""
    at: int
    """When, in Unix seconds."""


class FlagChange(TypedDict):
    """A change that waits, or was decided. `run_at` is in milliseconds, the other times in seconds.

    `preview` is what it would change now: {`diff`, `fits`, `why`}; it stands in the answers about one change.
    """

    id: int
    """Id of the change request."""
    kind: TargetKind
    """Whether it changes a flag or a segment."""
    target: str
    """Key of the flag or segment."""
    environment: str
    """Key of the environment."""
    instructions: list[Json]
    """What is to be done, in order."""
    comment: str
    """Why, in words; empty: nothing said."""
    status: Status
    """How far it is."""
    run_at: int | None
    """When it is to be applied, in Unix milliseconds; null: once it is approved."""
    reviews: list[FlagReview]
    """What people decided or said, oldest first."""
    requested_by: str
    """Who asked for it: a member's id or `agent:<name>`."""
    created_at: int
    """When it was asked for, in Unix seconds."""
    plan: int | None
    """The rollout that starts when it is applied, whose steps these instructions are; null: it is a change."""
    preview: Json | None
    """{`diff`, `fits`, `why`} of applying it now; null: decided, or not asked for."""


class FlagSchedule(TypedDict):
    """Instructions for a time; `run_at` is in milliseconds."""

    id: int
    """Id of the schedule, for `flags.schedule_delete`."""
    key: str
    """Key of the flag."""
    environment: str
    """Key of the environment."""
    instructions: list[Json]
    """What is to be done, in order."""
    run_at: int
    """When, in Unix milliseconds."""
    created_by: str
    """Who asked for it: a member's id or `agent:<name>`."""


class Flag(TypedDict):
    """A flag with its state in each environment; one that was asked for alone comes with what belongs to it."""

    project: str
    """Key of its flag project."""
    key: str
    """Key, which programs name it by."""
    name: str
    """What people read."""
    description: str
    """What it is for; empty: nothing said."""
    kind: FlagKind
    """What its variations are."""
    variations: list[Json]
    """What it may serve, {`value`, `name`, `description`} of each, in order."""
    tags: list[str]
    """Words to find it by; `kill-switch` puts it on that list."""
    maintainers: list[str]
    """Ids of the members who look after it."""
    temporary: bool
    """Whether it is to be removed some day."""
    client_side: bool
    """Whether client-side IDs see it."""
    defaults: dict[str, int]
    """Indexes of the variations that a new environment serves: {`on`, `off`}."""
    schema: Json | None
    """JSON schema that every variation fits; null: none."""
    archived: bool
    """Whether clients answer their own default for it."""
    version: int
    """Version of the flag itself, which every change of it raises."""
    environments: dict[str, EnvironmentState]
    """Its state by key of the environment."""
    aliases: list[str]
    """Keys that it had before, by which it is evaluated still."""
    dependents: NotRequired[list[str]]
    """Keys of flags that wait for it."""
    changes: NotRequired[list[FlagChange]]
    """Change requests of it that are open."""
    schedules: NotRequired[list[FlagSchedule]]
    """What is to change at a time."""
    issues: NotRequired[list[str]]
    """Keys of the issues that it belongs to, as far as the caller sees them."""


class Environment(TypedDict):
    project: str
    """Key of the flag project."""
    key: str
    """Key of the environment."""
    name: str
    """What people read."""
    critical: bool
    """Whether what agents change there waits for approval."""
    require_approval: bool
    """Whether what anybody changes there waits for approval."""
    min_approvals: int
    """So many people approve a change."""
    allow_self_approval: bool
    """Whether whoever asks for a change may approve it too."""


class Segment(TypedDict):
    """A group of contexts; `used_by` names the flags and segments (`segment:<key>`) that ask for it."""

    project: str
    """Key of the flag project."""
    environment: str
    """Key of the environment."""
    key: str
    """Key of the segment, which rules name it by."""
    name: str
    """What people read."""
    included: list[str]
    """Keys of users who are in it."""
    excluded: list[str]
    """Keys of users who are not in it, whatever the rules say."""
    included_contexts: list[Json]
    """Keys of other kinds of contexts that are in it: {`contextKind`, `values`}."""
    excluded_contexts: list[Json]
    """Keys of other kinds of contexts that are not in it: {`contextKind`, `values`}."""
    rules: list[Json]
    """Rules in order, by which others are in it."""
    description: str
    """What it is for; empty: nothing said."""
    tags: list[str]
    """Words to find it by."""
    used_by: list[str]
    """Flags, and segments as `segment:<key>`, that ask for it."""


class SdkKey(TypedDict):
    """A key of client libraries. `value` is a client-side ID, which is public; a server key is shown once."""

    id: int
    """Id of the key, for `flags.key_revoke`."""
    environment: str
    """Key of the environment that it opens."""
    kind: KeyKind
    """`server` for back ends, secret; `client` for browsers and apps, public."""
    last4: str
    """Its last four characters."""
    value: str | None
    """The client-side ID; null for a server key."""
    created_at: int
    """When it was made, in Unix seconds."""
    expires_at: int | None
    """When it ends, in Unix seconds; null: not by itself."""


class FlagTemplate(TypedDict):
    """What a new flag may begin as. `settings` are fields of `flags.create`."""

    key: str
    """Key of the template."""
    name: str
    """What people choose it by."""
    kind: FlagKind
    """What the flag's variations are."""
    variations: list[Json]
    """What the flag may serve, {`value`, `name`, `description`} of each."""
    settings: Json
    """Other fields of the new flag, as `flags.create` takes them."""
    built_in: bool
    """Whether it came with kbwork and stays as it is."""


class FlagProject(TypedDict):
    project: str
    """Key of the flag project."""
    name: str
    """What people read."""
    environments: list[str]
    """Keys of its environments."""
    flags: int
    """How many flags live there."""


class FlagSettings(TypedDict):
    agent_writes: AgentWrites
    """What becomes of an agent's change to a critical environment: it waits for approval, or is applied."""


class FlagRevision(TypedDict):
    """One version: who made it of the one before, and what differs, as {`path`, `from`, `to`}."""

    id: int
    """Id of the version, for `flags.restore`."""
    version: int
    """Number of the version, from 1, of the flag itself or of it in the environment."""
    at: int
    """When it was made, in Unix seconds."""
    who: str
    """Who made it: a member's id or `agent:<name>`."""
    via: str | None
    """Key or agent that did it in a person's name; null: none."""
    comment: str
    """What was said of it; empty: nothing."""
    diff: list[Json]
    """What differs from the version before: {`path`, `from`, `to`} of each place; where a list of more than a hundred
    keys changed {`path`, `added`, `removed`}."""


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


class FlagRenamed(_FlagEvent):
    """It has another key, `to`. As a subject it keeps the first that it had."""

    kind = "flag.renamed"


class FlagScheduled(_FlagEvent):
    kind = "flag.scheduled"


class FlagLinked(_FlagEvent):
    kind = "flag.linked"
    names = {"issue": "issue"}  # noqa: RUF012 - declared as a ClassVar in Event


class FlagBypassed(_FlagEvent):
    """An approval was passed over, or checks were."""

    kind = "flag.bypassed"


class FlagCheckSaved(_FlagEvent):
    """A saved check of an environment was made, changed, or deleted."""

    kind = "flag.check_saved"


class FlagTriggerSaved(_FlagEvent):
    """A trigger of a flag was made, changed, or deleted."""

    kind = "flag.trigger_saved"


class FlagPlanMoved(_FlagEvent):
    """A rollout by a plan was made, took a step, or is held, stopped or done."""

    kind = "flag.plan_moved"


class FlagRefsPushed(_FlagEvent):
    """Other places of the code of a branch name flags than before."""

    kind = "flag.refs_pushed"


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
