"""The audit log: every event, and the security acts that stand nowhere else."""

USES = ()
TABLES = ("events",)
__all__ = ["TABLES", "USES"]
