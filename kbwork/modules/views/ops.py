"""Look at views, make and change them, copy them."""

import json
from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import Field

from kbwork.base.errors import Conflict
from kbwork.base.model import Id, Input, Name, Text
from kbwork.base.text import folded
from kbwork.core import named
from kbwork.core.operations.declare import read, write
from kbwork.db.rows import ViewRow
from kbwork.db.tx import Read, Row, Write, with_columns
from kbwork.modules.projects import access as projects
from kbwork.modules.projects import placement
from kbwork.modules.tql import kept_names
from kbwork.modules.views import access, queries, row_counts, validation
from kbwork.modules.views.model import Column, External, Icon, Layout, Tql, View, ViewSaved, told

MOST = 500
"""Views of one owner."""
_MOST_COLUMNS = 50
_COPIED = ("tql", "names", "layout", "columns", "group_by", "subgroup_by", "sort", "icon")


class ViewsGet(Input):
    id: Id
    """Id of the view."""


@read(
    "views.get",
    scope="boards:read",
    words="open a view, show a saved filter, run a saved search",
    threaded=True,
    example={"id": 1},
)
def get(tx: Read, args: ViewsGet) -> View:
    """Look at a view; `tql.run` with its `tql`, and its `columns` as `fields`, answers its rows.

    Everybody has the views that they made, that are shared, and that are on a project that they see. A view is its
    text: what somebody else finds with it is what they see themselves. It goes on meaning what it named when it was
    saved: what was renamed is shown with its present name, also where its old name was given to something else, and
    what was deleted finds nothing; `notices` say so. Where it names what the caller does not see, `count` is -1 and
    tql.check says what to write instead.
    """
    row = access.view(tx, args.id)
    return queries.shown(tx, queries.one(tx, row["id"]), partial(_count, tx))


def _count(tx: Read, row: Row) -> int:
    return row_counts.count(tx, row_counts.asked(row))


class ViewsList(Input):
    project: Text | None = None
    """Only those on this project."""
    q: Text | None = None
    """Words in the name."""
    mine: bool | None = None
    """Only those that you made."""


@read(
    "views.list",
    scope="boards:read",
    words="saved filters, my views, saved searches, dashboards, boards, which views exist",
    threaded=True,
    example={"project": "WEB"},
)
def list_(tx: Read, args: ViewsList) -> list[View]:
    """List the views that you see, by name.

    Counting all of them takes two seconds at most; a count that was not made in that time is -1, and `views.get` makes
    it.
    """
    project = projects.project(tx, args.project)["id"] if args.project else None
    found = queries.rows(tx, project=project, q=args.q or "", mine=bool(args.mine))
    counts = row_counts.counts(tx, [row_counts.asked(row) for row in found])
    return [queries.shown(tx, row, lambda row: counts[row_counts.asked(row)]) for row in found]


class ViewsSave(row_counts.CountedInput):
    id: Id | None = None
    """The view to change; left out: make one."""
    name: Name
    """What people choose it by."""
    tql: Tql
    """The query, as `tql.run` takes it; kept as it is written, with its comments. Empty finds all issues."""
    layout: Layout | None = None
    """`list` unless given."""
    columns: Annotated[list[Column], Field(max_length=_MOST_COLUMNS)] | None = None
    """Fields of the query's source, or what is computed from them; empty: the usual ones."""
    group_by: Column | None = None
    """A field of the source."""
    subgroup_by: Column | None = None
    """A field of the source, by which the rows of each group are grouped in turn; it needs `group_by` to be seen."""
    sort: Column | None = None
    """A field of the source, with `-` in front for descending; an `order by` in the query comes first."""
    project: Text | None = None
    """The project that it is on, whose members see and keep it; null: none, so that it is yours. What the query finds
    is in its text alone."""
    shared: bool | None = None
    """Everybody sees a view that is shared and on no project, guests too; each finds what they see themselves."""
    icon: Icon | None = None
    """Name of its icon."""
    external: External | Literal[""] | None = None
    """Id at the sender, unique among your views: one that you have already is answered as it is."""


def _counted(tx: Read, args: ViewsSave) -> ViewsSave:
    known = _external(tx, args.external) if args.id is None and args.external else None
    asked = row_counts.typed(tx, args.tql) if known is None else row_counts.asked(known)
    args.keep(row_counts.counts(tx, [asked]))
    return args


@write(
    "views.save",
    scope="boards:write",
    words=(
        "save this filter, save a search, new view, keep a query, share a filter with the team, "
        "board, custom list, bookmark a search"
    ),
    emits=[ViewSaved],
    foresee=_counted,
    threaded=True,
    example={
        "name": "My week",
        "tql": "mine open due <= +7d",
        "columns": ["key", "title", "due"],
        "sort": "due",
    },
)
def save(tx: Write, args: ViewsSave) -> View:
    """Make a view, or change one: fields that are not named stay, null clears `group_by`, `subgroup_by`, `sort`
    and `project`.

    A text that cannot be asked is 422, with the place in it (`tql-syntax`, `tql-name`), and so is a column, group or
    sort that is no field of its source. Names mean what is called so now, and the view goes on meaning that. Your own
    are yours to change, shared ones also for admins, those on a project for its members and leads (403). Of one that
    others changed meanwhile the last word stands, field by field. An owner has 500 views at most (409). In a batch
    `count` is -1.
    """
    if args.id is not None:
        ident = _change(tx, args.id, args)
    elif args.external and (known := _external(tx, args.external)) is not None:
        ident = known["id"]
    else:
        ident = _make(tx, args)
    return queries.shown(tx, queries.one(tx, ident), args.count)


class ViewsCopy(row_counts.CountedInput):
    id: Id
    """Id of the view."""
    name: Name | None = None
    """`Copy of` and its name unless given."""


def _copied_text(tx: Read, args: ViewsCopy) -> ViewsCopy:
    args.keep(row_counts.counts(tx, [row_counts.asked(access.view(tx, args.id))]))
    return args


@write(
    "views.copy",
    scope="boards:write",
    words="copy a view, my own version of a view, duplicate a filter",
    emits=[ViewSaved],
    foresee=_copied_text,
    threaded=True,
    example={"id": 1, "name": "My week, shorter"},
)
def copy(tx: Write, args: ViewsCopy) -> View:
    """Copy a view that you see into one of your own: on no project, not shared, with the same query and layout."""
    row = access.view(tx, args.id)
    columns = {name: row[name] for name in _COPIED}
    ident = _insert(tx, columns | {"name": args.name or f"Copy of {row['name']}"[:500]})
    return queries.shown(tx, queries.one(tx, ident), args.count)


_FRESH = {
    "tql": None,
    "columns": "[]",
    "group_by": None,
    "subgroup_by": None,
    "sort": None,
    "names": kept_names.NONE,
}


def _make(tx: Write, args: ViewsSave) -> int:
    given = _columns(tx, args, _FRESH)
    return _insert(tx, {"layout": "list", "columns": "[]"} | given)


def _insert(tx: Write, columns: Row) -> int:
    row = {
        "project": None,
        "shared": 0,
        **columns,
        "name_key": folded(columns["name"]),
        "owner": tx.caller.me(),
    }
    access.require_keeper(tx, row)
    require_room(tx, row["owner"])
    _require_free(tx, row["owner"], row.get("external"))
    ident = tx.insert("view", created_at=tx.now, **row)
    _tell(tx, row | {"id": ident}, {})
    return ident


def _change(tx: Write, ident: int, args: ViewsSave) -> int:
    row = access.view(tx, ident)
    access.require_keeper(tx, row)
    given = _columns(tx, args, row)
    changed = named.diff(row, given)
    if not changed:
        return ident
    after = with_columns(row, changed)
    access.require_keeper(tx, after)
    if "external" in changed:
        _require_free(tx, row["owner"], changed["external"])
    tx.update("view", ident, **changed | {"name_key": folded(after["name"])})
    _tell(tx, after, _changes(tx, row, changed))
    return ident


def _columns(tx: Read, args: ViewsSave, before: Mapping[str, Any]) -> dict[str, Any]:
    """What is given, as the row has it; what depends on the query is checked where it or the query is given anew."""
    source = validation.source(tx, args.tql)
    found: dict[str, Any] = {"name": args.name, "tql": args.tql}
    anew = args.tql != before["tql"]
    stays = queries.KeptTexts(tx, before).fields if anew and before["tql"] is not None else before
    if args.columns is not None or anew:
        asked = args.columns if args.columns is not None else json.loads(stays["columns"])
        found["columns"] = json.dumps(validation.columns(tx, asked, source), ensure_ascii=False)
    for name in ("group_by", "subgroup_by"):
        if args.given(name) or anew:
            group = getattr(args, name) if args.given(name) else stays[name]
            found[name] = validation.group(tx, group, source, name) if group else None
    if args.given("sort") or anew:
        order = args.sort if args.given("sort") else stays["sort"]
        found["sort"] = validation.sort(tx, order, source) if order else None
    found["names"] = _names(tx, before, found, source)
    if args.given("project"):
        found["project"] = projects.project(tx, args.project)["id"] if args.project else None
    found |= args.filled("layout", "icon", "external", shared=int)
    return found | {name: None for name in ("icon", "external") if found.get(name) == ""}


def _names(tx: Read, before: Mapping[str, Any], given: Mapping[str, Any], source: str) -> str:
    """What the names of its texts mean: those of what is given mean it now, all others what they did."""
    now = kept_names.kept(tx, [given["tql"]], _fields(given), source)
    return kept_names.merged(before["names"], _fields(before), now)


def _fields(row: Mapping[str, Any]) -> list[str]:
    """The texts of fields that a view has."""
    sort = (row.get("sort") or "").removeprefix("-")
    groups = (row.get("group_by"), row.get("subgroup_by"))
    return [one for one in (*json.loads(row.get("columns", "[]")), *groups, sort) if one]


def _external(tx: Read, external: str) -> ViewRow | None:
    """The caller's own view with this id at the sender, where they see it."""
    found = tx.value(
        "select id from view where owner = :me and external = :external and deleted_at is null",
        me=tx.caller.me(),
        external=external,
    )
    return access.find(tx, found) if found is not None else None


def require_room(tx: Read, owner: str) -> None:
    """Raises Conflict where the owner has as many views as anybody may."""
    if tx.value("select count(*) from view where owner = :owner and deleted_at is null", owner=owner) >= MOST:
        raise Conflict(f"Somebody has {MOST} views at most: delete one first.")


def _require_free(tx: Read, owner: str, external: str | None) -> None:
    """Raises Conflict where another view of the owner has this id at the sender."""
    if external is None:
        return
    taken = tx.value(
        "select 1 from view where owner = :owner and external = :external and deleted_at is null",
        owner=owner,
        external=external,
    )
    if taken is not None:
        raise Conflict(f"Another view of its owner has the external id {external!r}.")


_TOLD = (
    "name",
    "tql",
    "layout",
    "group_by",
    "subgroup_by",
    "sort",
    "icon",
    "external",
    "columns",
    "shared",
    "project",
)


def _changes(tx: Read, row: ViewRow, changed: dict[str, Any]) -> dict[str, Any]:
    """What changed, as the shape has it."""
    key = partial(placement.key_of, tx)
    return named.changes(row, changed, _TOLD, columns=json.loads, shared=bool, project=key)


def _tell(tx: Write, row: Mapping[str, Any], changes: dict[str, Any]) -> None:
    payload = told(row, placement.key_of(tx, row["project"]))
    tx.emit(ViewSaved(subject=f"view:{row['id']}", payload=payload, changes=changes))
