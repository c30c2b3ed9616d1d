"""Comments go where their subject goes: moved with it, copied with it, purged with it, and told in its text."""

import datetime
import textwrap

from kbwork.base.errors import InvalidInput
from kbwork.core.things.cascade import Cascade, purge_parts
from kbwork.db.rows import CommentRow
from kbwork.db.tx import Read, Row, Write
from kbwork.modules import trash

_SLICE = 100


def text(tx: Read, subject: str) -> list[str]:
    """The comments on a subject that the caller sees, each as a block of Markdown: author, day, body.

    Threads stand together, in the order of the latest comment of each, and replies in them are quoted.
    """
    rows = tx.all(
        "select c.*, coalesce(m.name, a.label, k.name, c.author) as name,"
        " max(c.created_at) over thread as latest, max(c.id) over thread as last from comment c"
        " left join member m on m.id = c.author left join agent a on 'agent:' || a.name = c.author"
        " left join customer k on 'customer:' || k.id = c.author"
        " where c.subject = :s and c.deleted_at is null and not (c.internal and :guest)"
        " window thread as (partition by coalesce(c.parent, c.id))"
        " order by latest, last, c.parent is not null, c.created_at, c.id",
        s=subject,
        guest=int(tx.caller.guest),
    )
    begun = {row["id"] for row in rows}
    return [_block(row, below=row["parent"] in begun) for row in rows]


def _block(row: Row, *, below: bool) -> str:
    """`below`: it stands under the comment that begins its thread."""
    note = " (internal note)" if row["internal"] else ""
    said = f"**{row['name']}**, {_day(row['created_at'])}{note}:\n\n{row['body']}"
    return textwrap.indent(said, "> ", lambda _: True) if below else said


def _day(at: int) -> str:
    return datetime.datetime.fromtimestamp(at, datetime.UTC).date().isoformat()


def _purge(tx: Write, subject: str) -> bool:
    """Comments go for good with what they are about, those in the trash too, and what was told of them where they were
    before. Replies first; False while there are more."""
    idents = tx.column(
        "select id from comment where subject = :s order by parent is null, id limit :most",
        s=subject,
        most=_SLICE,
    )
    for ident in idents:
        whole = purge_parts(tx, f"comment:{ident}", but=ON_SUBJECTS)
        if not (whole and trash.forget(tx, f"comment:{ident}")):
            return False
        trash.take(tx, f"comment:{ident}")
        tx.execute("update comment set parent = null where parent = :id", id=ident)
        tx.execute("delete from reaction where comment = :id", id=ident)
        tx.execute("delete from comment where id = :id", id=ident)
    return len(idents) < _SLICE


def _move(tx: Write, subject: str, to: str, only: list[int] | None) -> None:
    """All comments of a subject, or those named with the replies in their threads. A reply that leaves its thread
    starts one."""
    rows = tx.all(
        "select * from comment where subject = :s order by parent is not null, id", CommentRow, s=subject
    )
    if only is not None:
        rows = _named(tx, rows, only)
    moving = {row["id"] for row in rows}
    for row in rows:
        columns = {"subject": to, "parent": row["parent"] if row["parent"] in moving else None}
        if row["external"] is not None and _taken(tx, to, row["external"]):
            columns["external"] = None
        tx.update("comment", row["id"], **columns)


def _named(tx: Read, rows: list[CommentRow], only: list[int]) -> list[CommentRow]:
    seen = {
        row["id"] for row in rows if row["deleted_at"] is None and not (row["internal"] and tx.caller.guest)
    }
    for ident in only:
        if ident not in seen:
            raise InvalidInput(f"The issue has no comment {ident}.", field="parts.comments")
    return [row for row in rows if row["id"] in only or row["parent"] in only]


def _taken(tx: Read, subject: str, external: str) -> bool:
    found = tx.value(
        "select 1 from comment where subject = :s and external = :external", s=subject, external=external
    )
    return found is not None


def _copy(tx: Write, subject: str, to: str) -> None:
    """The comments that the caller sees, with their authors, times and what hangs on them."""
    made: dict[int | None, int] = {}
    for row in tx.all(
        "select * from comment where subject = :s and deleted_at is null and not (internal and :guest)"
        " order by parent is not null, id",
        CommentRow,
        s=subject,
        guest=int(tx.caller.guest),
    ):
        columns = {name: value for name, value in row.items() if name not in ("id", "external")}
        columns |= {"subject": to, "parent": made.get(row["parent"])}
        made[row["id"]] = tx.insert("comment", **columns)
        tx.images.pop()  # undo sends the copy to the trash, and this goes with it
        for part in tx.registry.cascades:
            if part.copy is not None and part is not ON_SUBJECTS:
                part.copy(tx, f"comment:{row['id']}", f"comment:{made[row['id']]}")


ON_SUBJECTS = Cascade(
    name="comments",
    home=__name__,
    purge=_purge,
    move=_move,
    copy=_copy,
    table="comment",
    text=text,
)
