"""Feature flags: projects with environments, flags with targeting, segments, change requests, schedules, SDK keys."""

from kbwork.modules.flags.change.asked import asked_for_approval

USES = ("issues", "members", "org", "projects", "trash")
TABLES = (
    "flag",
    "flag_alias",
    "flag_alias_count",
    "flag_change",
    "flag_check",
    "flag_config",
    "flag_count",
    "flag_environment",
    "flag_expiry",
    "flag_issue",
    "flag_plan",
    "flag_project",
    "flag_reference",
    "flag_review",
    "flag_revision",
    "flag_schedule",
    "flag_segment",
    "flag_template",
    "flag_trigger",
    "flag_usage",
    "flag_use",
    "sdk_batch",
    "sdk_key",
)
__all__ = ["TABLES", "USES", "asked_for_approval"]
