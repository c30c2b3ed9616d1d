"""Lanes: the statuses that issues stand in, shared by the org's workflows."""

from kbwork.modules.lanes.seed import seed

USES = ("issues", "projects", "types", "workflows")
TABLES = ("lane",)
__all__ = ["TABLES", "USES", "seed"]
