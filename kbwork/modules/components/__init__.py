"""Components: parts of a project, each with somebody who gets its new issues."""

from kbwork.modules.components.issues import by_names, names_of, taker, write

USES = ("members", "projects")
TABLES = ("component", "component_count", "issue_component")
__all__ = ["TABLES", "USES", "by_names", "names_of", "taker", "write"]
