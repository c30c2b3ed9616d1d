"""Sprints: what a team or some projects want to get done in some weeks, and what came of it."""

USES = ("issues", "members", "projects", "teams")
TABLES = ("sprint", "sprint_cadence", "sprint_past", "sprint_project")
WRITES = ("issue",)
"""Tables of others that it writes itself."""
__all__ = ["TABLES", "USES", "WRITES"]
