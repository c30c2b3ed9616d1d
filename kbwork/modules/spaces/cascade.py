"""What happens to the spaces of a project that is purged."""

from kbwork.core.things.cascade import Cascade
from kbwork.core.things.thing import ref_of
from kbwork.db.tx import Write
from kbwork.modules import trash
from kbwork.modules.projects import access as projects


def _purge(tx: Write, subject: str) -> bool:
    kind, ref = ref_of(subject)
    if kind != "project":
        return True
    keys = tx.column(
        "select key from space where project = :project order by id", project=projects.purged(tx, ref)
    )
    return all(trash.purge(tx, f"space:{key}") for key in keys)


ON_PROJECTS = Cascade(name="spaces", home=__name__, purge=_purge)
