"""Imports: work from other tools, read apart, mapped, brought in by jobs, and taken back."""

# Nothing is imported here: the readers of sources are processes of their own and begin with this file.

USES = (
    "attachments",
    "comments",
    "issues",
    "members",
    "projects",
    "trash",
    "types",
    "uploads",
    "workflows",
)
TABLES = ("import", "import_item", "import_log", "import_page")
WRITES = ("component", "field", "project")
"""Tables of others that it writes itself; the rows of an archive it writes as their modules say in their manifests."""
__all__ = ["TABLES", "USES", "WRITES", "restore_project"]
