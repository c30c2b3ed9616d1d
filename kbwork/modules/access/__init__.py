"""Access: rights that are given on one thing, such as a space, to somebody, a team or a role."""

from kbwork.modules.access.grants import give
from kbwork.modules.access.queries import held, here, identities

USES = ("members",)
TABLES = ("access_grant",)
__all__ = ["TABLES", "USES", "give", "held", "here", "identities"]
