"""Flags as JSON, for lists: whole, or with how long their lists are. Nobody is shown another flag than others."""

import json
from collections.abc import Iterator

from pydantic_core import to_json

from kbwork.core.operations.documents import Eyes, Made, ThingDocuments
from kbwork.db.rows import FlagRow
from kbwork.db.tx import Read
from kbwork.modules.flags import answers


class FlagEyes(Eyes):
    """By how much is asked for."""

    __slots__ = ("whole",)

    def __init__(self, *, whole: bool) -> None:
        self.whole = whole

    def shown(self, _: None) -> bool:
        return self.whole


_BRIEF, _WHOLE = FlagEyes(whole=False), FlagEyes(whole=True)


def eyes(*, whole: bool) -> FlagEyes:
    """Those of everybody who asks for so much."""
    return _WHOLE if whole else _BRIEF


def _made(tx: Read, eyes: FlagEyes, flags: list[int]) -> Iterator[Made]:
    rows = tx.all(
        "select * from flag where id in (select value from json_each(:ids))", FlagRow, ids=json.dumps(flags)
    )
    for ident in {row["project"] for row in rows}:
        project = tx.stored("flag_project", [ident])
        assert project is not None
        own = [row for row in rows if row["project"] == ident]
        for row, flag in zip(own, answers.flags(tx, project, own, whole=eyes.whole), strict=True):
            yield Made(row["id"], None, (to_json(flag),))


DOCUMENTS = ThingDocuments(
    kind="flag",
    table="flag",
    parts={"flag_config": ("flag",)},
    shared={"flag_environment": ("key",), "flag_project": ("key",)},
    make=_made,
)
