"""Names for subjects of any kind."""

USES = ()
TABLES = ()
__all__ = ["TABLES", "USES"]
