"""What happens to sprints when an issue or a project is purged, when somebody is erased, and when one was deleted."""

import json

from kbwork.core.jobs.kinds import JobKind, Next, RunningJob, Schedule
from kbwork.core.things import undo
from kbwork.core.things.cascade import Cascade
from kbwork.core.things.thing import ref_of
from kbwork.db.tx import Read, Write
from kbwork.modules.projects import access as projects

_AT_ONCE = 200


def _purge(tx: Write, subject: str) -> None:
    kind, ref = ref_of(subject)
    if kind == "issue":
        tx.execute("delete from sprint_past where issue = :id", id=int(ref))
    elif kind == "project":
        project = projects.purged(tx, ref)
        only = tx.column(
            "select s.id from sprint_project sp join sprint s on s.id = sp.sprint where sp.project = :id"
            " and s.team is null and not exists (select 1 from sprint_project o where o.sprint = s.id"
            " and o.project <> :id)",
            id=project,
        )
        tx.execute("delete from sprint_project where project = :id", id=project)
        tx.execute("delete from sprint_cadence where project = :id", id=project)
        for sprint in only:
            _remove(tx, sprint)


HANGING = Cascade(name="sprints", home=__name__, purge=_purge)


def _remove(tx: Write, sprint: int) -> None:
    """All rows of a sprint go."""
    tx.execute("delete from sprint_past where sprint = :id", id=sprint)
    tx.execute("delete from sprint_project where sprint = :id", id=sprint)
    tx.execute("update issue set sprint = null where sprint = :id", id=sprint)
    tx.execute("delete from sprint where id = :id", id=sprint)


def _forget(tx: Write, job: RunningJob) -> Next:
    """An erased person has no capacity; sprints of theirs stay with those who see them."""
    member = job.args["member"]
    for row in tx.all(
        "select s.id, s.capacity from sprint s where exists"
        " (select 1 from json_each(s.capacity) c where c.key = :member)",
        member=member,
    ):
        capacity = json.loads(row["capacity"])
        del capacity[member]
        tx.update("sprint", row["id"], capacity=json.dumps(capacity))
    return Next()


FORGET = JobKind(kind="sprints.forget", home=__name__, step=_forget)

_OVER = "select id from sprint where deleted_at < :before order by deleted_at limit :most"


def _any_over(tx: Read) -> bool:
    return bool(tx.column(_OVER, before=tx.now - 2 * undo.KEPT_S, most=1))


def _sweep(tx: Write) -> None:
    """What was deleted goes for good when undo can bring it back no more."""
    for sprint in tx.column(_OVER, before=tx.now - 2 * undo.KEPT_S, most=_AT_ONCE):
        _remove(tx, sprint)


SWEEP = Schedule(name="sprints.sweep", home=__name__, every_s=600, run=_sweep, due=_any_over)
