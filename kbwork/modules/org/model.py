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
    trash_days: int | None
    events_days: int | None
    attachments_days: int | None


class Banner(TypedDict):
    text: str
    level: Literal["info", "warning"]
    until: int | None


class Org(OrgSummary):
    """The org. `retention`, `legal` and `allowed_files` are empty for guests."""

    modules: dict[str, bool]
    default_role: str
    guests: bool
    public_links: bool
    week_start: int
    retention: dict[str, int | None]
    issue_defaults: dict[str, Any]
    allowed_files: list[str]
    banner: Banner | None
    legal: dict[str, Any]
    created_at: int


class UsageMonth(TypedDict):
    month: str
    machine_calls: int
    people: int
    agents: int
    ai_tokens: int
    mails: int
    storage_bytes: int


class UsageKey(TypedDict):
    key: str
    name: str
    calls: int


class Usage(TypedDict):
    """Calls and people by month; the newest first."""

    months: list[UsageMonth]
    limits: dict[str, int]
    by_key: list[UsageKey]


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
