"""Entries of the trash as rows: put in by whoever deletes, taken out by whoever restores."""

import json
from collections.abc import Iterable

from kbwork.core.subjects import Trashed, ref_of
from kbwork.db.tx import Read, Row, Write


def put(tx: Write, subject: str, title: str, *, project: int | None = None, items: Iterable[str] = ()) -> int:
    """Note that a thing was deleted, with the other subjects that went along; answers the entry's id.

    Undo does not follow it: taking the deletion back takes the entry out.
    """
    tx.execute(
        "insert into trash (subject, kind, title, project, items, deleted_at, deleted_by)"
        " values (:subject, :kind, :title, :project, :items, :now, :by)",
        subject=subject,
        kind=ref_of(subject)[0],
        title=title,
        project=project,
        items=json.dumps(list(items)),
        now=tx.now,
        by=tx.caller.actor,
    )
    found: int = tx.value("select id from trash where subject = :subject", subject=subject)
    return found


def take(tx: Write, subject: str) -> None:
    """Note that a thing is back."""
    tx.execute("delete from trash where subject = :subject", subject=subject)


def trashed(row: Row, parent: str | None = None) -> Trashed:
    """What restoring needs of an entry."""
    return Trashed(ref_of(row["subject"])[1], tuple(json.loads(row["items"])), parent)


def stored(tx: Read, ident: int) -> Row | None:
    """The entry with this id, unless it is being purged."""
    return tx.one("select * from trash where id = :id and purging = 0", id=ident)
