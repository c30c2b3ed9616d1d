"""The words of automation."""

from typing import Any, ClassVar, Literal

from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent

TriggerKind = Literal["event", "schedule", "button", "hook", "state"]
OnError = Literal["stop", "go_on"]


class Trigger(TypedDict):
    """When a rule runs."""

    kind: TriggerKind
    """`event`: something happened; `schedule`: at times; `button`: somebody runs it; `hook`: a request comes in;
    `state`: an issue fits a query for some time."""
    event: str | None
    """Kind of the event, `*` at its end for all that begin so; null: of another kind."""
    tql: str | None
    """Only issues that fit this; null for whoever may not read it, and where there is none."""
    every: str | None
    """The times, as cron writes them; null: of another kind."""
    zone: str | None
    """The time zone that these are of; null: of another kind."""
    label: str | None
    """What the button says; null: of another kind."""
    path: str | None
    """Where a request sets it off, which is for admins to read; null for others, and of another kind."""
    minutes: int | None
    """So long an issue has to fit; null: of another kind."""


class Action(TypedDict):
    """One operation that a rule runs."""

    op: str
    """Id of the operation."""
    input: dict[str, Any] | None
    """Its input, with placeholders; null for whoever may not read it."""
    each: str | None
    """It is run for each issue that fits this; null: once."""
    apply: bool
    """With `ai.run`: what the model answers is applied without review, where the policy of AI lets rules do so."""
    on_error: OnError
    """`stop`: what is refused takes back the whole run; `go_on`: the rest stands without it."""
    delay_minutes: int
    """So long the run waits before it."""


class AutomationRule(TypedDict):
    """When this happens, and these conditions hold, these operations are run."""

    id: int
    """Id of the rule."""
    name: str
    """What it is called."""
    enabled: bool
    """Whether it is on."""
    trigger: Trigger
    """When it runs."""
    conditions: list[dict[str, Any]]
    """What must hold besides, all of it; empty for whoever may not read it."""
    actions: list[Action]
    """What it does, in order."""
    runs: int
    """How often it ran."""
    last_run_at: int | None
    """When it ran last, in Unix seconds; null: never."""
    next_run_at: int | None
    """When it runs next, in Unix seconds; null: it goes by no times, or is off."""
    created_at: int
    """When it was made, in Unix seconds."""
    created_by: str
    """Who made it: a member's id. It runs with the rights of whoever saved it last."""


class AutomationLogEntry(TypedDict):
    """What came of one run."""

    id: int
    """Its number: later runs have higher ones."""
    rule: int
    """Id of the rule."""
    at: int
    """When it ran, in Unix seconds."""
    event: str
    """Kind of the event that set it off; `schedule`, `button`, `state`, `hook` or `trial`."""
    actor: str
    """Who did what set it off; `system` for a time, `anonymous` for a request from outside."""
    label: str
    """Key or title of what it ran for, as it was then; empty: nothing."""
    message: str
    """What it did, or why it did not."""
    ok: bool
    """Whether it did what it was to do."""
    subject: str | None
    """What it ran for, as `kind:id`; null: nothing."""


class RuleRun(TypedDict):
    log: int
    """Its entry in the log, which says what came of it."""


class RuleSetOff(TypedDict):
    """What became of a request from outside."""

    result: Literal["queued"]
    """The rule runs in a moment: its log says what came of it."""


class DeletedRule(TypedDict):
    id: int
    """Id of the rule."""
    deleted: bool
    """Always true: it is gone."""


class Preset(TypedDict):
    """Actions to begin with."""

    key: str
    """Key of the preset."""
    title: str
    """What it does."""
    actions: list[dict[str, Any]]
    """The actions, as `automation.save` takes them."""


class SubjectField(TypedDict):
    name: str
    """What conditions call it."""
    kind: str
    """Sort of its values."""


class RuleSubject(TypedDict):
    """What conditions may ask of a kind of subject."""

    kind: str
    """Kind of subject."""
    fields: list[SubjectField]
    """Its fields."""


class RuleVariable(TypedDict):
    """A placeholder that inputs of actions may hold."""

    name: str
    """It is written `{{name}}`."""
    title: str
    """What becomes of it."""
    example: str
    """Such as this."""


class AutomationCatalog(TypedDict):
    """What rules can be made of."""

    general: list[Preset]
    """Actions to begin with."""
    ops: list[str]
    """Every operation that an action may run."""
    subjects: list[RuleSubject]
    """What conditions may ask."""
    variables: list[RuleVariable]
    """What inputs may hold beside the fields of the issue."""


class RuleSaved(DomainEvent):
    kind = "rule.saved"
    audience = "admin"


class RuleDeleted(DomainEvent):
    kind = "rule.deleted"
    audience = "admin"


class RuleDisabled(DomainEvent):
    """It was switched off by the server: `error` says why."""

    kind = "rule.disabled"
    audience = "admin"


class RuleRan(DomainEvent):
    """A rule did what it is to do. It is of the issue that it ran for, where there is one."""

    kind = "rule.ran"
    audience = "admin"
    stands: ClassVar[bool] = True


class RuleFailed(DomainEvent):
    """A rule could not do what it is to do; nothing of that run stands."""

    kind = "rule.failed"
    audience = "admin"
    stands: ClassVar[bool] = True
