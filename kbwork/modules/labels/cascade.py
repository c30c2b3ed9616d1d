"""What happens to labels when their project, or an issue, is purged."""

from kbwork.core.things.cascade import Cascade
from kbwork.core.things.thing import ref_of
from kbwork.db.tx import Write
from kbwork.modules.projects import access


def _purge(tx: Write, subject: str) -> None:
    kind, ref = ref_of(subject)
    if kind == "project":
        project = access.purged(tx, ref)
        tx.execute("delete from label_count where project = :id", id=project)
        tx.execute("delete from label where project = :id", id=project)


ON_PROJECTS = Cascade(name="labels", home=__name__, purge=_purge)
