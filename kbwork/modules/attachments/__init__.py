"""Attachments: files on issues, comments, projects and the org, with their bytes in the data file."""

USES = ("comments", "issues", "projects", "trash")
TABLES = ("attachment", "attachment_text", "blob")
__all__ = ["TABLES", "USES"]
