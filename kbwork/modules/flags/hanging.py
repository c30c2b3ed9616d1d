"""What happens to flags when an issue or a project of work that they name is purged."""

from kbwork.core.subjects import Part, ref_of
from kbwork.db.tx import Write
from kbwork.modules.projects import access

_OF_ENVIRONMENT = (
    "flag_config",
    "flag_segment",
    "flag_use",
    "flag_count",
    "flag_revision",
    "flag_schedule",
    "sdk_key",
)
"""What exists only in an environment, beside its changes."""
_OF_FLAG = ("flag_revision", "flag_issue", "flag_count")


def clear(tx: Write, environment: int) -> None:
    """Take away what exists only in an environment."""
    for change in tx.column("select id from flag_change where environment = :id", id=environment):
        _clear_subject(tx, f"flag_change:{change}")
    tx.execute(
        "delete from flag_review where change in (select id from flag_change where environment = :id)",
        id=environment,
    )
    tx.execute("delete from flag_change where environment = :id", id=environment)
    for table in _OF_ENVIRONMENT:
        tx.execute(f"delete from {table} where environment = :id", id=environment)


def _purge(tx: Write, subject: str) -> None:
    """Flags belong to the issue no more. Those of a private project go with it, for nobody else was to see them; those
    of any other are everybody's from then on, and kept by admins."""
    kind, ref = ref_of(subject)
    if kind == "issue":
        tx.execute("delete from flag_issue where issue = :id", id=int(ref))
    elif kind == "project":
        project = access.purged(tx, ref)
        private = tx.value("select visibility = 'private' from project where id = :id", id=project)
        for row in tx.column("select id from flag_project where work_project = :id", id=project):
            if private:
                _remove(tx, row)
            else:
                tx.update("flag_project", row, work_project=None)


def _remove(tx: Write, project: int) -> None:
    for environment in tx.column("select id from flag_environment where project = :id", id=project):
        clear(tx, environment)
        tx.delete("flag_environment", environment)
    key = tx.value("select key from flag_project where id = :id", id=project)
    for flag in tx.column("select key from flag where project = :id", id=project):
        _clear_subject(tx, f"flag:{key}/{flag}")
    for table in _OF_FLAG:
        tx.execute(f"delete from {table} where flag in (select id from flag where project = :id)", id=project)
    tx.execute("delete from flag where project = :id", id=project)
    tx.delete("flag_project", project)


def _clear_subject(tx: Write, subject: str) -> None:
    """Purge what hangs on a flag or a change request."""
    while any(part.purge(tx, subject) is False for part in tx.registry.parts):
        pass


HANGING = Part(name="flags", home=__name__, purge=_purge)
