"""Three seconds for a query: what takes longer is stopped, and told which part of it costs most."""

import contextlib
from collections.abc import Iterator

from kbwork.base.clock import monotonic
from kbwork.base.errors import TqlTooSlow
from kbwork.db.tx import OverBudget, Read
from kbwork.modules.tql.query_parser import nodes
from kbwork.tql import tree as t
from kbwork.tql.normal_form import normal

LONGEST_S = 3.0
_COSTS: tuple[type[t.Node], ...] = (
    t.MatchNode,
    t.TextNode,
    t.WasNode,
    t.ChangedNode,
    t.RelatedNode,
    t.PartsNode,
    t.MemberNode,
)
"""Conditions by what they usually cost, the dearest first."""


@contextlib.contextmanager
def bounded(tx: Read, query: t.QueryNode, seconds: float = LONGEST_S) -> Iterator[None]:
    """Raises TqlTooSlow when it takes longer. A closer deadline that holds already goes on holding."""
    outer, mine = tx.deadline, monotonic() + seconds
    if outer is not None and outer <= mine:
        yield
        return
    tx.deadline = mine
    try:
        yield
    except OverBudget:
        tx.over = False
        raise TqlTooSlow(told(query)) from None
    finally:
        tx.deadline = outer


def told(query: t.QueryNode) -> str:
    """Which part costs most, and what would narrow the query."""
    named = any(isinstance(node, t.ColumnNode) and node.name == "project" for node in nodes(query))
    narrower = "" if named else " Narrow it: add `project = ...`."
    dear = dearest(query)
    part = f" `{normal(dear)}` costs most." if dear is not None else ""
    return f"The query was stopped after {LONGEST_S:.0f} seconds.{part}{narrower}"


def dearest(query: t.QueryNode) -> t.Expr | None:
    """The condition that probably visits most rows."""
    for cost in _COSTS:
        for node in nodes(query):
            if isinstance(node, cost):
                return node  # type: ignore[return-value]  # all of them are conditions
    return None
