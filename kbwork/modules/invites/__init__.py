"""Invites: how people come into the org."""

USES = ()
TABLES = ()
__all__ = ["TABLES", "USES"]
