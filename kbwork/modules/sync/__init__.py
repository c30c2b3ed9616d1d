"""Sync: what a client needs that keeps things of its own, and goes on by what changed."""

USES = ("issues", "projects")
TABLES = ("pushed_write",)
__all__ = ["TABLES", "USES"]
