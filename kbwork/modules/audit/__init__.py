"""The audit log: every event, and the security acts that stand nowhere else."""

USES = ("members",)
TABLES = ("events",)
__all__ = ["TABLES", "USES"]
