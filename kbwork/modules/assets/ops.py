"""Look at assets, make and change one, take one away."""

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from kbwork.base.errors import Conflict, InUse, InvalidInput, NotAllowed, NotFound
from kbwork.base.model import Input, Name, Ok, Text
from kbwork.base.text import folded
from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.core.operations.declare import destructive, read, write
from kbwork.core.references import IssueRef
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import AssetRow
from kbwork.db.tx import Read, Write
from kbwork.modules import members
from kbwork.modules.assets import issue_links, queries, values
from kbwork.modules.assets.model import Asset, AssetCreated, AssetDeleted, AssetUpdated, Status, TypeKey

SHOWN = 2000
_WORDS = 20
Values = Annotated[dict[str, Any], Field(max_length=100)]


class AssetsList(Input):
    q: Text | None = None
    """Words, each of which stands in the key, the name or a value."""
    refers_to: Text | None = None
    """Assets that have a reference to this one."""
    status: Status | None = None
    """Only those with this status."""
    type: TypeKey | None = None
    """Key of a type: its assets alone."""


@read(
    "assets.list",
    scope="assets:read",
    words="inventory, all laptops, equipment, hardware, devices, servers, who owns which device",
    threaded=True,
    example={"type": "LAP", "status": "active"},
)
def list_(tx: Read, args: AssetsList) -> list[Asset]:
    """List assets by type and age, 2,000 at most: narrow it where there are more.

    A type or an asset that is not there is 422.
    """
    conditions, binds = [queries.SEEN], visibility.binds(tx)
    if args.type is not None:
        conditions.append("a.type = :type")
        binds |= {"type": queries.type_by_key(tx, args.type)["id"]}
    if args.status is not None:
        conditions.append("a.status = :status")
        binds |= {"status": args.status}
    if args.refers_to is not None:
        target = named.seen(queries.find(tx, args.refers_to), "asset", args.refers_to, field="refers_to")
        conditions.append("a.id in (select asset from asset_value where target = :target)")
        binds |= {"target": target["id"]}
    for index, word in enumerate(folded(args.q or "").split()[:_WORDS]):
        conditions.append(
            f"(instr(folded(a.key || ' ' || a.name), :word{index}) or exists"
            f" (select 1 from asset_value v where v.asset = a.id and instr(folded(v.value), :word{index})))"
        )
        binds |= {f"word{index}": word}
    rows = tx.all(
        "select a.* from asset a join asset_type t on t.id = a.type"
        f" where {' and '.join(conditions)} order by t.position, t.id, a.id limit {SHOWN}",
        AssetRow,
        **binds,
    )
    return queries.shown(tx, rows)


class AssetsGet(Input):
    key: Text
    """Key or id."""


@read(
    "assets.get",
    scope="assets:read",
    words="details of a device, who has the laptop, open issues of a device",
    example={"key": "LAP-1"},
)
def get(tx: Read, args: AssetsGet) -> Asset:
    """Look at one asset with its values and the issues that you see of those linked to it."""
    return queries.shown(tx, [queries.get(tx, args.key)])[0]


class AssetsForIssue(Input):
    issue: IssueRef


@read(
    "assets.for_issue",
    scope="assets:read",
    words=(
        "which device is affected, hardware of a ticket, affected laptop, equipment concerned, "
        "assets of a ticket"
    ),
    example={"issue": "WEB-1"},
)
def for_issue(tx: Read, args: AssetsForIssue) -> list[Asset]:
    """List the assets that an issue is about, in the order in which they were linked."""
    subject = visibility.canonical(tx, args.issue)
    found = visibility.find(tx, subject) if ref_of(subject)[0] == "issue" else None
    if found is None:
        raise NotFound(f"There is no issue {args.issue!r} that you can see.")
    return issue_links.of_issue(tx, int(ref_of(found.id)[1]))


class AssetsCreate(Input):
    name: Name
    """What people call it."""
    type: Text
    """Key of its type."""
    owner: Text | None = None
    """Member who has it, by id, handle or address; left out: nobody."""
    status: Status | None = None
    """`active` unless given."""
    values: Values | None = None
    """By field key."""


@write(
    "assets.create",
    scope="assets:write",
    words=("register a laptop, add a device, new hardware, record equipment, inventory entry, add a server"),
    guests=False,
    emits=[AssetCreated],
    example={"name": "Ana's laptop", "type": "LAP", "values": {"serial": "C02XK0"}},
)
def create(tx: Write, args: AssetsCreate) -> Asset:
    """Make an asset; its key is that of its type and the next number, and numbers never come again.

    Values are held against the fields of the type: each that does not fit or is missing is named (422); a unique one
    that another asset has is 409, a reference leads to an asset of its type (422).
    """
    _require_org(tx)
    kind = queries.type_by_key(tx, args.type)
    wanted = values.parsed(tx, kind["fields"], args.values or {})
    values.require_all(kind["fields"], {key for key, value in wanted.items() if value is not None})
    number = kind["numbers"] + 1
    tx.execute("update asset_type set numbers = :number where id = :id", number=number, id=kind["id"])
    columns = {
        "key": f"{kind['key']}-{number}",
        "type": kind["id"],
        "name": args.name,
        "owner": _owner(tx, args.owner) if args.owner else None,
        "status": args.status or "active",
        "created_at": tx.now,
        "updated_at": tx.now,
        "created_by": tx.caller.actor,
    }
    row = columns | {"id": tx.insert("asset", **columns)}
    values.write(tx, row, kind["fields"], wanted)
    tx.emit(AssetCreated(subject=f"asset:{row['key']}", payload=_about(row)))
    return queries.one(tx, row["id"])


class AssetsUpdate(Input):
    key: Text
    """Key or id."""
    name: Name | None = None
    """What people call it."""
    owner: Text | Literal[""] | None = None
    """A member; an empty text clears it."""
    status: Status | None = None
    """`active`, in `maintenance`, or `retired`."""
    values: Values | None = None
    """Fields to set; null clears one, the others stay."""


@write(
    "assets.update",
    scope="assets:write",
    words=(
        "hand the laptop over, change owner of a device, send to repair, retire hardware, "
        "in maintenance, equipment broken"
    ),
    guests=False,
    emits=[AssetUpdated],
    example={"key": "LAP-1", "status": "maintenance"},
)
def update(tx: Write, args: AssetsUpdate) -> Asset:
    """Change an asset: what is not named stays.

    `active` and `maintenance` follow each other freely. A `retired` one becomes `active` again by its owner or an
    admin (403), and nothing else (409). A required field cannot be cleared (422).
    """
    _require_org(tx)
    row = queries.get(tx, args.key)
    fields = queries.type_of(tx, row["type"])["fields"]
    columns = args.filled("name")
    if args.owner is not None:
        columns["owner"] = _owner(tx, args.owner) if args.owner else None
    if args.status is not None:
        _require_way(tx, row, args.status)
        columns["status"] = args.status
    wanted = values.parsed(tx, fields, args.values or {})
    cleared = {key for key, value in wanted.items() if value is None}
    values.require_all([field for field in fields if field["key"] in cleared], set())
    before = queries.values(tx, [row["id"]])[row["id"]]
    values.write(tx, row, fields, wanted)
    after = queries.values(tx, [row["id"]])[row["id"]]
    changes = named.changes(row, columns) | {
        f"values.{key}": (before.get(key), after.get(key))
        for key in wanted
        if before.get(key) != after.get(key)
    }
    if changes:
        tx.update("asset", row["id"], **columns, updated_at=tx.now)
        payload = _about(row | columns)
        tx.emit(AssetUpdated(subject=f"asset:{row['key']}", payload=payload, changes=changes))
    return queries.one(tx, row["id"])


class AssetsDelete(Input):
    key: Text
    """Key or id."""


@destructive(
    "assets.delete",
    scope="assets:write",
    words="remove equipment, throw out a device, get rid of a laptop",
    guests=False,
    emits=[AssetDeleted],
    example={"key": "LAP-1"},
)
def delete(tx: Write, args: AssetsDelete) -> Ok:
    """Take an asset away, from its issues too. One that others refer to is 409 `in-use` with `uses`.

    What was said on it and its files are seen no more. They come back with it by undo, and go for good when it cannot
    come back any more, which is after a day.
    """
    _require_org(tx)
    row = queries.get(tx, args.key)
    uses = tx.column(
        "select a.key from asset_value v join asset a on a.id = v.asset"
        " where v.target = :id and v.asset <> :id order by a.id",
        id=row["id"],
    )
    if uses:
        raise InUse(f"{', '.join(uses[:5])} refer to {row['key']}: clear that first.", uses=len(uses))
    for issue in tx.column("select issue from asset_issue where asset = :id order by issue", id=row["id"]):
        tx.delete("asset_issue", (row["id"], issue))
    for field in tx.column("select field from asset_value where asset = :id order by field", id=row["id"]):
        tx.delete("asset_value", (row["id"], field))
    tx.delete("asset", row["id"])
    tx.emit(AssetDeleted(subject=f"asset:{row['key']}", payload=_about(row)))
    return Ok(ok=True)


def after_undo(tx: Read, place: list[Any]) -> None:
    """A value that undo set back is of a field that the type has, and no other asset's. Raises Conflict."""
    held = tx.stored("asset_value", place)
    row = tx.stored("asset", [place[0]])
    if held is None or row is None:
        return
    kind = tx.stored("asset_type", [row["type"]])
    assert kind is not None
    field = next((one for one in json.loads(kind["fields"]) if one["key"] == place[1]), None)
    if field is None:
        raise Conflict(f"{kind['name']} has no field {place[1]!r} any more.")
    if field["unique"]:
        values.require_unique(tx, row, field["key"], field["name"], held["value"])


def _require_org(tx: Read) -> None:
    """Raises NotAllowed where a key is limited to projects: assets are the org's."""
    if tx.caller.projects is not None:
        raise NotAllowed("Assets are the org's: a key that is limited to projects does not change them.")


def _owner(tx: Read, ref: str) -> str:
    row = members.by_ref(tx, ref, field="owner")
    if row["state"] != "active":
        raise InvalidInput(f"{row['name']} is no active member.", field="owner")
    return str(row["id"])


def _require_way(tx: Read, row: AssetRow, status: Status) -> None:
    if row["status"] != "retired" or status == "retired":
        return
    if status != "active":
        raise Conflict(f"{row['key']} is retired: set it active first.")
    if not tx.caller.admin and row["owner"] != tx.caller.member:
        raise NotAllowed(f"{row['key']} is retired: its owner or an admin takes it into use again.")


def _about(row: Mapping[str, Any]) -> dict[str, Any]:
    return {"asset": row["key"], "name": row["name"]}
