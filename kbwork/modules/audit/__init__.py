"""The audit log: every event, and the security acts that stand nowhere else."""

USES = ("members",)
TABLES = ()
__all__ = ["TABLES", "USES"]
