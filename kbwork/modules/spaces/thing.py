"""Spaces as subjects."""

from kbwork.core.access import identify
from kbwork.core.access.grants import Grantable, GrantTarget, at_least
from kbwork.core.things.ai_material import ReadableByAI
from kbwork.core.things.thing import Revertible, Subject, Thing, Trashable
from kbwork.db.tx import Read, Write
from kbwork.modules.spaces import access, delete
from kbwork.modules.spaces.model import SpacePurged
from kbwork.modules.spaces.searchable import SEARCHABLE


def _find(tx: Read, ref: str) -> Subject | None:
    row = access.find(tx, ref)
    if row is None:
        return None
    state = "archived" if row["archived_at"] is not None else None
    return Subject(f"space:{row['key']}", "space", row["name"], f"/spaces/{row['key']}", state)


def _editable(tx: Read, ref: str) -> bool:
    row = delete.stored(tx, ref)
    return row is not None and row["archived_at"] is None and _wakeable(tx, ref)


def _wakeable(tx: Read, ref: str) -> bool:
    row = delete.stored(tx, ref)
    return row is not None and at_least(access.level_in(tx, row["id"]), "manage")


def _deletable(tx: Read, ref: str) -> bool:
    row = delete.stored(tx, ref)
    if row is None:
        return False
    held = access.level_in(tx, row["id"]) or access.levels_in_trash(tx).get(row["id"])
    return at_least(held, "manage")


def _stamp(tx: Write, ref: str, seq: int, kind: str) -> None:
    tx.execute("update space set seq = :seq where key = :key", seq=seq, key=ref)


def _grant_target(tx: Read, ref: str) -> GrantTarget | None:
    row = access.find(tx, ref)
    if row is None:
        return None
    closed = "A personal space is its owner's alone." if row["kind"] == "personal" else None
    return GrantTarget(
        f"space:{row['key']}",
        access.level_in(tx, row["id"]),
        tuple(access.inherited(tx, row)),
        closed,
        keeps_manager=row["kind"] in ("team", "kb"),
    )


SPACE = Thing(
    name="space",
    scope="pages:read",
    home=__name__,
    seen=f"exists (select 1 from space s where s.key = :ref and ({access.SEEN} or {access.RESTORABLE}))",
    find=_find,
    order=4,
    binds=access.binds,
    rests_on=identify.CALLER_TABLES | {"space", "access_grant", "project", "project_member"},
    grants=Grantable(target=_grant_target),
    search=SEARCHABLE,
    ai=ReadableByAI(within=access.within),
    undo=Revertible(editable=_editable, wakeable=_wakeable, stamp=_stamp, volatile=frozenset({"seq"})),
    trash=Trashable(
        deletable=_deletable,
        tables=frozenset({"space"}),
        restorable=f":kb_admin and exists (select 1 from space s where s.key = :ref and {access.RESTORABLE})",
        deleted_by="spaces.delete",
        restore=delete.restore,
        emptied=delete.emptied,
        purge=delete.purge,
        purged=SpacePurged,
    ),
)
