"""Chat: commands from Slack, Teams and Discord run operations, and channels there hear of issues."""

USES = ("desk", "issues", "members", "projects", "tql")
TABLES = ("chat_account", "chat_code", "chat_connection", "chat_post", "chat_subscription", "chat_taken")
__all__ = ["TABLES", "USES"]
