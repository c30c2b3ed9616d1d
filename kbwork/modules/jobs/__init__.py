"""Jobs: long work that runs beside the requests."""

USES = ()
TABLES = ("job",)
__all__ = ["TABLES", "USES"]
