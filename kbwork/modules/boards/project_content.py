"""Boards as a part of what a project is made of: what a condition says of the project it says of the new one."""

from collections.abc import Iterator
from typing import Any

from kbwork.base.errors import Problem
from kbwork.core.operations import nested
from kbwork.db.tx import Read, Write
from kbwork.modules.boards import columns, ops, quick_filter
from kbwork.modules.projects import ContentPart, given
from kbwork.modules.tql import query_parser
from kbwork.tql import tree as t

_PROJECT = "{{project}}"
_COLUMN = ("name", "lanes", "limit", "hard")


def _of(tx: Read, project: str) -> list[dict[str, Any]]:
    """Those on the project that the caller sees."""
    return [
        given(board, "name", "kind", "swimlanes", "card_fields", "color_by")
        | {
            "tql": _general(tx, board["tql"], project),
            "columns": [{name: one[name] for name in _COLUMN} for one in board["columns"]],
            "quick_filters": [
                {"name": one["name"], "tql": _general(tx, one["tql"], project)}
                for one in board["quick_filters"]
            ],
        }
        for board in ops.list_(tx, ops.BoardsList(project=project))
    ]


def _make(tx: Write, value: dict[str, Any]) -> None:
    parts = {name: value.pop(name, []) for name in ("columns", "quick_filters")}
    project = value["project"]
    made = nested.run(tx, ops.save, value | {"tql": _special(value.get("tql", ""), project)})
    if parts["columns"]:
        nested.run(tx, columns.columns_set, {"id": made["id"], "columns": parts["columns"]})
    if parts["quick_filters"]:
        filters = [one | {"tql": _special(one["tql"], project)} for one in parts["quick_filters"]]
        nested.run(tx, quick_filter.quick_filter_save, {"id": made["id"], "filters": filters})


PART = ContentPart(home=__name__, name="boards", of=_of, make=_make)


def _general(tx: Read, text: str, project: str) -> str:
    """The condition with `{{project}}` where it names the project itself."""
    try:
        query = query_parser.query(tx, text).query
    except Problem:
        return text
    for value in sorted(_projects(query), key=lambda one: one.span.start, reverse=True):
        start, end = value.span.start, value.span.end
        if text[start:end].strip("\"'").upper() == project:
            text = f"{text[:start]}{_PROJECT}{text[end:]}"
    return text


def _special(text: str, project: str) -> str:
    return text.replace(_PROJECT, project)


def _projects(query: t.QueryNode) -> Iterator[t.Value]:
    """The projects that a condition names."""
    for node in query_parser.nodes(query, computed=False):
        if not isinstance(node, t.CompareNode | t.MemberNode) or not _is_project(node.left):
            continue
        if isinstance(node, t.CompareNode):
            yield node.right
        elif isinstance(node.set, t.ListedNode):
            yield from node.set.values


def _is_project(value: t.Value) -> bool:
    return isinstance(value, t.ColumnNode) and (value.name, value.steps) == ("project", ())
