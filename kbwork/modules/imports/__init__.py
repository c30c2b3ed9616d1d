"""Imports: work from other tools, read apart, mapped, brought in by jobs, and taken back."""

from kbwork.modules.imports.kbz import restore_project

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
__all__ = ["TABLES", "USES", "restore_project"]
