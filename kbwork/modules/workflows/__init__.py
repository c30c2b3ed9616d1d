"""Workflows: graphs of lanes and transitions that issues move along."""

from kbwork.modules.workflows import lanes
from kbwork.modules.workflows.assignment import places
from kbwork.modules.workflows.graphs import (
    TransitionStep,
    WorkflowGraph,
    graph,
    of_issue_type,
    replace_lane,
    seed,
)
from kbwork.modules.workflows.model import Category, Lane, Outcome
from kbwork.modules.workflows.ports import LaneColumns, LaneOccupants, Place, WorkflowPosition, rerouted
from kbwork.modules.workflows.shapes import lane_shapes
from kbwork.modules.workflows.transitions import actions, askable_fields, evaluation
from kbwork.modules.workflows.transitions.definitions import approvers

USES = ("fields", "members", "projects", "types")
TABLES = ("workflow",)
WRITES = ("project", "project_type")
"""Tables of others that it writes itself."""
__all__ = [
    "TABLES",
    "USES",
    "WRITES",
    "Category",
    "Lane",
    "LaneColumns",
    "LaneOccupants",
    "Outcome",
    "Place",
    "TransitionStep",
    "WorkflowGraph",
    "WorkflowPosition",
    "actions",
    "approvers",
    "askable_fields",
    "evaluation",
    "graph",
    "lane_shapes",
    "lanes",
    "of_issue_type",
    "places",
    "replace_lane",
    "rerouted",
    "seed",
]
