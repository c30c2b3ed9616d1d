"""The words of the org."""

from typing import Any, Literal

from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent
from kbwork.core.org_settings import OrgSummary

ALWAYS_ON = frozenset(
    [
        "access",
        "activity",
        "api",
        "audit",
        "auth",
        "backups",
        "issues",
        "jobs",
        "keys",
        "maintenance",
        "members",
        "org",
        "projects",
        "subjects",
        "tql",
        "trash",
        "undo",
    ]
)
"""Modules that cannot be switched off."""


class Retention(TypedDict):
    """Days that things are kept; null: for ever."""

    audit_days: int | None
    """Days that the audit log is kept; null: for ever."""
    trash_days: int | None
    """Days that deleted things can be restored; null: for ever."""
    events_days: int | None
    """Days that events are kept; null: for ever."""
    attachments_days: int | None
    """Days that files are kept; null: for ever."""


class Banner(TypedDict):
    text: str
    """What it says, in Markdown."""
    level: Literal["info", "warning"]
    """Whether it informs or warns."""
    until: int | None
    """When it goes by itself, in Unix seconds; null: it stays."""


class Org(OrgSummary):
    """The org. `retention`, `legal` and `allowed_files` are empty for guests."""

    modules: dict[str, bool]
    """Each module by name: whether it is on."""
    default_role: str
    """Role of those who come in by themselves."""
    guests: bool
    """Whether members may invite guests into projects that they lead."""
    public_links: bool
    """Whether things may be shown to the public by link."""
    week_start: int
    """First day of the week: 0 is Sunday, 1 Monday."""
    retention: dict[str, int | None]
    """Days that things are kept, by what is kept; null: for ever."""
    issue_defaults: dict[str, Any]
    """What new projects begin with: {`visibility`, `workflow`, `types`}."""
    allowed_files: list[str]
    """Endings or media types that may be attached; empty: all."""
    banner: Banner | None
    """What everybody is shown; null: nothing."""
    legal: dict[str, Any]
    """Texts and addresses by name, such as `imprint`."""
    created_at: int
    """When the org was made, in Unix seconds."""


class UsageMonth(TypedDict):
    month: str
    """The month, `YYYY-MM`."""
    machine_calls: int
    """Calls of keys and agents."""
    people: int
    """Active members who were there."""
    agents: int
    """Agents that called."""
    ai_tokens: int
    """Tokens of AI providers; 0 in this version."""
    mails: int
    """Mails that were sent; 0 in this version."""
    storage_bytes: int
    """Bytes of the database; 0 for months that are over."""
    flag_evaluations: int
    """Requests for remote evaluation of flags, of one or of all."""
    flag_events: int
    """Events that libraries for flags uploaded, each upload as 100 at least."""


class UsageKey(TypedDict):
    key: str
    """Id of the key."""
    name: str
    """What its owner calls it."""
    calls: int
    """Calls in these months."""


class Usage(TypedDict):
    """Calls and people by month; the newest first."""

    months: list[UsageMonth]
    """Figures by month, newest first."""
    limits: dict[str, int]
    """Allowances by name; always empty."""
    by_key: list[UsageKey]
    """Calls by key."""


class OrgUpdated(DomainEvent):
    kind = "org.updated"
    audience = "everyone"


class OrgModulesChanged(DomainEvent):
    kind = "org.modules_changed"
    audience = "everyone"


class OrgBannerSet(DomainEvent):
    kind = "org.banner_set"
    audience = "everyone"


class OrgClockStepped(DomainEvent):
    """The clock went ahead of what passed: `ahead_s` seconds."""

    kind = "org.clock_stepped"
    audience = "admin"


class OrgClockConfirmed(DomainEvent):
    """An admin said that it is right."""

    kind = "org.clock_confirmed"
    audience = "admin"
