"""List, set and order stars."""

from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import Conflict, NotFound
from kbwork.base.model import Empty, Id, Input, Name, Text
from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read, write
from kbwork.core.things.thing import ref_of
from kbwork.db.tx import Read, Write
from kbwork.modules.stars import queries
from kbwork.modules.stars.model import Star

MOST = 500
"""Stars of one person."""
_NO_WORK = "a star is set and taken by the same call"
Word = Annotated[Name, Field(max_length=100)]


@read("stars.list", scope="activity:read", example={})
def list_(tx: Read, _: Empty) -> list[Star]:
    """List what you starred, in your order.

    What you do not see any more is left out, and comes back to its place when you see it again. Keys and agents are
    answered their owner's stars, as far as they see what these are on.
    """
    return queries.listed(tx)


class StarsSet(Input):
    subject: Text
    """What to star: `WEB-1`, `project:WEB`, `view:3` or any other thing that you see."""
    on: bool
    """False takes the star away."""
    folder: Word | None = None
    """Folder to put it into; null takes it out of its folder. Folders are there as long as something lies in them."""
    label: Word | None = None
    """What you call it; null: by its title."""


@write(
    "stars.set",
    scope="activity:write",
    emits=[],
    undo=_NO_WORK,
    example={"subject": "issue:WEB-1", "on": True, "folder": "Shop"},
)
def set_(tx: Write, args: StarsSet) -> list[Star]:
    """Star a thing, or take the star away. Answers all that you starred.

    A new one comes last. On one that is starred already `folder` and `label` change where they are given. Nobody is
    told. You have 500 stars at most (409); before that is said, those make room whose things you do not see any more.
    """
    subject = named.seen(visibility.referred(tx, args.subject), "thing", args.subject).id
    row = queries.on(tx, subject)
    if not args.on:
        if row is not None:
            _remove(tx, row["id"])
        return queries.listed(tx)
    given = {name: getattr(args, name) for name in ("folder", "label") if args.given(name)}
    if row is None:
        _put(tx, subject, {"folder": None, "label": None} | given)
    elif changed := named.diff(row, given):
        columns = ", ".join(f"{name} = :{name}" for name in changed)
        tx.execute(f"update star set {columns} where id = :id", id=row["id"], **changed)
    return queries.listed(tx)


class StarsReorder(Input):
    ids: Annotated[list[Id], Field(min_length=1, max_length=MOST)]
    """Stars of yours in their new order: they share out the places that they have. Others stay where they are."""
    folder: Word | None = None
    """Folder to put them into; null takes them out of theirs. Left out: each stays in its own."""


@write("stars.reorder", scope="activity:write", emits=[], undo=_NO_WORK, example={"ids": [2, 1]})
def reorder(tx: Write, args: StarsReorder) -> list[Star]:
    """Put stars in order, or into a folder. Answers all that you starred.

    One that is not yours, or on what you do not see, is 404. An id that comes twice counts where it comes first.
    """
    ids = list(dict.fromkeys(args.ids))
    seen = {star["id"]: star["position"] for star in queries.listed(tx)}
    for ident in ids:
        if ident not in seen:
            raise NotFound(f"You have no star {ident}; stars.list shows them.")
    for ident, position in zip(ids, sorted(seen[ident] for ident in ids), strict=True):
        tx.execute("update star set position = :position where id = :id", position=position, id=ident)
    if args.given("folder"):
        for ident in ids:
            tx.execute("update star set folder = :folder where id = :id", folder=args.folder, id=ident)
    return queries.listed(tx)


def _put(tx: Write, subject: str, columns: dict[str, Any]) -> None:
    """Behind the others. Raises Conflict where there are too many."""
    me = tx.caller.me()
    _make_room(tx, me)
    kind, ref = ref_of(subject)
    tx.execute(
        "insert into star (member, subject, issue, folder, label, position, created_at) values (:me, :subject, :issue,"
        " :folder, :label, (select coalesce(max(position), -1) + 1 from star where member = :me), :now)",
        me=me,
        subject=subject,
        issue=int(ref) if kind == "issue" else None,
        now=tx.now,
        **columns,
    )


def _make_room(tx: Write, member: str) -> None:
    """Where there are too many, those go whose things their owner does not see any more, the oldest first."""
    rows = sorted(queries.rows(tx, member), key=lambda row: row["id"])
    over = len(rows) - MOST + 1
    if over <= 0:
        return
    theirs = visibility.as_member(tx, member)
    hidden = [row["id"] for row in rows if visibility.find(theirs, row["subject"]) is None]
    if len(hidden) < over:
        raise Conflict(f"Somebody has {MOST} stars at most: take one away first.")
    for ident in hidden[:over]:
        _remove(tx, ident)


def _remove(tx: Write, ident: int) -> None:
    tx.execute("delete from star where id = :id", id=ident)
