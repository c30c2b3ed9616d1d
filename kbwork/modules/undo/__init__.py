"""Undo: taking back what one did in the last 24 hours."""

USES = ("trash",)
TABLES = ()
__all__ = ["TABLES", "USES"]
