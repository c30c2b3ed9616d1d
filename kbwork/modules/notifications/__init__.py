"""Notifications: one inbox for each person and agent, a view of the events that are for them."""

USES = ("analytics", "comments", "flags", "projects")
TABLES = (
    "inbox",
    "notification",
    "notification_due",
    "notification_mute",
    "notification_project",
    "notification_setting",
    "push_device",
    "push_server",
)
__all__ = ["TABLES", "USES"]
