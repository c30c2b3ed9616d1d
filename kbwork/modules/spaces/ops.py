"""Look at spaces, make and change them."""

from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import Conflict, InvalidInput, NotAllowed
from kbwork.base.model import Body, Input, Int, Name, Text
from kbwork.base.text import folded
from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read, write
from kbwork.core.references import ProjectRef
from kbwork.db.rows import SpaceRow
from kbwork.db.tx import Read, Write, with_columns
from kbwork.modules import access as grants
from kbwork.modules.projects import access as projects
from kbwork.modules.projects import placement
from kbwork.modules.spaces import access, queries
from kbwork.modules.spaces.model import (
    Space,
    SpaceCreated,
    SpaceKey,
    SpaceKind,
    SpaceRef,
    SpaceUpdated,
    SpaceVisibility,
)
from kbwork.modules.spaces.ports import content

MOST = 2000
"""Spaces of the org."""


class SpacesGet(Input):
    key: SpaceRef


@read(
    "spaces.get",
    scope="pages:read",
    words="details of a space, open a wiki, settings of a space",
    example={"key": "HAND"},
)
def get(tx: Read, args: SpacesGet) -> Space:
    """Look at a space, by its key in any case."""
    return queries.one(tx, access.space(tx, args.key)["id"])


class SpacesList(Input):
    q: Text | None = None
    """Words in key or name."""
    kind: SpaceKind | None = None
    """Only those of this sort."""
    archived: bool | None = None
    """True: archived ones too."""


@read(
    "spaces.list",
    scope="pages:read",
    words="wikis, all spaces, which spaces exist, knowledge bases, documentation, my personal space",
    example={},
)
def list_(tx: Read, args: SpacesList) -> list[Space]:
    """List the spaces that you see, by name."""
    where, binds = [access.SEEN], dict[str, Any](visibility.binds(tx))
    if not args.archived:
        where.append("s.archived_at is null")
    if args.kind is not None:
        where.append("s.kind = :kind")
        binds["kind"] = args.kind
    for number, word in enumerate(folded(args.q or "").split()[:20]):
        where.append(f"(instr(folded(s.name), :q{number}) or instr(folded(s.key), :q{number}))")
        binds[f"q{number}"] = word
    rows = tx.all(
        f"select s.* from space s where {' and '.join(where)} order by lower(s.name), s.id", SpaceRow, **binds
    )
    return queries.shown(tx, rows)


class SpacesSave(Input):
    key: SpaceKey
    """2 to 20 letters and digits, the first a letter. An unknown one makes a space; a key stays as it is."""
    name: Name
    """What people read."""
    kind: SpaceKind | None = None
    """`team` unless given. `project` follows the people of a project, `personal` is yours alone, `kb` holds articles
    for a desk."""
    description: Body | None = None
    """What it is for, in Markdown."""
    icon: Text | None = None
    """Name of its icon, or a sign; an empty text clears it."""
    project: ProjectRef | None = None
    visibility: SpaceVisibility | None = None
    """Who works in it: every member (`org`, which it is unless given, and `public`), or those who were given a right
    (`members`)."""
    home: Text | None = None
    """Id of the page that it opens with; null: none."""
    review_days: Annotated[Int, Field(ge=1, le=3650)] | None = None
    """After how many days a page should be looked at again; null: nobody is asked."""


@write(
    "spaces.save",
    scope="pages:write",
    words=(
        "new space, make a wiki, start a handbook, knowledge base, personal space, rename a space, "
        "home page of a space"
    ),
    guests=False,
    emits=[SpaceCreated, SpaceUpdated],
    example={"key": "OPS", "name": "Operations", "description": "How we run things"},
)
def save(tx: Write, args: SpacesSave) -> Space:
    """Make a space, or change one: fields that are not named stay, null clears `home` and `review_days`.

    You manage a space that you make. One of kind `project` needs a `project` and follows its people: its leads manage
    it, members edit, reporters comment, viewers read. A `personal` one is its owner's alone, admins see nothing of it.
    The kind is decided when it is made, but that `team` and `kb` may follow each other (422). Changing a space is for
    whoever manages it (403). A key that is or was in use, where you see no space, is 409.
    """
    found = access.find(tx, args.key)
    return queries.one(tx, _make(tx, args) if found is None else _change(tx, found, args))


def _make(tx: Write, args: SpacesSave) -> int:
    if tx.one("select 1 from space where key = :key", key=args.key) is not None:
        raise Conflict(f"The key {args.key} is or was in use; take another one.")
    if tx.value("select count(*) from space where deleted_at is null") >= MOST:
        raise Conflict(f"There are {MOST} spaces at most.")
    if args.home:
        raise InvalidInput("A new space has no pages yet: name its home later.", field="home")
    kind = args.kind or "team"
    project = _project(tx, kind, args.project)
    if tx.caller.projects is not None and project is None:
        raise NotAllowed("This key is limited to some projects and makes spaces of these alone.")
    me = tx.caller.me()
    ident = tx.insert(
        "space",
        key=args.key,
        name=args.name,
        kind=kind,
        description=args.description or "",
        icon=args.icon or None,
        project=project,
        visibility=_visibility(kind, args.visibility),
        owner=me,
        review_days=args.review_days,
        created_at=tx.now,
        seq=0,
    )
    if kind in ("team", "kb"):
        grants.give(tx, f"space:{args.key}", me, "manage")
    seq = tx.emit(SpaceCreated(subject=f"space:{args.key}", payload=_about(args.key, args.name)))
    tx.execute("update space set seq = :seq where id = :id", seq=seq, id=ident)
    return ident


def _change(tx: Write, row: SpaceRow, args: SpacesSave) -> int:
    access.require(tx, row, "manage")
    access.require_open(row)
    changed = named.diff(row, _columns(tx, row, args))
    if not changed:
        return row["id"]
    tx.update("space", row["id"], **changed)
    after = with_columns(row, changed)
    changes = named.changes(
        row,
        changed,
        project=lambda ident: placement.key_of(tx, ident),
        home=lambda ident: ident and str(ident),
    )
    if "description" in changes:
        changes["description"] = {
            "from_size": len(row["description"]),
            "to_size": len(after["description"]),
            "revision": None,
        }
    seq = tx.emit(
        SpaceUpdated(
            subject=f"space:{row['key']}", payload=_about(row["key"], after["name"]), changes=changes
        )
    )
    tx.execute("update space set seq = :seq where id = :id", seq=seq, id=row["id"])
    return row["id"]


def _columns(tx: Read, row: SpaceRow, args: SpacesSave) -> dict[str, Any]:
    kind = args.kind or row["kind"]
    if kind != row["kind"] and {kind, row["kind"]} != {"team", "kb"}:
        raise InvalidInput(f"A space of kind {row['kind']} stays one.", field="kind", allowed=[row["kind"]])
    found: dict[str, Any] = {"name": args.name, "kind": kind} | args.filled("description")
    if args.icon is not None:
        found["icon"] = args.icon or None
    if args.given("review_days"):
        found["review_days"] = args.review_days
    if args.project is not None:
        found["project"] = _project(tx, kind, args.project)
    if args.visibility is not None:
        found["visibility"] = _visibility(kind, args.visibility)
    if args.given("home"):
        found["home"] = content(tx).opening(tx, row, args.home) if args.home else None
    return found


def _project(tx: Read, kind: str, key: str | None) -> int | None:
    """The project that a space follows. Raises InvalidInput, or NotAllowed where the caller does not lead it."""
    if kind != "project":
        if key:
            raise InvalidInput("A space of kind `project` follows one; others do not.", field="project")
        return None
    if not key:
        raise InvalidInput("Name the project whose people it follows.", field="project")
    row = projects.project(tx, key)
    projects.require_lead(tx, row)
    projects.require_open(row)
    return row["id"]


def _visibility(kind: str, wanted: SpaceVisibility | None) -> SpaceVisibility:
    if kind in ("personal", "project"):
        if wanted not in (None, "members"):
            whose = "its owner's alone" if kind == "personal" else "seen by whoever sees its project"
            raise InvalidInput(f"A {kind} space is {whose}.", field="visibility", allowed=["members"])
        return "members"
    return wanted or "org"


def _about(key: str, name: str) -> dict[str, Any]:
    return {"space": key, "name": name}
