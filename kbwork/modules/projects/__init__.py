"""Projects: where issues live, under one key, with their people, types and settings."""

from kbwork.modules.projects.delete import unmake

USES = ("members", "trash")
TABLES = ("project", "project_key", "project_member", "project_status", "project_template", "project_type")
__all__ = ["TABLES", "USES", "unmake"]
