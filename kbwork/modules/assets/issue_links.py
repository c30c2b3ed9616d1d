"""Which issues an asset is linked to."""

from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Conflict
from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.core.things.cascade import Cascade
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import AssetIssueRow, AssetRow
from kbwork.db.tx import Read, Write
from kbwork.modules.assets import queries
from kbwork.modules.assets.model import Asset, AssetLinked

MOST = 200
_LINKS = "select * from asset_issue where issue = :issue order by created_at, asset"


def of_issue(tx: Read, issue: int) -> list[Asset]:
    """The assets that an issue is about, as far as the caller sees any, in the order of their linking."""
    rows = tx.all(
        "select a.* from asset_issue l join asset a on a.id = l.asset"
        f" where l.issue = :issue and {queries.SEEN} order by l.created_at, a.id",
        AssetRow,
        issue=issue,
        **visibility.binds(tx),
    )
    return queries.shown(tx, rows)


@dataclass(frozen=True, slots=True)
class Link:
    """An issue, by its id and its key, and what an asset is to it."""

    issue: int
    key: str
    role: str


def link(tx: Write, asset: str, wanted: Link) -> bool:
    """Link an issue to an asset, or change what that is to it; answers whether that changed anything.

    Raises InvalidInput for an asset that the caller does not see, Conflict for a retired one or one too many.
    """
    row = _seen(tx, asset)
    held = tx.stored("asset_issue", [row["id"], wanted.issue])
    if held is None:
        _require_room(tx, row, wanted.issue)
        columns = {"role": wanted.role, "created_at": tx.now, "created_by": tx.caller.actor}
        tx.insert("asset_issue", asset=row["id"], issue=wanted.issue, **columns)
        _tell(tx, row, wanted, {"on": True})
    elif held["role"] != wanted.role:
        tx.update("asset_issue", (row["id"], wanted.issue), role=wanted.role)
        _tell(tx, row, wanted, {"on": True}, changes={"role": (held["role"], wanted.role)})
    else:
        return False
    return True


def unlink(tx: Write, asset: str, wanted: Link) -> bool:
    """Take a link away; answers whether there was one. Raises InvalidInput for an asset that is not seen."""
    row = _seen(tx, asset)
    held = tx.stored("asset_issue", [row["id"], wanted.issue])
    if held is None:
        return False
    tx.delete("asset_issue", (row["id"], wanted.issue))
    _tell(tx, row, wanted, {"on": False, "role": held["role"]})
    return True


def _seen(tx: Read, asset: str) -> AssetRow:
    return named.seen(queries.find(tx, asset), "asset", asset, field="asset")


def _require_room(tx: Read, row: AssetRow, issue: int) -> None:
    if row["status"] == "retired":
        raise Conflict(f"{row['key']} is retired, and nothing new is linked to it.")
    if tx.value("select count(*) from asset_issue where issue = :issue", issue=issue) >= MOST:
        raise Conflict(f"An issue is about {MOST} assets at most.")


def _tell(
    tx: Write, row: AssetRow, link: Link, more: dict[str, Any], changes: dict[str, Any] | None = None
) -> None:
    """On both ends; whoever sees but one of them reads null for the other."""
    payload = {"asset": row["key"], "issue": link.key, "role": link.role} | more
    for subject in (f"issue:{link.issue}", f"asset:{row['key']}"):
        tx.emit(AssetLinked(subject=subject, payload=payload, changes=changes or {}))


def _purge(tx: Write, subject: str) -> None:
    kind, ref = ref_of(subject)
    if kind == "issue":
        tx.execute("delete from asset_issue where issue = :issue", issue=int(ref))


def _move(tx: Write, subject: str, to: str, only: list[int] | None) -> None:
    """What one issue was about, the other is about."""
    if ref_of(subject)[0] != "issue" or only is not None:
        return
    issue, into = int(ref_of(subject)[1]), int(ref_of(to)[1])
    for held in tx.all(_LINKS, AssetIssueRow, issue=issue):
        tx.delete("asset_issue", (held["asset"], issue))
        if tx.stored("asset_issue", [held["asset"], into]) is None:
            tx.insert("asset_issue", **held | {"issue": into})


HANGING = Cascade(name="assets", home=__name__, purge=_purge, move=_move)
