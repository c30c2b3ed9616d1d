"""Projects that are put aside or brought back: what their open issues block elsewhere is free, or blocked again."""

from kbwork.core.jobs.kinds import Schedule
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Read, Write
from kbwork.modules.issues.relations import blocked

AT_ONCE = 200


def recount_before_move(tx: Write, row: IssueRow) -> None:
    """An issue of an open project, and those of it that block it, count as such before it goes elsewhere."""
    tx.execute(
        "update issue set aside = 0 where aside and project = :project"
        " and (id = :id or id in (select src from relation where dst = :id))",
        project=row["project"],
        id=row["id"],
    )


def _any_unsettled(tx: Read) -> bool:
    return tx.value("select 1 from unsettled limit 1") is not None


def _settle_next(tx: Write) -> None:
    """The next 200 issues of a project that have relations; those whose standing it changed are told."""
    at = tx.one(
        "select u.project, u.after, p.archived_at is not null or p.deleted_at is not null as aside"
        " from unsettled u left join project p on p.id = u.project order by u.project limit 1"
    )
    if at is None:
        return
    rows = tx.all(
        "select * from issue where project = :project and relations > 0 and id > :after order by id limit :most",
        IssueRow,
        project=at["project"],
        after=at["after"],
        most=AT_ONCE,
    )
    for row in rows:
        if row["aside"] != at["aside"]:
            with blocked.emit_changes(tx, row):
                tx.execute("update issue set aside = :aside where id = :id", aside=at["aside"], id=row["id"])
    if len(rows) < AT_ONCE:
        tx.execute("delete from unsettled where project = :project", project=at["project"])
    else:
        tx.execute(
            "update unsettled set after = :after where project = :project",
            after=rows[-1]["id"],
            project=at["project"],
        )


SETTLE = Schedule(
    name="issues.settle", home=__name__, every_s=1, run=_settle_next, due=_any_unsettled, on_time=True
)
