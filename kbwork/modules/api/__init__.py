"""Several calls in one, and the change feed."""

USES = ()
TABLES = ()
__all__ = ["TABLES", "USES"]
