"""Imports: work from other tools, read apart, mapped, brought in by jobs, and taken back."""

USES = (
    "comments",
    "issues",
    "members",
    "projects",
    "trash",
    "types",
    "workflows",
)
TABLES = ("import", "import_item", "import_log", "upload")
__all__ = ["TABLES", "USES"]
