"""Issue types: name, icon and level in the hierarchy."""

from kbwork.modules.types.ports import TypeReferences
from kbwork.modules.types.queries import by_name, every, of_project, seed, seen

USES = ("projects",)
TABLES = ("issue_type",)
__all__ = ["TABLES", "USES", "TypeReferences", "by_name", "every", "of_project", "seed", "seen"]
