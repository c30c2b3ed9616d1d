"""What happens to flags when an issue or a project of work that they name is purged."""

from kbwork.core.jobs.kinds import JobKind, Next, RunningJob, enqueue
from kbwork.core.things.cascade import Cascade, purge_parts
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import FlagProjectRow
from kbwork.db.tx import Write
from kbwork.modules import trash
from kbwork.modules.projects import access

_OF_ENVIRONMENT = (
    "flag_check",
    "flag_alias_count",
    "flag_config",
    "flag_segment",
    "flag_use",
    "flag_count",
    "flag_expiry",
    "flag_plan",
    "flag_revision",
    "flag_schedule",
    "flag_trigger",
    "sdk_key",
)
"""What exists only in an environment, beside its changes."""
_OF_FLAG = (
    "flag_alias",
    "flag_alias_count",
    "flag_config",
    "flag_expiry",
    "flag_plan",
    "flag_reference",
    "flag_revision",
    "flag_schedule",
    "flag_trigger",
    "flag_issue",
    "flag_count",
)
_SLICE = 20
"""Changes, flags or segments that are removed in one step."""


def clear(tx: Write, environment: int) -> None:
    """Take away what exists only in an environment; what was said of its changes, which nobody sees any more, goes by a
    job."""
    changes = tx.column("select id from flag_change where environment = :id", id=environment)
    if changes:
        enqueue(tx, CLEAR.kind, {"changes": changes}, message="Removing what was said of changes")
    tx.execute(
        "delete from flag_review where change in (select id from flag_change where environment = :id)",
        id=environment,
    )
    tx.execute("delete from flag_change where environment = :id", id=environment)
    for table in _OF_ENVIRONMENT:
        tx.execute(f"delete from {table} where environment = :id", id=environment)


def _clear(tx: Write, job: RunningJob) -> Next:
    changes: list[int] = job.args["changes"]
    done = 0
    while done < min(_SLICE, len(changes)) and purge_parts(tx, f"flag_change:{changes[done]}"):
        done += 1
    return Next(args={"changes": changes[done:]}) if done < len(changes) else Next()


CLEAR = JobKind(kind="flags.clear", home=__name__, step=_clear)


def _purge(tx: Write, subject: str) -> bool:
    """Flags belong to the issue no more. Those of a private project go with it, for nobody else was to see them; those
    of any other are everybody's from then on, and kept by admins. False while there are more."""
    kind, ref = ref_of(subject)
    if kind == "issue":
        tx.execute("delete from flag_issue where issue = :id", id=int(ref))
    elif kind == "project":
        project = access.purged(tx, ref)
        private = tx.value("select visibility = 'private' from project where id = :id", id=project)
        for row in tx.all("select * from flag_project where work_project = :id", FlagProjectRow, id=project):
            if not private:
                tx.update("flag_project", row["id"], work_project=None)
            elif not _removed(tx, row):
                return False
    return True


def _removed(tx: Write, project: FlagProjectRow) -> bool:
    """Remove a flag project with all that was said of it, so that nothing comes to light under its keys if they are
    taken again; False while there is more."""
    return (
        _changes_removed(tx, project)
        and _flags_removed(tx, project)
        and _segments_removed(tx, project)
        and _project_removed(tx, project)
    )


def _changes_removed(tx: Write, project: FlagProjectRow) -> bool:
    found = tx.column(
        "select id from flag_change where project = :id order by id limit :most",
        id=project["id"],
        most=_SLICE,
    )
    for change in found:
        if not purge_parts(tx, f"flag_change:{change}"):
            return False
        tx.execute("delete from flag_review where change = :id", id=change)
        tx.execute("delete from flag_change where id = :id", id=change)
    return len(found) < _SLICE


def _flags_removed(tx: Write, project: FlagProjectRow) -> bool:
    found = tx.all(
        "select id, first_key from flag where project = :id order by id limit :most",
        id=project["id"],
        most=_SLICE,
    )
    for flag in found:
        name = f"flag:{project['key']}/{flag['first_key']}"
        if not (purge_parts(tx, name) and trash.forget(tx, name)):
            return False
        for table in _OF_FLAG:
            tx.execute(f"delete from {table} where flag = :id", id=flag["id"])
        tx.execute("delete from flag where id = :id", id=flag["id"])
    return len(found) < _SLICE


def _segments_removed(tx: Write, project: FlagProjectRow) -> bool:
    found = tx.all(
        "select s.id, e.key || '/' || s.key as name from flag_environment e join flag_segment s on s.environment = e.id"
        " where e.project = :id order by s.id limit :most",
        id=project["id"],
        most=_SLICE,
    )
    for segment in found:
        name = f"segment:{project['key']}/{segment['name']}"
        if not (purge_parts(tx, name) and trash.forget(tx, name)):
            return False
        tx.execute("delete from flag_segment where id = :id", id=segment["id"])
    return len(found) < _SLICE


def _project_removed(tx: Write, project: FlagProjectRow) -> bool:
    name = f"flag_project:{project['key']}"
    if not (purge_parts(tx, name) and trash.forget(tx, name)):
        return False
    for environment in tx.column("select id from flag_environment where project = :id", id=project["id"]):
        clear(tx, environment)
        tx.delete("flag_environment", environment)
    tx.delete("flag_project", project["id"])
    return True


HANGING = Cascade(name="flags", home=__name__, purge=_purge)
