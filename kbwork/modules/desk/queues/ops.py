"""The queues of a desk: look at them, make and change one, take one away."""

import json
from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import Conflict, InvalidInput
from kbwork.base.model import Id, Input, Name, Number, Text
from kbwork.base.text import folded
from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.core.operations.declare import destructive, read, write
from kbwork.core.references import ProjectRef
from kbwork.db.rows import ProjectRow, QueueRow
from kbwork.db.tx import Read, Row, Write
from kbwork.modules import members
from kbwork.modules.desk import access
from kbwork.modules.desk.model import Queue, QueueDeleted, QueueSaved
from kbwork.modules.desk.queues import definitions
from kbwork.modules.projects import access as projects
from kbwork.tql.parser.tokens import LONGEST

MOST = 100
_MOST_COLUMNS = 50
_TOLD = ("name", "tql", "sorted", "columns", "team", "position")


class DeskQueues(Input):
    project: ProjectRef


@read(
    "desk.queues",
    scope="issues:read",
    words="queues of the help desk, what waits for us, work lists of agents, how many tickets are late",
    threaded=True,
    example={"project": "WEB"},
)
def queues(tx: Read, args: DeskQueues) -> list[Queue]:
    """List the queues of a desk in their order, each with its issues now, as far as you see them, and how many of these
    are late: open behind their due date.

    `tql.run` with its `tql`, `project`, `order` and `columns` answers what is in it. A count that took too long, or
    whose text cannot be read now, is -1.
    """
    project, _ = access.desk(tx, args.project)
    counted = definitions.counts(tx, map(definitions.asked, definitions.rows(tx, project)))
    return definitions.shown(tx, project, counted)


class DeskQueueSave(definitions.CountedQueues):
    id: Id | None = None
    """The queue to change; left out: make one."""
    project: ProjectRef
    name: Name
    """What people choose it by, unique at the desk without case."""
    tql: Annotated[str, Field(max_length=LONGEST)]
    """Condition on the issues of the project, as `tql.run` takes it; empty: all of them."""
    order: Annotated[Text, Field(max_length=2000)] | None = None
    """What it is sorted by, as it stands behind `order by`, such as `priority, due desc`; empty: by rank."""
    columns: (
        Annotated[list[Annotated[str, Field(max_length=2000)]], Field(max_length=_MOST_COLUMNS)] | None
    ) = None
    """Fields that it shows; empty: the usual ones."""
    position: Number | None = None
    """Its place among the others; a new one comes last."""
    team: Id | None = None
    """The team whose work it is; null: none."""


def _counted(tx: Read, args: DeskQueueSave) -> DeskQueueSave:
    project, _ = access.desk(tx, args.project)
    asked = [
        *map(definitions.asked, definitions.rows(tx, project)),
        definitions.typed(tx, project["id"], args.tql),
    ]
    args.keep(definitions.counts(tx, asked))
    return args


@write(
    "desk.queue_save",
    scope="admin",
    words="new queue, add a work list for agents, change a queue, urgent tickets first, sort the help desk",
    emits=[QueueSaved],
    foresee=_counted,
    threaded=True,
    example={
        "project": "WEB",
        "name": "Waits for us",
        "tql": "open and assignee is empty",
        "order": "priority, created",
        "columns": ["key", "title", "customer"],
    },
)
def queue_save(tx: Write, args: DeskQueueSave) -> list[Queue]:
    """Make a queue, or change one: what is optional and not named stays. For admins who lead the project.

    A text that cannot be asked is 422 with the place in it (`tql-syntax`, `tql-name`), and so are an order and columns
    that are no fields of issues. Names mean what is called so now, and the queue goes on meaning that. A desk has a
    hundred queues at most (409). Answers those of the desk, whose counts are -1 in a batch.
    """
    project, _ = access.desk(tx, args.project)
    access.require_keeper(tx, project)
    row = _row(tx, args.id, project) if args.id is not None else None
    if taken := named.taken(tx, "queue", args.name, args.id, "project = :home", home=project["id"]):
        raise Conflict(f"The desk has a queue {taken['name']!r} already; names are unique without case.")
    columns = _columns(tx, args, row)
    if row is None:
        _make(tx, project, columns)
    elif named.diff(row, columns):
        tx.update("queue", row["id"], updated_at=tx.now, **columns)
        changes = named.changes(row, columns, _TOLD, columns=json.loads)
        if "sorted" in changes:
            changes["order"] = changes.pop("sorted")
        payload = _about(project, row["id"], args.name)
        tx.emit(QueueSaved(subject=f"project:{project['key']}", payload=payload, changes=changes))
    return definitions.shown(tx, project, args.counts())


class DeskQueueDelete(definitions.CountedQueues):
    id: Id
    """Id of the queue."""


def _counted_rest(tx: Read, args: DeskQueueDelete) -> DeskQueueDelete:
    _, project = _found(tx, args.id)
    args.keep(definitions.counts(tx, map(definitions.asked, definitions.rows(tx, project))))
    return args


@destructive(
    "desk.queue_delete",
    scope="admin",
    words="remove a queue, drop a work list of the desk",
    emits=[QueueDeleted],
    foresee=_counted_rest,
    threaded=True,
    example={"id": 1},
)
def queue_delete(tx: Write, args: DeskQueueDelete) -> list[Queue]:
    """Take a queue away; what was in it stays. Answers those that the desk has left."""
    row, project = _found(tx, args.id)
    access.require_keeper(tx, project)
    tx.delete("queue", row["id"])
    payload = _about(project, row["id"], row["name"])
    tx.emit(QueueDeleted(subject=f"project:{project['key']}", payload=payload))
    return definitions.shown(tx, project, args.counts())


def _found(tx: Read, ident: int) -> tuple[QueueRow, ProjectRow]:
    """A queue and its project. Raises NotFound, also where the project is not seen, and NotAllowed for guests."""
    access.refuse_guests(tx)
    row = named.seen(tx.stored("queue", [ident]), "queue", ident, "desk.queues")
    project = tx.one(
        f"select p.* from project p where p.id = :id and {projects.SEEN}",
        ProjectRow,
        id=row["project"],
        **visibility.binds(tx),
    )
    return row, named.seen(project, "queue", ident, "desk.queues")


def _row(tx: Read, ident: int, project: ProjectRow) -> QueueRow:
    row, home = _found(tx, ident)
    if home["id"] != project["id"]:
        raise InvalidInput("A queue stays at its desk.", field="project")
    return row


def _columns(tx: Read, args: DeskQueueSave, row: QueueRow | None) -> Row:
    """What is named, checked, as it is kept."""
    tql = args.tql.strip()
    definitions.require_condition(tx, tql)
    before: Row = definitions.texts(row) if row is not None else {"sorted": "", "columns": []}
    order, fields = before["sorted"], before["columns"]
    if args.order is not None:
        order = args.order.strip()
        definitions.require_order(tx, order)
    if args.columns is not None:
        fields = definitions.columns(tx, args.columns)
    found: Row = {
        "name": args.name,
        "name_key": folded(args.name),
        "tql": tql,
        "sorted": order,
        "columns": json.dumps(fields, ensure_ascii=False),
    }
    found["names"] = definitions.names(tx, tql, order, fields)
    if row is not None:
        found["names"] = _merged(row, found, args)
    if args.given("team"):
        found["team"] = _team(tx, args.team)
    return found | args.filled("position")


def _merged(row: QueueRow, found: Row, args: DeskQueueSave) -> str:
    """Texts that were not named go on meaning what they did."""
    old, now = json.loads(row["names"]), json.loads(found["names"])
    stay = []
    if args.order is None and found["sorted"]:
        stay.append(definitions.ordered(found["sorted"]))
    if args.columns is None:
        stay += json.loads(found["columns"])
    kept: dict[str, Any] = now | {text: old[text] for text in stay if text in old}
    return json.dumps(dict(sorted(kept.items())), ensure_ascii=False)


def _team(tx: Read, ident: int | None) -> int | None:
    if ident is None:
        return None
    found: int | None = tx.value(
        f"select t.id from team t where t.id = :id and {members.TEAM_SEEN}", id=ident, **visibility.binds(tx)
    )
    if found is None:
        raise InvalidInput(f"There is no team {ident} that you can see.", field="team")
    return found


def _make(tx: Write, project: ProjectRow, columns: Row) -> None:
    count, last = tx.tuples(
        "select count(*), max(position) from queue where project = :id", id=project["id"]
    )[0]
    if count >= MOST:
        raise Conflict(f"A desk has {MOST} queues at most.")
    usual = {"team": None, "position": float((last or 0) + 1)}
    ident = tx.insert("queue", project=project["id"], updated_at=tx.now, **(usual | columns))
    payload = _about(project, ident, columns["name"])
    tx.emit(QueueSaved(subject=f"project:{project['key']}", payload=payload))


def _about(project: ProjectRow, ident: int, name: str) -> Row:
    return {"project": project["key"], "queue": ident, "name": name}
