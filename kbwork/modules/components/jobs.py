"""What happens to components when somebody is erased, or an issue or their project is purged."""

from kbwork.core.jobs import Job, JobKind, Next
from kbwork.core.subjects import Part, ref_of
from kbwork.db.tx import Write
from kbwork.modules.projects import access


def _forget(tx: Write, job: Job) -> Next:
    """An erased person leads no component."""
    for component in tx.column("select id from component where lead = :who", who=job.args["member"]):
        tx.update("component", component, lead=None)
    return Next()


FORGET = JobKind(kind="components.forget", home=__name__, step=_forget)


def _purge(tx: Write, subject: str) -> None:
    kind, ref = ref_of(subject)
    if kind == "issue":
        tx.execute("delete from issue_component where issue = :id", id=int(ref))
    elif kind == "project":
        project = access.purged(tx, ref)
        tx.execute("delete from component_count where project = :id", id=project)
        tx.execute("delete from component where project = :id", id=project)


HANGING = Part(name="components", home=__name__, purge=_purge)
