"""How issues can stand to each other: the kinds of relations, built in and the org's own."""

from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import Conflict, InUse, InvalidInput, NotFound
from kbwork.base.model import Input, Name, Text
from kbwork.base.text import did_you_mean, folded
from kbwork.core import named
from kbwork.core.operations.declare import destructive, read, write
from kbwork.db.rows import RelationKindRow, RelationRow
from kbwork.db.tx import Read, Write
from kbwork.modules.issues.events import RelationKindDeleted, RelationKindSaved
from kbwork.modules.issues.model import RelationKind
from kbwork.modules.labels import PALETTE, Colour

MOST = 100
Key = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]


class IssuesRelationKinds(Input):
    pass


@read(
    "issues.relation_kinds", scope="issues:read", words="which kinds of links exist, link types", example={}
)
def relation_kinds(tx: Read, args: IssuesRelationKinds) -> list[RelationKind]:
    """List the kinds of relations: those that every org has, then its own."""
    return shown(tx)


class IssuesRelationKindSave(Input):
    key: Key
    """Of a kind that is there: change it; a new one: make it."""
    name: Name
    """As the issue says it that the relation starts from: `blocks`."""
    inverse: Name
    """As the other end says it: `blocked by`. Both are one where the kind has no direction."""
    directed: bool | None = None
    """Unless given: as it was, or true for a new kind whose inverse is another word than its name."""
    blocks: bool | None = None
    """Takes part in blocking and scheduling."""
    color: Colour | None = None
    """Colour as `#rrggbb`."""


@write(
    "issues.relation_kind_save",
    scope="admin",
    words="new kind of link, own relation such as tested by, link type",
    emits=[RelationKindSaved],
    example={"key": "tests", "name": "tests", "inverse": "tested by"},
)
def relation_kind_save(tx: Write, args: IssuesRelationKindSave) -> list[RelationKind]:
    """Make a kind of relation, or change one.

    A name or inverse that another kind has is 409. Built-in kinds keep their direction and whether they block (409),
    and so do kinds that relations have (409). An org has 100 kinds at most.
    """
    row = tx.one("select * from relation_kind where key = :key", RelationKindRow, key=args.key)
    columns = _columns(tx, args, row)
    _require_free(tx, args.key, (columns["name"], columns["inverse"]))
    if row is None:
        _require_room(tx)
        tx.insert("relation_kind", key=args.key, built_in=0, **columns)
        _tell(tx, args.key, columns["name"], {})
        return shown(tx)
    changes = named.changes(row, columns)
    if changes:
        _require_settled(tx, row, changes)
        tx.update("relation_kind", row["id"], **columns)
        _tell(tx, args.key, columns["name"], changes)
    return shown(tx)


class IssuesRelationKindDelete(Input):
    key: Text
    """Key of the kind to take away."""
    move_to: Text | None = None
    """The kind that its relations become."""


@destructive(
    "issues.relation_kind_delete",
    scope="admin",
    words="remove a kind of link",
    emits=[RelationKindDeleted],
    example={"key": "tests", "move_to": "relates"},
)
def relation_kind_delete(tx: Write, args: IssuesRelationKindDelete) -> list[RelationKind]:
    """Take a kind of relation away; built-in ones stay (409).

    One that relations have needs `move_to` (409 `in-use` with `uses`); where two issues have that relation already
    they keep it once.
    """
    row = tx.one("select * from relation_kind where key = :key", RelationKindRow, key=args.key)
    if row is None:
        raise NotFound(f"There is no kind of relation {args.key!r}; issues.relation_kinds shows them.")
    if row["built_in"]:
        raise Conflict(f"{row['key']} is built in and stays.")
    uses = tx.value("select count(*) from relation where kind = :id", id=row["id"])
    if uses:
        if not args.move_to:
            raise InUse(f"{uses} relations are of this kind: name another in move_to.", uses=uses)
        target, _ = by_name(tx, args.move_to, field="move_to")
        if target["id"] == row["id"]:
            raise InvalidInput("It cannot move to itself.", field="move_to")
        _move(tx, row, target)
    tx.delete("relation_kind", row["id"])
    tx.emit(RelationKindDeleted(subject="org:1", payload={"key": row["key"], "name": row["name"]}))
    return shown(tx)


def rows(tx: Read) -> list[RelationKindRow]:
    """Every kind, in order."""
    return tx.all("select * from relation_kind order by built_in desc, id", RelationKindRow)


def shown(tx: Read) -> list[RelationKind]:
    """Every kind in its shape."""
    return [
        RelationKind(
            key=row["key"],
            name=row["name"],
            inverse=row["inverse"],
            directed=bool(row["directed"]),
            blocks=bool(row["blocks"]),
            color=row["color"],
            built_in=bool(row["built_in"]),
        )
        for row in rows(tx)
    ]


def by_name(tx: Read, name: str, *, field: str = "kind") -> tuple[RelationKindRow, bool]:
    """(kind, turned): a kind by key or name, or, turned round, by its inverse; without case.

    Raises InvalidInput naming the nearest.
    """
    wanted = folded(name.strip().replace("_", " "))
    known = rows(tx)
    for row in known:
        if wanted in (folded(row["key"].replace("_", " ")), folded(row["name"])):
            return row, False
    for row in known:
        if wanted == folded(row["inverse"]):
            return row, True
    names = [word for row in known for word in (row["key"], row["inverse"])]
    text = f"There is no kind of relation {name!r}.{did_you_mean(name, names, repr)}"
    raise InvalidInput(text, field=field, allowed=list(dict.fromkeys(names)))


def _columns(tx: Read, args: IssuesRelationKindSave, row: RelationKindRow | None) -> dict[str, Any]:
    directed = args.directed
    if directed is None:
        directed = bool(row["directed"]) if row else folded(args.name) != folded(args.inverse)
    if directed and folded(args.name) == folded(args.inverse):
        raise InvalidInput(
            "A relation with a direction needs another word for the way back.", field="inverse"
        )
    blocks = args.blocks if args.blocks is not None else bool(row and row["blocks"])
    if blocks and not directed:
        raise InvalidInput("What blocks has a direction.", field="blocks")
    color = args.color or (row["color"] if row else PALETTE[len(rows(tx)) % len(PALETTE)])
    return {
        "name": args.name,
        "inverse": args.inverse if directed else args.name,
        "directed": int(directed),
        "blocks": int(blocks),
        "color": color,
    }


def _require_free(tx: Read, key: str, words: tuple[str, str]) -> None:
    """Raises Conflict where another kind is called so, one way or the other."""
    wanted = {folded(word) for word in words}
    for row in rows(tx):
        taken = {folded(row[name]) for name in ("key", "name", "inverse")}
        if row["key"] != key and wanted & taken:
            raise Conflict(
                f"The kind {row['key']!r} is called {row['name']!r} and {row['inverse']!r} already."
            )


def _require_room(tx: Read) -> None:
    if tx.value("select count(*) from relation_kind") >= MOST:
        raise Conflict(f"An org has {MOST} kinds of relations at most.")


def _require_settled(tx: Read, row: RelationKindRow, changes: dict[str, Any]) -> None:
    """Raises Conflict where what a kind means would change under its relations."""
    if not {"directed", "blocks"} & set(changes):
        return
    if row["built_in"]:
        raise Conflict(f"{row['key']} is built in: its words and colour may change, not what it does.")
    uses = tx.value("select count(*) from relation where kind = :id", id=row["id"])
    if uses:
        raise InUse(f"{uses} relations are of this kind: what it does stays. Make another kind.", uses=uses)


def _move(tx: Write, old: RelationKindRow, new: RelationKindRow) -> None:
    """Relations of the old kind become ones of the new kind, once each."""
    for row in tx.all("select * from relation where kind = :kind order by id", RelationRow, kind=old["id"]):
        if find(tx, new, row["src"], row["dst"]) is None:
            tx.update("relation", row["id"], kind=new["id"])
        else:
            tx.delete("relation", row["id"])


def find(tx: Read, kind: RelationKindRow, src: int, dst: int) -> RelationRow | None:
    """The relation of this kind between two issues; one without direction stands either way."""
    return tx.one(
        "select * from relation where kind = :kind and (src = :src and dst = :dst"
        " or not :directed and src = :dst and dst = :src)",
        RelationRow,
        kind=kind["id"],
        src=src,
        dst=dst,
        directed=kind["directed"],
    )


def _tell(tx: Write, key: str, name: str, changes: dict[str, Any]) -> None:
    tx.emit(RelationKindSaved(subject="org:1", payload={"key": key, "name": name}, changes=changes))
