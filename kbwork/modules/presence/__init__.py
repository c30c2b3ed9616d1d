"""Presence: who looks at what right now, or writes on it. Nothing of it is stored."""

USES = ()
TABLES = ()
__all__ = ["TABLES", "USES"]
