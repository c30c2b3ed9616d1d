"""Look at lanes, make and change one, put them in order, take one away."""

from typing import Annotated

from pydantic import Field, StringConstraints

from kbwork.base.errors import Conflict, InUse, InvalidInput, NotFound
from kbwork.base.model import Input, Int, Name, Text
from kbwork.base.text import folded
from kbwork.core import named
from kbwork.core.operations.declare import destructive, read, write
from kbwork.db.rows import LaneRow
from kbwork.db.tx import Read, Row, Write
from kbwork.modules import issues, types, workflows
from kbwork.modules.lanes.model import LaneDeleted, LaneSaved
from kbwork.modules.lanes.replacement import LANES
from kbwork.modules.projects import ISSUE_SEEN, access
from kbwork.modules.workflows import Category, Lane, Outcome, lane_shapes

LaneKey = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
_COLOURS: dict[str, str] = {"todo": "#6b7280", "in_progress": "#2f7fd1", "done": "#3f9142"}


class LanesList(Input):
    project: Text | None = None
    """The lanes that its default type moves through, in the workflow's order."""
    type: Text | None = None
    """Of one issue type: in the project where that is named too."""


@read(
    "lanes.list",
    scope="projects:read",
    words=(
        "columns of the board, which statuses exist, how many in each column, kanban board, "
        "states, board overview"
    ),
    example={"project": "WEB"},
)
def list_(tx: Read, args: LanesList) -> list[Lane]:
    """List the lanes, with how many issues you see in each. With a project or type: those of its workflow, in order."""
    shapes = _shapes(tx)
    graph = _graph(tx, args)
    if graph is not None:
        return [shapes[lane["id"]] for lane in graph.lanes]
    if tx.caller.guest:
        used = {lane["id"] for project in access.roles(tx) for lane in _lanes_of(tx, project)}
        return [shape for lane, shape in shapes.items() if lane in used]
    return list(shapes.values())


class LanesSave(Input):
    key: LaneKey
    """Small letters, digits and `_`; an unknown one makes a lane."""
    name: Name
    """What people read, unique without case."""
    category: Category
    """Whether issues in it are not begun, in work or done."""
    color: Annotated[str, StringConstraints(pattern=r"^#[0-9a-fA-F]{6}$")] | None = None
    """Colour as `#rrggbb`."""
    outcome: Outcome | None = None
    """For done lanes; `completed` unless given."""
    wip: Annotated[Int, Field(ge=1, le=10_000)] | None = None
    """How many issues should stand in it at most; null takes the limit off."""
    stops_sla: bool | None = None
    """Whether the clock of service levels stands still in it."""
    description: Text | None = None
    """When issues stand in it."""


@write(
    "lanes.save",
    scope="admin",
    words=(
        "add a column, new status, wip limit, rename a column, rename a status, new state, "
        "column on the board"
    ),
    emits=[LaneSaved],
    example={"key": "blocked", "name": "Blocked", "category": "in_progress"},
)
def save(tx: Write, args: LanesSave) -> Lane:
    """Make a lane, or change one; fields that are not named stay.

    Names are unique without case (409); the category of a lane that holds issues cannot change (409). A new lane
    stands behind the others of its category, and in no workflow yet.
    """
    if args.outcome is not None and args.category != "done":
        raise InvalidInput("Only done lanes have an outcome.", field="outcome")
    LANES.make_room(tx, args.key, args.name)
    row = tx.one("select * from lane where key = :key", key=args.key)
    if taken := named.taken(tx, "lane", args.name, row["id"] if row else None):
        raise Conflict(f"The lane {taken['key']} has the name {args.name!r}; names are unique without case.")
    if row is not None and row["heir"] is not None:
        raise Conflict(f"The lane {args.key} is being emptied and goes: wait, or take another key.")
    return _make(tx, args) if row is None else _change(tx, row, args)


class LanesReorder(Input):
    keys: Annotated[list[Text], Field(min_length=1, max_length=500)]
    """The first lanes, in their new order; those that are not named follow as they are."""


@write(
    "lanes.reorder",
    scope="admin",
    words="order of columns, move a column",
    emits=[LaneSaved],
    example={"keys": ["todo", "backlog"]},
)
def reorder(tx: Write, args: LanesReorder) -> list[Lane]:
    """Put the lanes in order. Workflows keep their own."""
    before = workflows.lanes.staying(tx)
    named = dict.fromkeys(workflows.lanes.by_name(tx, key, field="keys")["id"] for key in args.keys)
    order = [*named, *(row["id"] for row in before if row["id"] not in named)]
    if order != [row["id"] for row in before]:
        for position, lane in enumerate(order, 1):
            tx.update("lane", lane, position=float(position))
        tx.memo.pop("lanes", None)
        keys = {row["id"]: row["key"] for row in before}
        tx.emit(
            LaneSaved(
                subject="org:1",
                changes={"order": ([row["key"] for row in before], [keys[lane] for lane in order])},
            )
        )
    return list(_shapes(tx).values())


class LanesDelete(Input):
    key: Text
    """Key or name of the lane."""
    move_to: Text | None = None
    """The lane that takes its issues and its place in workflows."""


@destructive(
    "lanes.delete",
    scope="admin",
    words="remove a column, remove a status, delete a status",
    emits=[LaneDeleted, *issues.TRANSITION_EVENTS],
    example={"key": "backlog", "move_to": "todo"},
)
def delete(tx: Write, args: LanesDelete) -> list[Lane]:
    """Take a lane away.

    One that holds issues needs `move_to` (409 `in-use`; `uses` are those that you see): they move with history.

    In workflows the other lane takes its place. A workflow that begins there, or that would have a lane without a way
    to it or from it to a done one, needs `move_to` too (409). More than 200 issues move by a job, in steps of 200: the
    lane is out of lists and workflows at once. Called again it goes on with what a cancelled job left.
    """
    lane: LaneRow = LANES.going(tx, args.key) or _lane(tx, args.key)
    target = _lane(tx, args.move_to) if args.move_to else None
    if target is not None and target["id"] == lane["id"]:
        raise InvalidInput("A lane cannot move to itself.", field="move_to")
    held = LANES.held(tx, lane)
    if held and target is None:
        seen = LANES.seen(tx, lane, ISSUE_SEEN)
        raise InUse(
            f"Issues stand in {lane['name']}, {seen} of which you see: name a lane for them in move_to.",
            uses=seen,
        )
    workflows.replace_lane(tx, lane, target)
    for columns in tx.registry.of(workflows.LaneColumns):
        columns.replace(tx, lane, target)
    tx.memo.clear()
    payload = {"key": lane["key"], "name": lane["name"]}
    tx.emit(LaneDeleted(subject="org:1", payload=payload | ({"move_to": target["key"]} if target else {})))
    workflows.rerouted(tx)
    LANES.run(tx, lane, target, held)
    return list(_shapes(tx).values())


def _shapes(tx: Read) -> dict[int, Lane]:
    """Every lane but those that go, in its shape."""
    shapes = lane_shapes(tx)
    return {row["id"]: shapes[row["id"]] for row in workflows.lanes.staying(tx)}


def _graph(tx: Read, args: LanesList) -> workflows.WorkflowGraph | None:
    if args.project:
        project = access.project(tx, args.project)
        rows = types.of_project(tx, project["id"])
        wanted = types.by_name(rows, args.type)["id"] if args.type else project["default_type"]
        return workflows.of_issue_type(tx, project["id"], wanted)
    if args.type:
        row = types.by_name(types.every(tx), args.type)
        standard = tx.value("select id from workflow where builtin = 1")
        return workflows.graph(tx, row["workflow"] or standard)
    return None


def _lanes_of(tx: Read, project: int) -> list[LaneRow]:
    return [
        lane
        for issue_type in types.of_project(tx, project)
        for lane in workflows.of_issue_type(tx, project, issue_type["id"]).lanes
    ]


def _lane(tx: Read, name: str) -> LaneRow:
    try:
        return workflows.lanes.by_name(tx, name)
    except InvalidInput as error:
        raise NotFound(error.detail) from None


def _make(tx: Write, args: LanesSave) -> Lane:
    position = tx.value(
        "select coalesce(max(position), 0) + 1 from lane where category = :c", c=args.category
    )
    tx.execute("update lane set position = position + 1 where position >= :position", position=position)
    lane = tx.insert(
        "lane",
        key=args.key,
        name=args.name,
        name_key=folded(args.name),
        category=args.category,
        color=(args.color or _COLOURS[args.category]).lower(),
        outcome=_outcome(args),
        wip=args.wip,
        stops_sla=int(args.stops_sla or False),
        description=args.description or "",
        position=position,
    )
    tx.memo.pop("lanes", None)
    tx.emit(LaneSaved(subject="org:1", payload={"key": args.key, "name": args.name}))
    return lane_shapes(tx)[lane]


def _change(tx: Write, row: Row, args: LanesSave) -> Lane:
    wanted = args.filled("name", "category", color=str.lower)
    if args.outcome is not None or args.category != row["category"]:
        wanted["outcome"] = _outcome(args)
    if args.given("wip"):
        wanted["wip"] = args.wip
    changed = named.diff(row, wanted | args.filled(stops_sla=int, description=str))
    if (
        "category" in changed
        and tx.one("select 1 from issue where lane = :id limit 1", id=row["id"]) is not None
    ):
        raise Conflict(f"{row['name']} holds issues: its category stays; make another lane and move them.")
    if changed:
        tx.update("lane", row["id"], name_key=folded(args.name), **changed)
        tx.memo.pop("lanes", None)
        payload = {"key": row["key"], "name": args.name}
        tx.emit(LaneSaved(subject="org:1", payload=payload, changes=named.changes(row, changed)))
    return lane_shapes(tx)[row["id"]]


def _outcome(args: LanesSave) -> Outcome | None:
    return (args.outcome or "completed") if args.category == "done" else None
