"""Issues and all that stands under them: looked at as a tree, made as a tree."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.errors import InvalidInput, located
from kbwork.base.model import Input, Text
from kbwork.core.operations import nested
from kbwork.core.operations.declare import read, write
from kbwork.core.references import IssueRef, ProjectRef
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Read, Write
from kbwork.modules.issues import access, fanout_limit, queries
from kbwork.modules.issues.events import CREATION_EVENTS
from kbwork.modules.issues.issue import resolve
from kbwork.modules.issues.issue.create import create
from kbwork.modules.issues.model import Issue, IssuesCreate
from kbwork.modules.issues.relations import relation_kinds, relations

MOST_SHOWN = 2000
MOST_MADE = 200


class Tree(TypedDict):
    """An issue and what stands under it. The sums are of itself and all below, as far as the caller sees it.

    `done` of `total` issues below are closed; `children` are trees again, empty below the asked depth.
    """

    issue: Issue
    """The issue itself."""
    children: list["Tree"]
    """Trees of the issues right below it; empty below the asked depth."""
    done: int
    """Issues below that are closed."""
    total: int
    """Issues below."""
    estimate: float
    """Estimates of it and all below, added up."""
    spent: int
    """Seconds of work on it and all below."""


class IssuesTree(Input):
    key: IssueRef
    depth: Annotated[int, Field(ge=0, le=resolve.MOST_LEVELS)] | None = None
    """So many levels below are shown; 5 unless given."""


@read(
    "issues.tree",
    scope="issues:read",
    words=(
        "epic with its stories, subtasks, children, hierarchy, everything under, sub-issues, "
        "breakdown, progress of an epic, what belongs to"
    ),
    threaded=True,
    example={"key": "WEB-1", "depth": 2},
)
def tree(tx: Read, args: IssuesTree) -> Tree:
    """Look at an issue with all that stands under it, children by rank. More than 2,000 issues are 422."""
    row = access.get(tx, args.key)
    below: dict[int, list[IssueRow]] = {}
    rows, waiting = [row], [row]
    while waiting:
        one = waiting.pop()
        below[one["id"]] = queries.child_rows(tx, one["id"]) if one["children"] else []
        rows += below[one["id"]]
        waiting += below[one["id"]]
        if len(rows) > MOST_SHOWN:
            raise InvalidInput(f"More than {MOST_SHOWN} issues stand under it: ask for one of its children.")
    shown = {issue["id"]: issue for issue in queries.shown(tx, rows)}
    return _tree(shown, below, row["id"], 5 if args.depth is None else args.depth)


def _tree(shown: dict[int, Issue], below: dict[int, list[IssueRow]], ident: int, depth: int) -> Tree:
    children = [_tree(shown, below, row["id"], depth - 1) for row in below[ident]]
    issue = shown[ident]
    return Tree(
        issue=issue,
        children=children if depth > 0 else [],
        done=sum(child["done"] + (child["issue"]["category"] == "done") for child in children),
        total=sum(child["total"] + 1 for child in children),
        estimate=(issue["estimate"] or 0) + sum(child["estimate"] for child in children),
        spent=issue["spent_seconds"] + sum(child["spent"] for child in children),
    )


class TreeItem(IssuesCreate):
    """One issue of a tree. `parent` is the `ref` of another item, or the key of an issue that is there."""

    project: Text | None = None  # type: ignore[assignment]  # that of the tree unless the item has its own
    """Key of its project; that of the tree unless given."""
    ref: Annotated[str, Field(min_length=1, max_length=100)]
    """A name of yours for it, by which other items call it."""
    blocks: Annotated[list[Text], Field(max_length=200)] | None = None
    """The refs of items, or the keys of issues, that it blocks."""


class IssuesCreateTree(Input):
    project: ProjectRef
    items: Annotated[list[TreeItem], Field(min_length=1, max_length=MOST_MADE)]
    """In any order."""


@write(
    "issues.create_tree",
    scope="issues:write",
    words=(
        "an epic with stories, several tickets at once, create many issues, plan with subtasks, "
        "break down into tickets, bulk create"
    ),
    emits=list(CREATION_EVENTS),
    example={
        "project": "WEB",
        "items": [
            {"ref": "top", "title": "Vouchers", "type": "epic"},
            {"ref": "one", "title": "Keep them at sign-in", "parent": "top", "blocks": ["two"]},
            {"ref": "two", "title": "Show them in the cart", "parent": "top"},
        ],
    },
)
def create_tree(tx: Write, args: IssuesCreateTree) -> list[Issue]:
    """Make several issues at once, with parents and blocking among them: all or none. Answers them in your order.

    200 at most, and with those that templates add 1,000 in one call (422). A `ref` twice, or items that stand under
    each other in a circle, are 422; what is wrong with an item is told under `items[<n>]`.
    """
    made = grow(tx, args.project, args.items)
    return [queries.one(tx, made[item.ref]) for item in args.items]


def grow(tx: Write, project: str, items: list[TreeItem]) -> dict[str, int]:
    """Make the items, parents first; answers the internal number of each ref. Raises InvalidInput for too many."""
    if not fanout_limit.count(tx, len(items)):
        raise InvalidInput(
            f"With what templates add, it would be more than {fanout_limit.MOST:,} issues in one call: "
            "make fewer at once.",
            field="items",
        )
    places = _places(items)
    made: dict[str, int] = {}
    for number in _parents_first(items, places):
        item = items[number]
        with located(f"items[{number}]"):
            value = item.model_dump(exclude_unset=True, by_alias=True, exclude={"ref", "blocks"})
            if item.parent in made:
                value["parent"] = f"issue:{made[item.parent]}"
            made[item.ref] = nested.run(tx, create, {"project": project} | value)["id"]
    blocks, _ = relation_kinds.by_name(tx, "blocks")
    for number, item in enumerate(items):
        for name in item.blocks or ():
            with located(f"items[{number}]"):
                relations.add(
                    tx, blocks, queries.stored(tx, made[item.ref]), _other(tx, made, name, item.ref)
                )
    return made


def _places(items: list[TreeItem]) -> dict[str, int]:
    places: dict[str, int] = {}
    for number, item in enumerate(items):
        if item.ref in places:
            raise InvalidInput(f"The ref {item.ref!r} stands there twice.", field=f"items[{number}].ref")
        places[item.ref] = number
    return places


def _parents_first(items: list[TreeItem], places: dict[str, int]) -> list[int]:
    """The places of the items, each behind that of its parent. Raises InvalidInput for a circle."""
    order: dict[int, None] = {}
    for start in range(len(items)):
        way: dict[int, None] = {}
        at: int | None = start
        while at is not None and at not in order:
            if at in way:
                raise InvalidInput(f"{items[at].ref!r} stands under itself.", field=f"items[{at}].parent")
            way[at] = None
            at = places.get(items[at].parent or "")
        order |= dict.fromkeys(reversed(way))
    return list(order)


def _other(tx: Read, made: dict[str, int], name: str, ref: str) -> IssueRow:
    if name == ref:
        raise InvalidInput("An issue does not block itself.", field="blocks")
    row = queries.stored(tx, made[name]) if name in made else access.find(tx, name)
    if row is None:
        raise InvalidInput(f"There is no item and no issue {name!r}.", field="blocks")
    return row
