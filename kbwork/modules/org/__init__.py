"""The org: its settings, its modules, its usage, and how it begins."""

from kbwork.modules.org.model import OrgUpdated

USES = ("auth", "lanes", "members", "projects", "types", "workflows")
TABLES = ("setting", "logo")
__all__ = ["TABLES", "USES", "OrgUpdated"]
