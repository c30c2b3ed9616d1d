"""The trash: what was deleted and can come back, until it is purged."""

from kbwork.modules.trash.entries import put, take

USES = ("members", "projects")
TABLES = ("trash",)
__all__ = ["TABLES", "USES", "put", "take"]
