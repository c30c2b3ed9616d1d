"""Boards on a project, in its archive."""

from typing import Literal

from kbwork.core.ports.archive import (
    SEVERAL,
    ArchivedList,
    Count,
    Id,
    Long,
    Person,
    Short,
    Time,
    Word,
    exact,
    few,
    stored,
)

_COLUMN = exact("Column", {"id": Id, "name": Word, "lanes": few(Id), "limit": Count | None, "hard": bool})
_FILTER = exact("Filter", {"id": Id, "name": Word, "tql": Long})

BOARDS = ArchivedList(
    "projects.jsonl",
    "boards",
    table="board",
    where="deleted_at is null",
    order="id",
    most=SEVERAL,
    columns={
        "name": Word,
        "tql": Long,
        "kind": Literal["kanban", "sprint"],
        "columns": stored(few(_COLUMN)),
        "filters": stored(few(_FILTER)),
        "swimlanes": Short | None,
        "card_fields": stored(few(Word)),
        "color_by": Short | None,
        "created_at": Time,
        "owner": Person,
    },
    since=2,
)
