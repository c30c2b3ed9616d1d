"""Activity: what happened to a subject, lately, and since one last looked."""

USES = ()
TABLES = ("mark",)
__all__ = ["TABLES", "USES"]
