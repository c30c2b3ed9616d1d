"""Names for subjects of any kind."""

USES = ("issues", "labels", "members", "projects")
TABLES = ()
__all__ = ["TABLES", "USES"]
