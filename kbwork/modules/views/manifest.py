"""Saved queries on a project, in its archive."""

from typing import Literal

from kbwork.core.ports.archive import SEVERAL, ArchivedList, Long, Person, Short, Time, Word, few, stored

VIEWS = ArchivedList(
    "projects.jsonl",
    "views",
    table="view",
    where="deleted_at is null",
    order="id",
    most=SEVERAL,
    saved_by="views.save",
    columns={
        "name": Word,
        "tql": Long,
        "layout": Literal["list", "board", "table", "calendar", "timeline"],
        "group_by": Short | None,
        "sort": Short | None,
        "icon": Short | None,
        "created_at": Time,
        "owner": Person,
        "columns": stored(few(Word)),
        "subgroup_by": Short | None,
    },
    optional=frozenset({"subgroup_by"}),
)
