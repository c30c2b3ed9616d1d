"""The net of relations around some issues, and the circles in it."""

from collections import deque
from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input, Text
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read
from kbwork.core.ports.query import TYPED
from kbwork.db.rows import IssueRow, RelationKindRow
from kbwork.db.tx import Read, Row, json_array
from kbwork.modules.issues import access, queries
from kbwork.modules.issues.model import Issue
from kbwork.modules.issues.relations import relation_kinds
from kbwork.modules.projects import ISSUE_SEEN

MOST_NODES = 1000
_MOST_STARTS = 200
Links = dict[int, list[int]]
_EDGES = f"""
with near (id, kind, src, dst, other) as (
  select id, kind, src, dst, dst from relation where src in (select value from json_each(:ids))
  union
  select id, kind, src, dst, src from relation where dst in (select value from json_each(:ids))
)
select n.id, n.src, n.dst, n.kind, n.other from near n join issue i on i.id = n.other
  where n.kind in (select value from json_each(:kinds)) and {ISSUE_SEEN} order by n.id
"""

Edge = TypedDict(
    "Edge",
    {
        "from": Annotated[str, Field(description="Key of the issue that the relation starts from.")],
        "kind": Annotated[str, Field(description="Key of the kind of relation.")],
        "to": Annotated[str, Field(description="Key of the issue at its other end.")],
        "blocks": Annotated[bool, Field(description="Whether that kind is one that blocks.")],
    },
)


class Graph(TypedDict):
    """Issues and the relations among them. A circle is told once, as the keys along it."""

    nodes: list[Issue]
    """Issues in the graph."""
    edges: list[Edge]
    """Relations among them."""
    cycles: list[list[str]]
    """Each circle as the keys along it."""


class IssuesGraph(Input):
    keys: Annotated[list[Text], Field(min_length=1, max_length=200)] | None = None
    """Where to start; or say it with `tql`."""
    tql: Annotated[str, Field(max_length=20_000)] | None = None
    """A query for where to start; the first 200 that fit."""
    depth: Annotated[int, Field(ge=0, le=10)] | None = None
    """So many relations away; 3 unless given."""
    kinds: Annotated[list[Text], Field(max_length=100)] | None = None
    """Keys or names of kinds; all unless given."""
    edges_only: bool | None = None
    """True: `nodes` is empty, for whoever has the issues already."""


@read(
    "issues.graph",
    scope="issues:read",
    words=(
        "dependency graph, circular dependencies, what depends on what, critical path, "
        "draw dependencies, map of blockers"
    ),
    threaded=True,
    example={"keys": ["WEB-1"], "depth": 2},
)
def graph(tx: Read, args: IssuesGraph) -> Graph:
    """Draw the relations around issues, and name the circles among those that have a direction and block.

    Where kinds are named, the circles are among those of them that have a direction. Only what you see is in it, and
    1,000 issues at most: the nearest.
    """
    kinds = _kinds(tx, args.kinds)
    nodes, edges = _around(tx, _start(tx, args), args.depth, kinds)
    rows = _rows(tx, nodes)
    keys = {row["id"]: queries.key_of(tx, row) for row in rows}
    circling = {
        ident
        for ident, kind in kinds.items()
        if kind["directed"] and (args.kinds is not None or kind["blocks"])
    }
    links: Links = {}
    for edge in edges:
        if edge["kind"] in circling:
            links.setdefault(edge["src"], []).append(edge["dst"])
    return Graph(
        nodes=[] if args.edges_only else queries.shown(tx, rows),
        edges=[
            {
                "from": keys[edge["src"]],
                "kind": kinds[edge["kind"]]["key"],
                "to": keys[edge["dst"]],
                "blocks": bool(kinds[edge["kind"]]["blocks"]),
            }
            for edge in edges
        ],
        cycles=[[keys[node] for node in circle] for circle in circles(links)],
    )


def circles(links: Links) -> list[list[int]]:
    """One shortest circle of each knot of nodes that reach each other, from its least node on."""
    found = []
    for knot in _knots(links):
        start = min(knot)
        if len(knot) > 1 or start in links.get(start, ()):
            found.append(_shortest(links, start, knot))
    return sorted(found)


def _start(tx: Read, args: IssuesGraph) -> list[int]:
    if (args.keys is None) == (args.tql is None):
        raise InvalidInput("Name one of `keys` and `tql`.", field="keys")
    if args.keys is not None:
        return [access.get(tx, key)["id"] for key in args.keys]
    language = tx.registry.language
    if language is None:
        raise InvalidInput("The query language is switched off: name the issues in `keys`.", field="tql")
    found: list[int] = language.issues(tx, args.tql, _MOST_STARTS, TYPED)
    return found


def _kinds(tx: Read, names: list[str] | None) -> dict[int, RelationKindRow]:
    rows = relation_kinds.rows(tx)
    if names is not None:
        rows = [relation_kinds.by_name(tx, name, field="kinds")[0] for name in names]
    return {row["id"]: row for row in rows}


def _around(
    tx: Read, start: list[int], depth: int | None, kinds: Iterable[int]
) -> tuple[list[int], list[Row]]:
    """The issues within reach, the nearest first, and the relations that join them."""
    nodes = dict.fromkeys(start)
    edges: dict[int, Row] = {}
    edge = list(nodes)
    for _ in range(3 if depth is None else depth):
        rows = tx.all(_EDGES, ids=json_array(edge), kinds=json_array(kinds), **visibility.binds(tx))
        edge = []
        for row in rows:
            if row["other"] not in nodes and len(nodes) < MOST_NODES:
                nodes[row["other"]] = None
                edge.append(row["other"])
            edges[row["id"]] = row
        if not edge:
            break
    among = [row for row in edges.values() if row["src"] in nodes and row["dst"] in nodes]
    return list(nodes), sorted(among, key=lambda row: row["id"])


def _rows(tx: Read, nodes: list[int]) -> list[IssueRow]:
    rows = tx.all(
        "select * from issue where id in (select value from json_each(:ids))", IssueRow, ids=json_array(nodes)
    )
    by_id = {row["id"]: row for row in rows}
    return [by_id[node] for node in nodes]


def _knots(links: Links) -> list[list[int]]:
    """Tarjan's strongly connected components, without recursion."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    path: list[int] = []
    on_path: set[int] = set()
    knots: list[list[int]] = []
    for root in links:
        if root in index:
            continue
        work: list[tuple[int, Any]] = [(root, iter(links.get(root, ())))]
        index[root] = low[root] = len(index)
        path.append(root)
        on_path.add(root)
        while work:
            node, following = work[-1]
            child = next(following, None)
            if child is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    at = path.index(node)
                    knots.append(path[at:])
                    on_path.difference_update(path[at:])
                    del path[at:]
            elif child not in index:
                index[child] = low[child] = len(index)
                path.append(child)
                on_path.add(child)
                work.append((child, iter(links.get(child, ()))))
            elif child in on_path:
                low[node] = min(low[node], index[child])
    return knots


def _shortest(links: Links, start: int, knot: list[int]) -> list[int]:
    """The shortest way from a node back to itself within its knot."""
    inside = set(knot)
    came_from: dict[int, int] = {}
    waiting = deque([start])
    while waiting:
        node = waiting.popleft()
        for child in links.get(node, ()):
            if child == start:
                way = [node]
                while way[-1] != start:
                    way.append(came_from[way[-1]])
                return way[::-1]
            if child in inside and child not in came_from:
                came_from[child] = node
                waiting.append(child)
    raise AssertionError("a knot without a circle")
