"""Imports: work from other tools, read apart, mapped, brought in by jobs, and taken back."""

# Nothing is imported here: the readers of sources are processes of their own and begin with this file.

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
WRITES = (
    "comment",
    "component",
    "field",
    "field_option",
    "issue",
    "project",
    "project_member",
    "project_status",
    "project_type",
    "relation",
)
"""Tables of others that it writes itself."""
__all__ = ["TABLES", "USES", "WRITES", "restore_project"]
