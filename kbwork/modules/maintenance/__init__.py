"""Care of the single file: whether everything is as it should be, and what mends it."""

USES = ()
TABLES = ()
__all__ = ["TABLES", "USES"]
