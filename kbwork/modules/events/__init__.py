"""Events taken out by the day, as Parquet, for programs that read millions of them. For admins."""

USES = ("analytics",)
TABLES = ()
__all__ = ["TABLES", "USES"]
