"""Boards: the issues of a query in columns of lanes, in the order of their ranks, to be moved by dropping."""

USES = ("issues", "projects", "tql", "trash", "views", "workflows")
TABLES = ("board",)
__all__ = ["TABLES", "USES"]
