"""Checklists: small steps of an issue that are ticked off, and templates of them."""

USES = ("issues", "projects", "types")
TABLES = ("check_item", "checklist_template")
__all__ = ["TABLES", "USES"]
