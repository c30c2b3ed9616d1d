"""Issue types: name, icon and level in the hierarchy."""

from kbwork.modules.types.ports import TypeReferences
from kbwork.modules.types.queries import by_name, every, find, of_project, seed, seen

USES = ("projects",)
TABLES = ("issue_type",)
WRITES = ("project", "project_type")
"""Tables of others that it writes itself."""
__all__ = [
    "TABLES",
    "USES",
    "WRITES",
    "TypeReferences",
    "by_name",
    "every",
    "find",
    "of_project",
    "seed",
    "seen",
]
