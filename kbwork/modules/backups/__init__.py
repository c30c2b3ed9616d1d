"""Backups: archives of the whole org, taken while people work, by hand or on a schedule, checked and fetched."""

USES = ("imports", "uploads")
TABLES = ("backup_schedule", "carried_over")
WRITES = (
    "ai_call",
    "ai_policy",
    "ai_provider",
    "ai_run",
    "ai_usage",
    "chat_account",
    "chat_code",
    "chat_connection",
    "chat_post",
    "chat_subscription",
    "customer",
    "desk",
    "flag_change",
    "flag_environment",
    "flag_plan",
    "flag_schedule",
    "flag_trigger",
    "import",
    "invite",
    "job",
    "key",
    "later_reply",
    "mail_sender",
    "mailbox",
    "mailbox_mail",
    "member",
    "notification",
    "oauth_grant",
    "rule",
    "rule_run",
    "sdk_key",
    "webhook",
    "webhook_delivery",
)
"""Tables of others that it writes itself."""
__all__ = ["TABLES", "USES", "WRITES"]
