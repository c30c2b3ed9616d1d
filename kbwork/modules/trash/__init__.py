"""The trash: what was deleted and can come back, until it is purged."""

from kbwork.modules.trash.entries import put, take
from kbwork.modules.trash.purging import forget, purge

USES = ()
TABLES = ("trash",)
__all__ = ["TABLES", "USES", "forget", "purge", "put", "take"]
