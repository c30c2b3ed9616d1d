"""Make and change workflows, as drafts or in force."""

import json
from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import Conflict
from kbwork.base.model import Id, Input, Name, Text
from kbwork.base.text import folded
from kbwork.core import named
from kbwork.core.operations.declare import write
from kbwork.db.rows import WorkflowRow
from kbwork.db.tx import Read, Write, json_array
from kbwork.modules import fields
from kbwork.modules.workflows import graphs, lanes, ports, shapes, soundness
from kbwork.modules.workflows.assignment import lane_moves, places
from kbwork.modules.workflows.graphs import WorkflowGraph
from kbwork.modules.workflows.model import Workflow, WorkflowSaved
from kbwork.modules.workflows.transitions import definitions
from kbwork.modules.workflows.transitions.definitions import (
    MOST_TRANSITIONS,
    TransitionReader,
    WorkflowTransition,
)

MOST_LANES = 200


class WorkflowsSave(Input):
    id: Id | None = None
    """The workflow, or the draft, to change; left out: make one."""
    name: Name
    """What people read, unique without case."""
    start: Text
    """The lane in which issues begin."""
    lanes: Annotated[list[Text], Field(min_length=1, max_length=MOST_LANES)]
    """By key or name, in the order in which people see them."""
    transitions: Annotated[list[WorkflowTransition], Field(max_length=MOST_TRANSITIONS)]
    """All of them, in order."""
    statuses: Annotated[dict[str, Text], Field(max_length=MOST_LANES)] | None = None
    """Lane that goes -> lane that takes its issues."""
    draft: bool | None = None
    """true keeps it beside what is in force; false puts it in force. Left out, it stays what it is."""


@write(
    "workflows.save",
    scope="admin",
    words=(
        "change the workflow, require approval before closing, add a step, rule for moves, "
        "new process, only leads may close, automatic transition, block closing, quality gate"
    ),
    emits=[WorkflowSaved],
    example={
        "name": "Short",
        "start": "todo",
        "lanes": ["todo", "done"],
        "transitions": [
            {"name": "Finish", "from": ["todo"], "to": "done"},
            {"name": "Take up again", "from": ["done"], "to": "todo"},
        ],
    },
)
def save(tx: Write, args: WorkflowsSave) -> Workflow:
    """Make a workflow, or change one. What it says is the whole: lanes and transitions that are not named go.

    Every lane must be reached from the start, and from each a way must lead to a done lane (422 naming the lane).
    Names are unique without case (409). Lanes that go and hold issues need an entry in `statuses` (409 naming them);
    the issues move with history, more than 200 by a job in steps of 200; saving the same again with `statuses` goes on
    with what a cancelled job left. Keys of transitions are made from their names and stay when a transition is renamed
    by its key.

    `draft` on a workflow in force makes a draft of it, one at most, which has an id of its own and is for admins;
    saving that draft with `draft` false puts it in its place. Conditions (`if`, `check`) are as in automation:
    `{all}`, `{any}`, `{field, op, value}`, `{role}`, `{tql}`; `changed` is for `check`. Operations of `then` run with
    the rights of whoever moves the issue; they must be changes that take nothing away (422).
    """
    stored = workflow_row(tx, args.id) if args.id is not None else None
    target = _target(tx, stored, args)
    columns = _columns(tx, args, stored, target)
    if target is None:
        return insert_workflow(tx, columns | {"draft": int(args.draft or False)})
    if target["draft"] and args.draft is False:
        columns["draft"] = 0
    answer = _change(tx, target, columns, args)
    if stored is not None and stored["draft_of"] == target["id"] and stored["id"] != target["id"]:
        tx.delete("workflow", stored["id"])
    return answer


def workflow_row(tx: Read, workflow: int) -> WorkflowRow:
    row = tx.stored("workflow", [workflow])
    return named.known(row, "workflow", workflow, "workflows.list")


def _target(tx: Read, stored: WorkflowRow | None, args: WorkflowsSave) -> WorkflowRow | None:
    """The row that is to hold it; None for a new one."""
    if stored is None:
        return None
    if args.draft and not stored["draft"]:
        return tx.one("select * from workflow where draft_of = :id", WorkflowRow, id=stored["id"])
    if stored["draft_of"] is not None and args.draft is False:
        return workflow_row(tx, stored["draft_of"])
    return stored


def _columns(
    tx: Read, args: WorkflowsSave, stored: WorkflowRow | None, target: WorkflowRow | None
) -> dict[str, Any]:
    """The graph as it is to be kept. Raises InvalidInput or Conflict."""
    rows = list(
        {
            row["id"]: row
            for number, name in enumerate(args.lanes)
            for row in [lanes.by_name(tx, name, field=f"lanes[{number}]")]
        }.values()
    )
    start = definitions.lane_of(rows, args.start, "start")
    transitions = TransitionReader(tx, rows, _known(stored, target)).every(args.transitions)
    soundness.require_sound(rows, start, transitions)
    draft_of = _draft_of(stored, args)
    if draft_of is None or folded(args.name) != workflow_row(tx, draft_of)["name_key"]:
        require_name_free(tx, args.name, target)
    return {
        "name": args.name,
        "name_key": folded(args.name),
        "start": start["id"],
        "lanes": json_array(row["id"] for row in rows),
        "transitions": json.dumps(transitions, ensure_ascii=False),
        "names": fields.conditions.names_of(tx, definitions.texts(transitions)),
        "draft_of": draft_of,
    }


def _known(stored: WorkflowRow | None, target: WorkflowRow | None) -> list[dict[str, Any]]:
    """The transitions whose keys go on: those of the draft and of what it is a draft of."""
    rows = {row["id"]: row for row in (stored, target) if row is not None}
    return [transition for row in rows.values() for transition in json.loads(row["transitions"])]


def _draft_of(stored: WorkflowRow | None, args: WorkflowsSave) -> int | None:
    if stored is None or args.draft is False:
        return None
    own: int | None = stored["draft_of"]
    return stored["id"] if args.draft and not stored["draft"] else own


def require_name_free(tx: Read, name: str, but: WorkflowRow | None) -> None:
    if named.taken(tx, "workflow", name, but["id"] if but else None, "draft_of is null"):
        raise Conflict(f"There is a workflow {name!r}; names are unique without case.")


def insert_workflow(tx: Write, columns: dict[str, Any]) -> Workflow:
    ident = tx.insert("workflow", builtin=0, updated_at=tx.now, **columns)
    row = workflow_row(tx, ident)
    tx.emit(WorkflowSaved(subject="org:1", payload=_about(row), heard_by="admin" if row["draft"] else None))
    return shapes.one(tx, row)


def _change(tx: Write, row: WorkflowRow, columns: dict[str, Any], args: WorkflowsSave) -> Workflow:
    before = graphs.graph(tx, row["id"])
    differing = named.diff(row, columns)
    if not differing:
        if args.statuses:
            lane_moves.run(tx, places.plan(tx, before, places.of(tx, row["id"]), args.statuses))
        return shapes.one(tx, row)
    tx.update("workflow", row["id"], updated_at=tx.now, **differing)
    tx.memo.clear()
    after = graphs.graph(tx, row["id"])
    now = workflow_row(tx, row["id"])
    plan = places.plan(tx, after, places.of(tx, row["id"]), args.statuses)
    tx.emit(
        WorkflowSaved(
            subject="org:1",
            payload=_about(now),
            changes=_told(tx, before, after) | ({"draft": (True, False)} if "draft" in differing else {}),
            heard_by="admin" if now["draft"] else None,
        )
    )
    if not now["draft"]:
        ports.rerouted(tx)
    lane_moves.run(tx, plan)
    return shapes.one(tx, now)


def _about(row: WorkflowRow) -> dict[str, Any]:
    return {"id": row["id"], "name": row["name"]} | ({"draft": True} if row["draft"] else {})


def _told(tx: Read, before: WorkflowGraph, after: WorkflowGraph) -> dict[str, Any]:
    """What changed, each transition by itself."""
    sides: dict[str, tuple[Any, Any]] = {
        "name": (before.name, after.name),
        "start": (before.start["key"], after.start["key"]),
        "lanes": ([lane["key"] for lane in before.lanes], [lane["key"] for lane in after.lanes]),
        "order": ([one["key"] for one in before.transitions], [one["key"] for one in after.transitions]),
    }
    known = fields.catalogue(tx)
    had, has = (
        {
            one["key"]: definitions.shown(one, known, fields.conditions.presented(tx, graph.names))
            for one in graph.transitions
        }
        for graph in (before, after)
    )
    for key in (*had, *(key for key in has if key not in had)):
        sides[f"transitions.{key}"] = (had.get(key), has.get(key))
    return {name: pair for name, pair in sides.items() if pair[0] != pair[1]}
