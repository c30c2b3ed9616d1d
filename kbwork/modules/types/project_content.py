"""Types as a part of what a project is made of."""

from kbwork.core.operations import nested
from kbwork.db.tx import Write
from kbwork.modules.projects import OfferedTypes
from kbwork.modules.types.ops import projects_set


def _offer(tx: Write, project: str, types: list[str]) -> None:
    nested.run(tx, projects_set, {"project": project, "types": types, "default": types[0]})


TYPES = OfferedTypes(home=__name__, offer=_offer)
