"""Comments as subjects."""

from kbwork.base.dataclasses import replace
from kbwork.base.errors import Conflict
from kbwork.base.text import whole_number
from kbwork.core.ports.comments import CommentTarget
from kbwork.core.ports.search import Searchable, SearchableByHost
from kbwork.core.things.thing import (
    Hosts,
    Promotable,
    PromotionSource,
    Revertible,
    Subject,
    Thing,
    Trashable,
)
from kbwork.db.rows import CommentRow
from kbwork.db.tx import Read, Tracked
from kbwork.modules.comments import access, delete, queries
from kbwork.modules.comments.fileable import FILEABLE
from kbwork.modules.comments.model import CommentPurged


def _there(tx: Read, ref: str) -> tuple[CommentRow, CommentTarget] | None:
    """The comment, if it is there and the caller sees it, and what it is on."""
    number = whole_number(ref)
    return access.find(tx, number) if number is not None else None


def _find(tx: Read, ref: str) -> Subject | None:
    found = _there(tx, ref)
    if found is None:
        return None
    row, on = found
    path = f"{on.path}#comment-{row['id']}"
    return Subject(f"comment:{row['id']}", "comment", queries.title(row), path, on=row["subject"])


def _editable(tx: Read, ref: str) -> bool:
    found = _place(tx, ref)
    return found is not None and access.may_edit(tx, *found)


def _deletable(tx: Read, ref: str) -> bool:
    found = _place(tx, ref)
    return found is not None and access.may_delete(tx, *found)


def _place(tx: Read, ref: str) -> tuple[CommentRow, CommentTarget] | None:
    """(comment, what it is on) where the caller sees that and it is open; the comment may lie in the trash."""
    row = tx.stored("comment", [int(ref)])
    if row is None or row["stub"] or (row["internal"] and tx.caller.guest):
        return None
    on = access.target_of(tx, row)
    if on is None:
        return None
    try:
        on.require_open()
    except Conflict:
        return None
    return row, on


def _source(tx: Read, ref: str) -> PromotionSource | None:
    found = _there(tx, ref)
    return (
        PromotionSource(queries.title(found[0]), found[0]["body"], found[1].subject)
        if found is not None
        else None
    )


def _searchable_on(hosts: Hosts) -> Searchable | None:
    host = hosts[0]
    if host.comments is None or not isinstance(host.search, Searchable):
        return None
    found = host.search
    return replace(
        found,
        texts=SEARCHABLE.texts,
        rows=f"{found.rows} join comment c on c.subject glob '{host.name}:*'"
        f" and {found.ref} = substr(c.subject, {len(host.name) + 2})",
        ref="c.id",
        seen=f"{access.TOLD} and {found.seen}",
        body="c.body",
        path=f"{found.path} || '#comment-' || c.id",
        at="c.created_at",
        author="c.author",
        heading="''",
        scopes=found.scopes | {host.scope},
        suggested=None,
    )


SEARCHABLE = SearchableByHost(
    texts="select id as ref, '' as title, body from comment where deleted_at is null", on=_searchable_on
)

COMMENT = Thing(
    name="comment",
    document=queries.DOCUMENTS,
    scope="comments:read",
    home=__name__,
    seen=access.seen_on,
    find=_find,
    binds=access.binds,
    hangs_by="subject",
    hangs_on=lambda host: host.comments is not None,
    tracked={
        "comment": Tracked("comment", "id", {}),
        "reaction": Tracked("comment", "comment", {}),
    },
    undo=Revertible(
        editable=_editable,
        personal=frozenset({"reaction"}),
    ),
    trash=Trashable(
        deletable=_deletable,
        tables=frozenset({"comment"}),
        deleted_by="comments.delete",
        restore=delete.restore,
        purge=delete.purge,
        purged=CommentPurged,
        restorable=access.restorable_on,
    ),
    promotion=Promotable(source=_source),
    files=FILEABLE,
    search=SEARCHABLE,
    order=2,
)
