"""Labels: short names on issues and pages, of the org or of one project; a group makes its labels exclusive."""

from kbwork.modules.labels.queries import usable

USES = ("projects",)
TABLES = ("label", "issue_label")
__all__ = ["TABLES", "USES", "usable"]
