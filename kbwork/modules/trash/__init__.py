"""The trash: what was deleted and can come back, until it is purged."""

from kbwork.modules.trash.entries import put, take, trashable
from kbwork.modules.trash.erasure import forget, forget_members
from kbwork.modules.trash.purge_jobs import purge

USES = ()
TABLES = ("trash",)
__all__ = ["TABLES", "USES", "forget", "forget_members", "purge", "put", "take", "trashable"]
