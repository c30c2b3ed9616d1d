"""Workflows: graphs of lanes and transitions that issues move along."""

from kbwork.modules.workflows import actions, asking, judging, lanes, places
from kbwork.modules.workflows.queries import Graph, Step, graph, of_issue_type, replace_lane, seed
from kbwork.modules.workflows.reading import approvers
from kbwork.modules.workflows.travelling import Place, Standing, Traveller

USES = ("fields", "members", "projects", "types")
TABLES = ("workflow",)
__all__ = [
    "TABLES",
    "USES",
    "Graph",
    "Place",
    "Standing",
    "Step",
    "Traveller",
    "actions",
    "approvers",
    "asking",
    "graph",
    "judging",
    "lanes",
    "of_issue_type",
    "places",
    "replace_lane",
    "seed",
]
