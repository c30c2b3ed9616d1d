"""Set the quick filters of a board."""

from typing import Annotated

from pydantic import Field

from kbwork.base.model import Id, Input, Name
from kbwork.core.operations.declare import write
from kbwork.db.tx import Write
from kbwork.modules.boards import parts, validation
from kbwork.modules.boards.model import Board, BoardSaved, PartId, QuickFilter, Tql
from kbwork.modules.boards.parts import PartIds
from kbwork.modules.tql import kept_names

_MOST = 50


class FilterInput(Input):
    """A quick filter as it is to be."""

    id: PartId | None = None
    """The filter that it is; left out: a new one."""
    name: Name
    """What stands on its button."""
    tql: Tql
    """The condition on issues."""


class BoardsQuickFilterSave(Input):
    id: Id
    """Id of the board."""
    filters: Annotated[list[FilterInput], Field(max_length=_MOST)]
    """The whole list, in order."""


@write(
    "boards.quick_filter_save",
    scope="boards:write",
    words="filter button on a board, only my issues on the board, quick filters",
    emits=[BoardSaved],
    example={"id": 1, "filters": [{"name": "Mine", "tql": "mine"}, {"name": "Bugs", "tql": "type = bug"}]},
)
def quick_filter_save(tx: Write, args: BoardsQuickFilterSave) -> Board:
    """Set the quick filters of a board, which `boards.view` takes by their ids. Filters that are not named go.

    A filter named by its `id` keeps it. A condition that cannot be asked is 422. Who may change the board may do so
    (403).
    """
    row = parts.kept(tx, args.id)
    ids = PartIds(row, "filters", "quick filter")
    made = []
    for at, one in enumerate(args.filters):
        validation.condition(tx, one.tql, f"filters[{at}].tql")
        ident = ids.of(one.id, f"filters[{at}].id")
        made.append(QuickFilter(id=ident, name=one.name, tql=one.tql))
    parts.require_apart([one["id"] for one in made], "quick filter", "filters")
    now = kept_names.kept(tx, [one["tql"] for one in made])
    return parts.put(tx, row, ids, made, kept_names.merged(row["names"], parts.texts(row), now))
