"""Pages as subjects."""

from typing import Any

from kbwork.base.text import whole_number
from kbwork.core.access import identify
from kbwork.core.access.grants import Grantable, GrantTarget, InheritedGrant, at_least
from kbwork.core.things.ai_material import Readable, ReadableByAI
from kbwork.core.things.thing import Promotable, PromotionSource, Revertible, Subject, Thing, Trashable
from kbwork.db.rows import AccessGrantRow, PageRow
from kbwork.db.tx import Read, Tracked, Write
from kbwork.modules import access as grants
from kbwork.modules.pages import access, queries
from kbwork.modules.pages.commentable import COMMENTABLE, FILEABLE
from kbwork.modules.pages.history import version_rows
from kbwork.modules.pages.model import PagePurged
from kbwork.modules.pages.searchable import SEARCHABLE
from kbwork.modules.pages.text import kept
from kbwork.modules.pages.together.follow import follow
from kbwork.modules.pages.tree import delete
from kbwork.modules.spaces import access as spaces


def _find(tx: Read, ref: str) -> Subject | None:
    row = access.find(tx, ref)
    if row is None:
        return None
    state = "archived" if row["archived_at"] is not None else row["state"]
    return Subject(f"page:{row['id']}", "page", row["title"], queries.path(row["id"]), state)


def _reference(tx: Read, ref: str) -> str | None:
    ident = access.ident_of(tx, ref) if "/" in ref else None
    return f"page:{ident}" if ident is not None else None


def _stored(tx: Read, ref: str) -> PageRow | None:
    return tx.stored("page", [int(ref)])


def _wakeable(tx: Read, ref: str) -> bool:
    row = _stored(tx, ref)
    if row is None or access.space_of(tx, row)["archived_at"] is not None:
        return False
    level = access.level_of(tx, row)
    return at_least(level, "manage" if row["locked"] else "edit")


def _editable(tx: Read, ref: str) -> bool:
    row = _stored(tx, ref)
    return row is not None and row["archived_at"] is None and _wakeable(tx, ref)


def _stamp(tx: Write, ref: str, seq: int, kind: str) -> None:
    tx.execute("update page set seq = :seq where id = :id", seq=seq, id=int(ref))
    row = _stored(tx, ref)
    if row is not None:
        version_rows.after_undo(tx, row["id"])
        access.keep_owner(tx, row["id"], row["owner"])
        kept.keep(tx, row)
        follow(tx, row["id"])


def _grant_target(tx: Read, ref: str) -> GrantTarget | None:
    row = access.find(tx, ref)
    if row is None:
        return None
    space = access.space_of(tx, row)
    found: list[InheritedGrant] = []
    for above in access.lines(tx, [row["id"]])[row["id"]][1:]:
        found += [_from_space(one) for one in grants.here(tx, f"page:{above}")]
    found += [_from_space(one) for one in grants.here(tx, f"space:{space['key']}")]
    closed = "A personal space is its owner's alone." if space["kind"] == "personal" else None
    return GrantTarget(
        f"page:{row['id']}",
        access.level_of(tx, row),
        (*found, *spaces.inherited(tx, space)),
        closed,
        keeps_manager=False,
    )


def _from_space(one: AccessGrantRow) -> InheritedGrant:
    return InheritedGrant(
        one["who"], one["level"], "space", one["granted_by"], one["granted_at"], one["expires_at"]
    )


def _source(tx: Read, ref: str) -> PromotionSource | None:
    row = access.find(tx, ref)
    return PromotionSource(row["title"], row["body"]) if row is not None else None


def _within(tx: Read, ref: str) -> list[str] | None:
    """With the pages above it, and its space."""
    ident = whole_number(ref)
    row = tx.stored("page", [ident]) if ident is not None else None
    if row is None:
        return None
    space = tx.stored("space", [row["space"]])
    assert space is not None
    pages = [f"page:{one}" for one in access.lines(tx, [row["id"]])[row["id"]]]
    return pages + (spaces.within(tx, space["key"]) or [])


def _material(tx: Read, ref: str, _: Readable | None) -> dict[str, Any]:
    row = access.page(tx, ref)
    return {"title": row["title"], "space": access.space_of(tx, row)["name"], "body": row["body"]}


PAGE = Thing(
    name="page",
    scope="pages:read",
    home=__name__,
    seen="exists (select 1 from page p where p.id = cast(:ref as integer)"
    f" and ({access.SEEN} or {access.RESTORABLE}))",
    find=_find,
    references=_reference,
    binds=access.binds,
    rests_on=identify.CALLER_TABLES | {"space", "access_grant", "page_limit"},
    order=1,
    comments=COMMENTABLE,
    files=FILEABLE,
    grants=Grantable(target=_grant_target),
    search=SEARCHABLE,
    ai=ReadableByAI(within=_within, material=_material),
    parts={
        "page_label": ("page",),
        "page_limit": ("page",),
        "page_watcher": ("page",),
    },
    tracked={"page": Tracked("page", "id", {})},
    undo=Revertible(
        editable=_editable,
        wakeable=_wakeable,
        stamp=_stamp,
        fits=delete.fits,
        personal=frozenset({"page_watcher"}),
        volatile=frozenset({"seq", "updated_at", "updated_by", "version", "rank"}),
    ),
    trash=Trashable(
        deletable=_wakeable,
        tables=frozenset({"page"}),
        restorable="exists (select 1 from page p where p.id = cast(:ref as integer)"
        f" and {access.RESTORABLE})",
        deleted_by="pages.delete",
        restore=delete.restore,
        emptied=delete.emptied,
        purge=delete.purge,
        purged=PagePurged,
    ),
    promotion=Promotable(source=_source),
)
