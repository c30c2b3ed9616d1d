"""Look at boards, make and change them, copy them."""

import json
from functools import partial
from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import Conflict
from kbwork.base.model import Id, Input, Name, Text
from kbwork.base.text import folded
from kbwork.core import named
from kbwork.core.operations.declare import read, write
from kbwork.db.rows import BoardRow
from kbwork.db.tx import Read, Row, Write, with_columns
from kbwork.modules.boards import access, columns, parts, queries, validation
from kbwork.modules.boards.model import Board, BoardSaved, Kind, Tql
from kbwork.modules.projects import access as projects
from kbwork.modules.projects import placement
from kbwork.modules.tql import kept_names

MOST = 200
"""Boards of one owner."""
_FieldText = Annotated[str, Field(max_length=2000)]


class BoardsGet(Input):
    id: Id
    """Id of the board."""


@read(
    "boards.get",
    scope="boards:read",
    words="open a board, settings of a board, columns of a board, wip limits",
    example={"id": 1},
)
def get(tx: Read, args: BoardsGet) -> Board:
    """Look at a board: its columns, filters and fields; `boards.view` answers the issues on it.

    A board on a project is seen by whoever sees the project, any other by its owner alone. Its conditions go
    on meaning what they named when they were saved, and are shown with present names. A lane that is gone is in no
    column any more.
    """
    return queries.one(tx, access.board(tx, args.id)["id"])


class BoardsList(Input):
    project: Text | None = None
    """Only those on this project."""
    q: Text | None = None
    """Words in the name."""


@read(
    "boards.list",
    scope="boards:read",
    words="kanban boards, scrum boards, sprint boards, which boards exist, my boards",
    example={"project": "WEB"},
)
def list_(tx: Read, args: BoardsList) -> list[Board]:
    """List the boards that you see, by name."""
    project = projects.project(tx, args.project)["id"] if args.project else None
    return [queries.shown(tx, row) for row in queries.rows(tx, project=project, q=args.q or "")]


class BoardsSave(Input):
    id: Id | None = None
    """The board to change; left out: make one."""
    name: Name
    """What people choose it by."""
    project: Text | None = None
    """The project that it is on, whose members see and keep it; null: none, so that it is yours alone. Which issues it
    shows is in its condition alone."""
    tql: Tql
    """The condition on the issues that it shows, such as `project = WEB and not archived`; empty shows all."""
    swimlanes: _FieldText | None = None
    """The field of issues by whose values its rows are; null: none."""
    card_fields: Annotated[list[_FieldText], Field(max_length=50)] | None = None
    """Fields that its cards show; `[]`: the usual ones."""
    color_by: _FieldText | None = None
    """The field that colours its cards; null: none."""
    kind: Kind | None = None
    """`kanban` unless given. A `sprint` board shows what its condition says, as any other, in this version."""


@write(
    "boards.save",
    scope="boards:write",
    words="new board, make a kanban board, scrum board, board of a team, rename a board, task board, set up a board",
    emits=[BoardSaved],
    example={"name": "Shop floor", "project": "WEB", "tql": "project = WEB", "swimlanes": "assignee"},
)
def save(tx: Write, args: BoardsSave) -> Board:
    """Make a board, or change one: fields that are not named stay, null clears `project`, `swimlanes` and `color_by`.

    A new one has a column for each lane of its project's workflow, or of the org's, the done ones in one;
    boards.columns_set makes others. A condition that cannot be asked is 422 with the place in it (`tql-syntax`,
    `tql-name`); one with `order by`, `select` or `group by` too, since a board is in the order of ranks. Your own are
    yours to change, those on a project for its members and leads (403). An owner has 200 boards at most (409).
    """
    ident = _make(tx, args) if args.id is None else _change(tx, args.id, args)
    return queries.one(tx, ident)


class BoardsCopy(Input):
    id: Id
    """Id of the board."""
    name: Name
    """What the copy is called."""
    project: Text | None = None
    """The project that the copy is on; null: none, so that it is yours alone."""


@write(
    "boards.copy",
    scope="boards:write",
    words="copy a board, duplicate a board, board like that one, my own version of a board",
    emits=[BoardSaved],
    example={"id": 1, "name": "Shop floor, mine"},
)
def copy(tx: Write, args: BoardsCopy) -> Board:
    """Copy a board that you see: with its condition, columns, filters and fields, on a project or as your own."""
    row = access.board(tx, args.id)
    kept = ("tql", "names", "kind", "columns", "filters", "parts", "swimlanes", "card_fields", "color_by")
    made = {name: row[name] for name in kept} | {"name": args.name, "project": _project(tx, args.project)}
    return queries.one(tx, _insert(tx, made))


def _make(tx: Write, args: BoardsSave) -> int:
    given = {
        "project": None,
        "kind": "kanban",
        "filters": "[]",
        "swimlanes": None,
        "card_fields": "[]",
        "color_by": None,
        **_columns(tx, args),
    }
    usual = columns.usual(tx, given["project"])
    return _insert(tx, given | {"columns": queries.stored(usual), "parts": len(usual)})


def _insert(tx: Write, given: Row) -> int:
    row = {**given, "name_key": folded(given["name"]), "owner": tx.caller.me()}
    access.require_keeper(tx, row)
    require_room(tx, row["owner"])
    ident = tx.insert("board", created_at=tx.now, **row)
    parts.tell(tx, row | {"id": ident}, {})
    return ident


def _change(tx: Write, ident: int, args: BoardsSave) -> int:
    row = access.board(tx, ident)
    access.require_keeper(tx, row)
    given = _columns(tx, args)
    stay = [*parts.fields(row), *(one["tql"] for one in json.loads(row["filters"]))]
    given["names"] = kept_names.merged(row["names"], stay, given["names"])
    changed = named.diff(row, given)
    if not changed:
        return ident
    after = with_columns(row, changed)
    access.require_keeper(tx, after)
    tx.update("board", ident, **changed | {"name_key": folded(after["name"])})
    parts.tell(tx, after, _changes(tx, row, changed))
    return ident


def _columns(tx: Read, args: BoardsSave) -> dict[str, Any]:
    """What is given, as the row has it."""
    validation.condition(tx, args.tql)
    found: dict[str, Any] = {"name": args.name, "tql": args.tql} | args.filled("kind")
    if args.card_fields is not None:
        found["card_fields"] = queries.stored(validation.card_fields(tx, args.card_fields))
    for name in ("swimlanes", "color_by"):
        if args.given(name):
            text = getattr(args, name)
            found[name] = validation.field(tx, text, name) if text else None
    if args.given("project"):
        found["project"] = _project(tx, args.project)
    return found | {"names": kept_names.kept(tx, [args.tql], parts.fields(found))}


def _project(tx: Read, key: str | None) -> int | None:
    return projects.project(tx, key)["id"] if key else None


def require_room(tx: Read, owner: str) -> None:
    """Raises Conflict where the owner has as many boards as anybody may."""
    if (
        tx.value("select count(*) from board where owner = :owner and deleted_at is null", owner=owner)
        >= MOST
    ):
        raise Conflict(f"Somebody has {MOST} boards at most: delete one first.")


_TOLD = ("name", "project", "tql", "kind", "swimlanes", "card_fields", "color_by")


def _changes(tx: Read, row: BoardRow, changed: dict[str, Any]) -> dict[str, Any]:
    """What changed, as the shape has it."""
    key = partial(placement.key_of, tx)
    return named.changes(row, changed, _TOLD, card_fields=json.loads, project=key)
