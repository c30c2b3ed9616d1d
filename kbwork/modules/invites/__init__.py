"""Invites: how people come into the org."""

USES = ("auth", "members", "projects", "teams")
TABLES = ("invite",)
__all__ = ["TABLES", "USES"]
