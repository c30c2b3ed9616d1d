"""What is in a sprint: putting issues in and taking them out, and telling of it."""

from collections.abc import Iterable

from kbwork.base.errors import Conflict, InvalidInput
from kbwork.db.rows import IssueRow, SprintRow
from kbwork.db.tx import Read, Write
from kbwork.modules.issues import event_payloads
from kbwork.modules.sprints import access
from kbwork.modules.sprints.model import SprintScopeChanged

MOST = 1000


def require_takes(tx: Read, row: SprintRow, project: int, field: str) -> None:
    """Raises InvalidInput where issues of this project cannot go into it, or where it is over."""
    if row["state"] == "done":
        raise InvalidInput(
            f"{row['name']} is done: name one that is planned or active, or open it anew with sprints.reopen.",
            field=field,
        )
    if not takes(tx, row, project):
        raise InvalidInput(
            f"{row['name']} is not of this project: sprints.list with `project` shows those that are.",
            field=field,
        )


def held(tx: Read, sprint: int) -> int:
    """How many issues are in it, seen or not."""
    found: int = tx.value("select count(*) from issue where sprint = :id and deleted_at is null", id=sprint)
    return found


def room(tx: Read, row: SprintRow) -> int:
    """How many more issues it may hold."""
    return MOST - held(tx, row["id"])


def require_fits(tx: Read, row: SprintRow, more: int) -> None:
    """Raises Conflict where it has no room for so many more."""
    if more > room(tx, row):
        raise Conflict(
            f"A sprint holds {MOST:,} issues at most, and {row['name']} has {held(tx, row['id'])}: take some out first."
        )


def takes(tx: Read, row: SprintRow, project: int) -> bool:
    """Whether issues of this project may be in it; one of a team alone has those of all projects."""
    held = access.projects_of(tx, row["id"])
    return not held or project in held


def put(tx: Write, rows: Iterable[IssueRow], sprint: int | None) -> None:
    """Put issues into a sprint, or into none, and tell of each; what active sprints gain and lose is told once."""
    moved: list[tuple[int, int | None]] = []
    for row in rows:
        if row["sprint"] != sprint:
            tx.update("issue", row["id"], sprint=sprint)
            event_payloads.updated(tx, row, {"sprint": (row["sprint"], sprint)})
            moved.append((row["id"], row["sprint"]))
    tell(tx, moved, sprint)


def tell(tx: Write, moved: list[tuple[int, int | None]], sprint: int | None) -> None:
    """`sprint.scope_changed` of each active sprint that these (issue, the sprint that it was in) left or came into."""
    left: dict[int, list[int]] = {}
    for issue, was in moved:
        if was is not None:
            left.setdefault(was, []).append(issue)
    for was, gone in left.items():
        _tell(tx, was, [], gone)
    if sprint is not None and moved:
        _tell(tx, sprint, [issue for issue, _ in moved], [])


def _tell(tx: Write, sprint: int, added: list[int], removed: list[int]) -> None:
    row = tx.stored("sprint", [sprint])
    if row is None or row["state"] != "active" or row["deleted_at"] is not None:
        return
    payload = {"name": row["name"], "added": added, "removed": removed}
    tx.emit(SprintScopeChanged(subject=f"sprint:{sprint}", payload=payload))
