"""Imports: work from other tools, read apart, mapped, brought in by jobs, and taken back."""

USES = (
    "attachments",
    "checklists",
    "comments",
    "fields",
    "issues",
    "members",
    "projects",
    "trash",
    "types",
    "workflows",
)
TABLES = ("import", "import_item", "import_log", "upload")
__all__ = ["TABLES", "USES"]
