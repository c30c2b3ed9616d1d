"""Teams: groups of members with leads."""

USES = ()
TABLES = ()
__all__ = ["TABLES", "USES"]
