"""Workflows: graphs of lanes and transitions that issues move along."""

from kbwork.modules.workflows import lanes
from kbwork.modules.workflows.queries import Graph, Step, graph, of_issue_type, replace_lane, seed

USES = ("projects",)
TABLES = ("workflow",)
__all__ = ["TABLES", "USES", "Graph", "Step", "graph", "lanes", "of_issue_type", "replace_lane", "seed"]
