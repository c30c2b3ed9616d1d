"""What happens to components when an issue or their project is purged."""

from kbwork.core.things.cascade import Cascade
from kbwork.core.things.thing import ref_of
from kbwork.db.tx import Write
from kbwork.modules.projects import access


def _purge(tx: Write, subject: str) -> None:
    kind, ref = ref_of(subject)
    if kind == "issue":
        tx.execute("delete from issue_component where issue = :id", id=int(ref))
    elif kind == "project":
        project = access.purged(tx, ref)
        tx.execute("delete from component_count where project = :id", id=project)
        tx.execute("delete from component where project = :id", id=project)


HANGING = Cascade(name="components", home=__name__, purge=_purge)
