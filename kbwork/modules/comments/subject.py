"""Comments as subjects."""

from kbwork.core import visibility
from kbwork.core.subjects import Kind, Source, Subject
from kbwork.db.tx import Read, Row, Tracked
from kbwork.modules import issues
from kbwork.modules.comments import access, deleting, queries
from kbwork.modules.comments.model import CommentPurged


def _row(tx: Read, ref: str) -> Row | None:
    """The comment, if it is there and the caller sees it."""
    if not (ref.isascii() and ref.isdigit() and len(ref) < 16):
        return None
    return tx.one(
        f"select c.* from comment c where c.id = :id and {access.SEEN}", id=int(ref), **visibility.binds(tx)
    )


def _find(tx: Read, ref: str) -> Subject | None:
    row = _row(tx, ref)
    if row is None:
        return None
    issue = issues.find(tx, row["subject"])
    assert issue is not None
    path = f"/issues/{issues.key_of(tx, issue)}#comment-{row['id']}"
    return Subject(f"comment:{row['id']}", "comment", queries.title(row), path)


def _editable(tx: Read, ref: str) -> bool:
    found = _place(tx, ref)
    return found is not None and access.may_edit(tx, *found)


def _deletable(tx: Read, ref: str) -> bool:
    found = _place(tx, ref)
    return found is not None and access.may_delete(tx, *found)


def _place(tx: Read, ref: str) -> tuple[Row, Row] | None:
    """(comment, its issue) where the caller sees the issue and its project is open; it may lie in the trash."""
    row = tx.stored("comment", [int(ref)])
    issue = issues.find(tx, row["subject"]) if row is not None else None
    if row is None or issue is None or row["stub"] or (row["internal"] and tx.caller.guest):
        return None
    archived = tx.value("select archived_at from project where id = :id", id=issue["project"])
    return (row, issue) if archived is None else None


def _source(tx: Read, ref: str) -> Source | None:
    row = _row(tx, ref)
    return Source(queries.title(row), row["body"], row["subject"]) if row is not None else None


COMMENT = Kind(
    name="comment",
    scope="comments:read",
    home=__name__,
    seen=f"exists (select 1 from comment c where c.id = cast(:ref as integer) and {access.SEEN})",
    find=_find,
    editable=_editable,
    deletable=_deletable,
    binds=access.binds,
    personal=frozenset({"reaction"}),
    source=_source,
    trashed=frozenset({"comment"}),
    restorable=f"exists (select 1 from comment c where c.id = cast(:ref as integer) and {access.RESTORABLE})",
    deleted_by="comments.delete",
    restore=deleting.restore,
    purge=deleting.purge,
    purged=CommentPurged,
    hangs_by="subject",
    tracked={
        "comment": Tracked("comment", "id", {}),
        "reaction": Tracked("comment", "comment", {}),
    },
)
