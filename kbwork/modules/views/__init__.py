"""Views: saved queries with a layout, private, shared or on a project, which may be subscribed to by mail."""

from kbwork.modules.views import validation

USES = ("members", "projects", "tql", "trash")
TABLES = ("view", "view_subscription")
__all__ = ["TABLES", "USES", "validation"]
