"""What the module of spaces asks of pages."""

from kbwork.base.errors import InvalidInput, NotFound
from kbwork.core.access import visibility
from kbwork.db.rows import PageRow, SpaceRow
from kbwork.db.tx import Read, Write, json_array
from kbwork.modules import trash
from kbwork.modules.pages import access, queries
from kbwork.modules.pages.people.stale import stale
from kbwork.modules.pages.tree.children import below
from kbwork.modules.spaces import SpaceContent, TreeNode

_SLICE = 100


def _counts(tx: Read, idents: list[int]) -> dict[int, int]:
    """Where nobody is kept out the index counts; else each page is asked for."""
    if not visibility.holds(tx, "page"):
        return {}
    where = access.SEEN if not access.rights(tx).plain else _SEEN_BY_SPACE
    return dict(
        tx.tuples(
            "select p.space, count(*) from page p where p.space in (select value from json_each(:ids))"
            f" and p.archived_at is null and {where} group by p.space",
            ids=json_array(idents),
            **visibility.binds(tx),
        )
    )


_SEEN_BY_SPACE = (
    "p.deleted_at is null and (p.state <> 'draft' or p.created_by = :kb_me"
    " or p.space in (select value from json_each(:kb_space_edits)))"
)


def _tree(tx: Read, space: SpaceRow, parent: str | None, depth: int) -> list[TreeNode]:
    top = None
    if not visibility.holds(tx, "page"):
        return []
    if parent:
        row = access.page(tx, parent)
        if row["space"] != space["id"]:
            raise NotFound(f"There is no page {parent!r} in the space {space['key']} that you can see.")
        top = row["id"]
    rows = below(tx, space["id"], top, depth)
    counts = queries.children(tx, [row["id"] for row in rows])
    nodes = {row["id"]: _node(row, counts) for row in rows}
    found: list[TreeNode] = []
    for row in rows:
        if row["parent"] == top:
            found.append(nodes[row["id"]])
        else:
            assert row["parent"] is not None
            nodes[row["parent"]].setdefault("nodes", []).append(nodes[row["id"]])
    return found


def _node(row: PageRow, counts: dict[int, int]) -> TreeNode:
    return TreeNode(
        id=str(row["id"]), title=row["title"], icon=row["icon"], children=counts.get(row["id"], 0)
    )


def _home(tx: Read, space: SpaceRow, ref: str) -> int:
    row = access.find(tx, ref)
    if row is None or row["space"] != space["id"]:
        raise InvalidInput(f"There is no page {ref!r} in {space['key']} that you can see.", field="home")
    return row["id"]


def _contents(tx: Read, space: int) -> int:
    return int(tx.value("select count(*) from page where space = :space and deleted_at is null", space=space))


def _purge(tx: Write, space: int) -> bool:
    """Those without any below them first."""
    found = tx.column(
        "select id from page p where space = :space and not exists (select 1 from page q where q.parent = p.id)"
        " order by id limit :most",
        space=space,
        most=_SLICE,
    )
    if not found:
        tx.execute("delete from page_template where space = :space", space=space)
    return all(trash.purge(tx, f"page:{page}") for page in found) and not found


CONTENT = SpaceContent(
    home=__name__,
    counts=_counts,
    tree=_tree,
    stale=stale,
    opening=_home,
    seen=lambda tx, pages: queries.seen(tx, set(pages)),
    contents=_contents,
    purge=_purge,
)
