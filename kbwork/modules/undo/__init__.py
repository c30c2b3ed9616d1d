"""Undo: taking back what one did in the last 24 hours."""

USES = ("trash",)
TABLES = ("undo",)
__all__ = ["TABLES", "USES"]
