"""Mail: the server that it goes by, what went and waits, its texts, and mailboxes that are read."""

USES = ("attachments", "desk", "issues", "projects", "spaces")
TABLES = ("mail_sender", "mail_template", "mailbox", "mailbox_mail")
__all__ = ["TABLES", "USES"]
