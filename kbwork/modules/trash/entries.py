"""Entries of the trash as rows: put in by whoever deletes, taken out by whoever restores."""

import json
from collections.abc import Iterable

from kbwork.core.access import visibility
from kbwork.core.things.thing import Trashable, Trashed, ref_of
from kbwork.db.tx import Read, Row, Write


def put(
    tx: Write, subject: str, title: str, *, project: int | None = None, items: Iterable[str] | int = ()
) -> int:
    """Note that a thing was deleted; answers the entry's id.

    `items` are the other subjects that went along and come back with it, or how many things are in it. Undo does not
    follow it: taking the deletion back takes the entry out.
    """
    along = [] if isinstance(items, int) else list(items)
    tx.execute(
        "insert into trash (subject, kind, title, project, items, contents, deleted_at, deleted_by)"
        " values (:subject, :kind, :title, :project, :items, :contents, :now, :by)",
        subject=subject,
        kind=ref_of(subject)[0],
        title=title,
        project=project,
        items=json.dumps(along),
        contents=items if isinstance(items, int) else len(along),
        now=tx.now,
        by=tx.caller.actor,
    )
    found: int = tx.value("select id from trash where subject = :subject", subject=subject)
    return found


def take(tx: Write, subject: str) -> None:
    """Note that a thing is back."""
    tx.execute("delete from trash where subject = :subject", subject=subject)


def trashable(tx: Read, subject: str) -> Trashable:
    """How a thing goes to the trash and out of it: it lies there, so its kind says so."""
    found = visibility.things(tx)[ref_of(subject)[0]].trash
    assert found is not None, f"{subject} cannot lie in the trash"
    return found


def trashed(row: Row, parent: str | None = None) -> Trashed:
    """What restoring needs of an entry."""
    return Trashed(ref_of(row["subject"])[1], tuple(json.loads(row["items"])), parent)


def restorable(tx: Read) -> str:
    """The condition on `trash t` that is true where the caller may bring the thing back, as far as they see."""
    cases = []
    for kind in visibility.things(tx).values():
        if kind.trash is None or kind.scope not in tx.caller.scopes:
            continue
        ref = "substr(t.subject, instr(t.subject, ':') + 1)"
        cases.append(f"when '{kind.name}' then ({kind.trash.restorable.replace(':ref', ref)})")
    return f"case t.kind {' '.join(cases)} else 0 end" if cases else "0"


def stored(tx: Read, ident: int) -> Row | None:
    """The entry with this id, unless it is being purged."""
    return tx.one("select * from trash where id = :id and purging = 0", id=ident)
