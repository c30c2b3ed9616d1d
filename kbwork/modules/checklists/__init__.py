"""Checklists: small steps of an issue that are ticked off, and templates of them."""

from kbwork.modules.checklists.imported import add_imported

USES = ("issues", "projects", "types")
TABLES = ("check_item", "checklist_template")
__all__ = ["TABLES", "USES", "add_imported"]
