"""Backups: archives of the whole org, taken while people work, by hand or on a schedule, checked and fetched."""

USES = ("imports",)
TABLES = ("backup_schedule",)
__all__ = ["TABLES", "USES"]
