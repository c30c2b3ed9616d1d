"""The desks that customers find open."""

from kbwork.db.rows import DeskRow, ProjectRow
from kbwork.db.tx import Read


def open_desks(tx: Read) -> list[tuple[ProjectRow, DeskRow]]:
    """Those that are switched on, in projects that are neither archived nor in the trash, by name."""
    rows = tx.all(
        "select d.* from desk d join project p on p.id = d.project and p.deleted_at is null and p.archived_at is null"
        " where d.enabled order by lower(d.name), d.project",
        DeskRow,
    )
    found = []
    for row in rows:
        project: ProjectRow | None = tx.stored("project", [row["project"]])
        assert project is not None
        found.append((project, row))
    return found


def lets_sign_up(tx: Read) -> bool:
    """Whether anybody may make an account: some open desk says so."""
    return any(desk["open_signup"] for _, desk in open_desks(tx))
