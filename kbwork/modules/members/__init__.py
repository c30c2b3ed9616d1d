"""Members: the people of the org, their roles and profiles."""

from kbwork.modules.members.model import Member
from kbwork.modules.members.queries import by_ref, find, seen, shown

USES = ()
TABLES = ("member",)
__all__ = ["TABLES", "USES", "Member", "by_ref", "find", "seen", "shown"]
