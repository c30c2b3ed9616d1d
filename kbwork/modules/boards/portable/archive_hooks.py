"""Boards restored from an archive: their columns are of the lanes that those of the source became."""

from functools import partial
from typing import Any

from kbwork.core.operations import nested
from kbwork.core.ports.archive import ArchiveHook, ArchiveReferences
from kbwork.modules.boards import columns, ops, quick_filter
from kbwork.modules.workflows import lanes

_SAME = ("name", "tql", "kind", "swimlanes", "card_fields", "color_by")


def _restore(refs: ArchiveReferences, project: int, boards: list[dict[str, Any]]) -> None:
    for board in boards:
        refs.attempt(f"The board {board['name']}", partial(_save, refs, board))


def _save(refs: ArchiveReferences, board: dict[str, Any]) -> None:
    given = {name: board[name] for name in _SAME if board[name] is not None}
    made = nested.run(refs.tx, ops.save, given | {"project": refs.project["key"]})
    if kept := _columns(refs, board["columns"]):
        nested.run(refs.tx, columns.columns_set, {"id": made["id"], "columns": kept})
    if filters := [{"name": one["name"], "tql": one["tql"]} for one in board["filters"]]:
        nested.run(refs.tx, quick_filter.quick_filter_save, {"id": made["id"], "filters": filters})


def _columns(refs: ArchiveReferences, columns: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those that have a lane here; several lanes may have become one."""
    known = {lane["key"] for lane in lanes.staying(refs.tx)}
    taken: set[str] = set()
    found = []
    for column in columns:
        here = [key for lane in column["lanes"] if (key := refs.key("lane", lane)) in known - taken]
        taken.update(here)
        if here:
            kept = {"name": column["name"], "limit": column["limit"], "hard": column["hard"]}
            found.append(kept | {"lanes": list(dict.fromkeys(here))})
    return found


BOARDS = ArchiveHook(home=__name__, line="projects.jsonl", name="boards", restored=_restore)
