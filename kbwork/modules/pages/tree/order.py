"""The order of pages below one parent: a text for each, as other orders are kept."""

from collections.abc import Sequence

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Conflict, InvalidInput
from kbwork.core.things import rank_keys
from kbwork.db.rows import PageRow
from kbwork.db.tx import Read, Write, json_array
from kbwork.modules.pages import access

MOST_CHILDREN = 5000
"""Pages right below one, or at the top of a space."""
_BESIDE = "space = :space and parent is :parent and deleted_at is null"


@dataclass(frozen=True, slots=True)
class TreePlace:
    """A place below a page, or at the top of a space: behind one of those that stand there, or last."""

    space: int
    parent: int | None
    after: PageRow | None = None


def ranks(tx: Write, to: TreePlace, count: int, *, moving: Sequence[int] = ()) -> list[str]:
    """So many ranks at a place; what moves does not count."""
    try:
        return rank_keys.between(*_between(tx, to, moving), count, newest=_newest(tx))
    except rank_keys.Crowded:
        _spread_out(tx, to.space, to.parent)
        return rank_keys.between(*_between(tx, to, moving), count, newest=_newest(tx))


def require_room(tx: Read, space: int, parent: int | None, count: int) -> None:
    """Raises Conflict where there would be too many below one."""
    held = tx.value(f"select count(*) from page where {_BESIDE}", space=space, parent=parent)
    if held + count > MOST_CHILDREN:
        raise Conflict(f"Below one page, or at the top of a space, {MOST_CHILDREN} pages stand at most.")


def sibling(tx: Read, space: int, parent: int | None, ref: str | None) -> PageRow | None:
    """The page behind which something goes. Raises InvalidInput where it is none of these children."""
    if not ref:
        return None
    row = access.find(tx, ref)
    if row is None or (row["space"], row["parent"]) != (space, parent):
        raise InvalidInput("Name in `after` a page that stands right below the same one.", field="after")
    return row


def depth(tx: Read, page: int | None) -> int:
    """On which level a page stands; 0 for none."""
    return len(access.lines(tx, [page])[page]) if page is not None else 0


def below(tx: Read, page: int, *, deleted: bool = False) -> list[tuple[int, int]]:
    """(number, level below) of all that stands below a page, itself first at level 0, upper levels first."""
    which = "" if deleted else " where q.deleted_at is null"
    return [
        (ident, level)
        for ident, level in tx.tuples(
            "with recursive down (id, level) as (select :page, 0 union all"
            f" select q.id, down.level + 1 from down join page q on q.parent = down.id{which})"
            " select id, level from down order by level, id",
            page=page,
        )
    ]


def _between(tx: Read, to: TreePlace, moving: Sequence[int]) -> tuple[str | None, str | None]:
    binds = {"space": to.space, "parent": to.parent, "moving": json_array(moving)}
    apart = "and id not in (select value from json_each(:moving))"
    if to.after is None:
        last = tx.value(f"select max(rank) from page where {_BESIDE} {apart}", **binds)
        return last, None
    left = tx.value("select rank from page where id = :id", id=to.after["id"])
    right = tx.value(
        f"select rank from page where {_BESIDE} {apart} and (rank, id) > (:rank, :id) order by rank, id limit 1",
        rank=left,
        id=to.after["id"],
        **binds,
    )
    return left, right


def _newest(tx: Read) -> str:
    return rank_keys.of_number((tx.value("select max(id) from page") or 0) + 1)


def _spread_out(tx: Write, space: int, parent: int | None) -> None:
    """Give all children of a parent new ranks in the order that they have: between two there was no room."""
    children = tx.column(f"select id from page where {_BESIDE} order by rank, id", space=space, parent=parent)
    for number, page in enumerate(children):
        tx.execute(
            "update page set rank = :rank where id = :id", rank=rank_keys.of_number(number + 1), id=page
        )


def require_depth(tx: Read, parent: int | None, levels: int) -> None:
    """Raises Conflict where so many levels more would be too many."""
    if depth(tx, parent) + levels > access.DEEPEST:
        raise Conflict(f"A tree of pages has {access.DEEPEST} levels at most.")
