"""The order of a project's issues."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input, Text
from kbwork.core.operations.declare import write
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Read, Write
from kbwork.modules.issues import access, preconditions, queries
from kbwork.modules.issues.events import IssueRanked
from kbwork.modules.issues.issue import synced
from kbwork.modules.issues.structure import rank_place


class IssuesRank(Input):
    keys: Annotated[list[Text], Field(min_length=1, max_length=1000)]
    """Issues of one project, in the order that they are to have."""
    after: Text | None = None
    """The issue of the same project behind which they go."""
    before: Text | None = None
    """The one before which they go."""


class NewRanks(TypedDict):
    """Where issues stand now."""

    ok: bool
    """Always true: what was asked for is done."""
    ranks: dict[str, str]
    """Issue key -> rank, of those whose rank changed and that you see: those that moved, and neighbours that made
    room."""


@write(
    "issues.rank",
    scope="issues:write",
    words=(
        "prioritize the backlog, order of the backlog, move to the top, sort, reorder, put above, "
        "groom, bring up in the list, drag, bottom, more important than"
    ),
    emits=[IssueRanked],
    example={"keys": ["WEB-3"], "before": "WEB-1"},
)
def rank(tx: Write, args: IssuesRank) -> NewRanks:
    """Put issues into another place of their project's order: behind one issue or before one.

    Their own order is that of `keys`. Each issue that moved tells `issue.ranked` with its new rank. Where a place is
    crowded its neighbours get new ranks too, in the order that they have; the answer names them, and no event does.
    `seq` of each issue whose rank changed moves, `updated_at` does not. Where nothing moves nothing is told.
    """
    if (args.after is None) == (args.before is None):
        raise InvalidInput("Name one of `after` and `before`.", field="after")
    rows = _rows(tx, args.keys)
    anchor = _anchor(tx, args, rows)
    left, right = rank_place.neighbours(
        tx, anchor, [row["id"] for row in rows], behind=args.after is not None
    )
    return NewRanks(ok=True, ranks=_keys_of(tx, rank_place.put(tx, rows, left, right)))


def _rows(tx: Read, keys: list[str]) -> list[IssueRow]:
    rows = list({row["id"]: row for row in (preconditions.movable(tx, key) for key in keys)}.values())
    other = next((row for row in rows if row["project"] != rows[0]["project"]), None)
    if other is not None:
        raise InvalidInput(
            f"{queries.key_of(tx, other)} is of another project: an order is one project's.", field="keys"
        )
    return rows


def _anchor(tx: Read, args: IssuesRank, rows: list[IssueRow]) -> IssueRow:
    field = "after" if args.after is not None else "before"
    anchor = access.find(tx, args.after or args.before or "")
    if anchor is None or anchor["project"] != rows[0]["project"] or anchor["archived_at"] is not None:
        raise InvalidInput(f"Name an issue of the same project in `{field}`.", field=field)
    if any(row["id"] == anchor["id"] for row in rows):
        raise InvalidInput("An issue does not go behind or before itself.", field=field)
    return anchor


def _keys_of(tx: Read, ranks: dict[int, str]) -> dict[str, str]:
    """By their keys, in order; those that the caller does not see are left out."""
    seen = [row for row in queries.rows(tx, sorted(synced.seen(tx, ranks))) if row["deleted_at"] is None]
    return {queries.key_of(tx, row): row["rank"] for row in sorted(seen, key=lambda row: row["rank"])}
