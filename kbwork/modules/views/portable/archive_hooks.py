"""Saved queries restored from the archive of their project: they go with it, and are whose who brings it in."""

from functools import partial
from typing import Any

from kbwork.core.operations import nested
from kbwork.core.ports.archive import ArchiveHook, ArchiveReferences, filled

_SAME = ("name", "tql", "layout", "columns", "group_by", "sort", "icon")


def _restore(refs: ArchiveReferences, _project: int, views: list[dict[str, Any]]) -> None:
    for view in views:
        given = filled({name: view[name] for name in _SAME} | {"project": refs.project["key"]})
        refs.attempt(f"The view {view['name']}", partial(nested.run, refs.tx, "views.save", given))


VIEWS = ArchiveHook(home=__name__, line="projects.jsonl", name="views", restored=_restore)
