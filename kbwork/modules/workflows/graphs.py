"""Workflows as graphs: which lanes there are, and which transitions lead from one to another."""

import json
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Conflict, InvalidInput
from kbwork.db.rows import LaneRow, WorkflowRow
from kbwork.db.tx import Read, Write
from kbwork.modules.workflows import lanes, soundness
from kbwork.modules.workflows.model import Kept


@dataclass(frozen=True, slots=True)
class TransitionStep:
    """One transition as it applies to an issue in a lane."""

    transition: Kept
    to: LaneRow


@dataclass(frozen=True, slots=True)
class WorkflowGraph:
    """A workflow in force."""

    id: int
    name: str
    start: LaneRow
    lanes: tuple[LaneRow, ...]
    transitions: tuple[Kept, ...]
    names: str
    """What the names of their texts meant when these were kept."""

    def steps(self, lane_key: str) -> list[TransitionStep]:
        """The transitions that leave a lane, in the workflow's order; the lane itself is no target."""
        by_key = {row["key"]: row for row in self.lanes}
        return [
            TransitionStep(t, by_key[t["to"]])
            for t in self.transitions
            if t["to"] != lane_key and t["to"] in by_key and ("*" in t["from"] or lane_key in t["from"])
        ]

    def has(self, lane_id: int) -> bool:
        return any(row["id"] == lane_id for row in self.lanes)

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of its transitions that run by themselves."""
        return tuple(t["auto_when"] for t in self.transitions if t["auto_when"])


def seed(tx: Write) -> int:
    """The workflow `Standard` of a new org: every lane, and from each to each other."""
    rows = lanes.rows(tx)
    start = next(row for row in rows if row["key"] == "todo")
    return tx.insert(
        "workflow",
        name="Standard",
        name_key="standard",
        start=start["id"],
        lanes=json.dumps([row["id"] for row in rows]),
        transitions=json.dumps([_free(row["key"], row["name"]) for row in rows]),
        builtin=1,
        updated_at=tx.now,
    )


def graph(tx: Read, workflow: int) -> WorkflowGraph:
    """The workflow with this id, which must exist; a draft too."""

    def make() -> WorkflowGraph:
        row = tx.one("select * from workflow where id = :id", WorkflowRow, id=workflow)
        assert row is not None
        by_id = {lane["id"]: lane for lane in lanes.rows(tx)}
        return WorkflowGraph(
            id=row["id"],
            name=row["name"],
            start=by_id[row["start"]],
            lanes=tuple(by_id[lane] for lane in json.loads(row["lanes"])),
            transitions=tuple(json.loads(row["transitions"])),
            names=row["names"],
        )

    found: WorkflowGraph = tx.cached(("workflow", workflow), make)
    return found


def replace_lane(tx: Write, old: LaneRow, new: LaneRow | None) -> None:
    """Take a lane out of every workflow; roads that led to it lead to the new one, or go.

    The new lane takes its place, unless the workflow has it already.
    Raises Conflict where a workflow starts there and there is no new one, and where one could not be lived in then.
    """
    for row in tx.all(
        "select * from workflow where exists (select 1 from json_each(lanes) where value = :id)",
        WorkflowRow,
        id=old["id"],
    ):
        if row["start"] == old["id"] and new is None:
            raise Conflict(f"{row['name']} starts in {old['name']}: name another lane in move_to.")
        had = json.loads(row["lanes"])
        taken = new["id"] if new is not None and new["id"] not in had else None
        ids = [taken if lane == old["id"] else lane for lane in had if lane != old["id"] or taken is not None]
        start = new["id"] if row["start"] == old["id"] and new else row["start"]
        transitions = _rerouted_all(json.loads(row["transitions"]), old, new)
        _require_sound(tx, row["name"], old, (ids, start, transitions))
        tx.update(
            "workflow",
            row["id"],
            start=start,
            lanes=json.dumps(ids),
            transitions=json.dumps(transitions, ensure_ascii=False),
            updated_at=tx.now,
        )


def _require_sound(tx: Read, name: str, old: LaneRow, left: tuple[list[Any], int, list[Kept]]) -> None:
    ids, start, transitions = left
    try:
        soundness.require_sound([lanes.one(tx, lane) for lane in ids], lanes.one(tx, start), transitions)
    except InvalidInput as problem:
        raise Conflict(f"{name} cannot be without {old['name']} so. {problem.detail}") from None


def _rerouted_all(transitions: list[Kept], old: LaneRow, new: LaneRow | None) -> list[Kept]:
    """The transitions without the old lane. A road that would double one that led the same way before goes."""
    own = {(tuple(t["from"]), t["to"]) for t in transitions}
    kept: list[Kept] = []
    for transition in transitions:
        found = _rerouted(transition, old, new)
        if found is None or found["from"] == [found["to"]]:
            continue
        way = (tuple(found["from"]), found["to"])
        if found == transition or way not in own:
            own.add(way)
            kept.append(found)
    return kept


def _rerouted(transition: Kept, old: LaneRow, new: LaneRow | None) -> Kept | None:
    """A transition without the old lane, or None where it leads nowhere then."""
    if transition["to"] == old["key"] and new is None:
        return None
    leaves = [
        new["key"] if lane == old["key"] and new else lane
        for lane in transition["from"]
        if lane != old["key"] or new
    ]
    if not leaves:
        return None
    to = new["key"] if transition["to"] == old["key"] and new else transition["to"]
    return {**transition, "from": list(dict.fromkeys(leaves)), "to": to}


def of_issue_type(tx: Read, project: int, issue_type: int) -> WorkflowGraph:
    """The workflow of a type in a project: the type's own there, the type's, or the project's."""

    def make() -> WorkflowGraph:
        workflow = tx.value(_WORKFLOW, project=project, type=issue_type)
        return graph(tx, workflow)

    found: WorkflowGraph = tx.cached(("workflow of", project, issue_type), make)
    return found


_WORKFLOW = (
    "select coalesce(pt.workflow, t.workflow, p.workflow) from project p join issue_type t on t.id = :type"
    " left join project_type pt on pt.project = p.id and pt.type = t.id where p.id = :project"
)


def _free(to: str, name: str) -> Kept:
    return {
        "key": f"to_{to}",
        "name": name,
        "from": ["*"],
        "to": to,
        "who": [],
        "if": [],
        "check": [],
        "ask": [],
        "approvers": [],
        "needed": 0,
        "self_approval": False,
        "watch": [],
        "then": [],
        "auto_when": None,
    }
