"""Entries of the trash as rows: put in by whoever deletes, taken out by whoever restores."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from kbwork.core.access import visibility
from kbwork.core.things.thing import Trashable, Trashed, ref_of
from kbwork.db.rows import TrashRow
from kbwork.db.tx import Read, Write

_MOST_AT_ONCE = 1000


def put(  # noqa: PLR0913 - what an entry says, by name
    tx: Write,
    subject: str,
    title: str,
    *,
    project: int | None = None,
    space: int | None = None,
    items: Iterable[str] | int = (),
) -> int:
    """Note that a thing was deleted; answers the entry's id.

    `items` are the other subjects that went along and come back with it, or how many things are in it. Undo does not
    follow it: taking the deletion back takes the entry out.
    """
    along = [] if isinstance(items, int) else list(items)
    tx.execute(
        "insert into trash (subject, kind, title, project, space, items, contents, deleted_at, deleted_by)"
        " values (:subject, :kind, :title, :project, :space, :items, :contents, :now, :by)",
        subject=subject,
        kind=ref_of(subject)[0],
        title=title,
        project=project,
        space=space,
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


def trashed(row: TrashRow, parent: str | None = None) -> Trashed:
    """What restoring needs of an entry."""
    return Trashed(ref_of(row["subject"])[1], tuple(json.loads(row["items"])), parent)


def walk(tx: Read, where: str, binds: dict[str, Any], *, newest_first: bool, some: int) -> Iterator[TrashRow]:
    """The entries that the condition on `trash t` fits and whose things the caller may bring back, as far as they see.

    So many are looked at first, then ever more.
    """
    order, beyond = ("desc", "<") if newest_first else ("asc", ">")
    place: dict[str, Any] = {}
    while rows := tx.all(
        f"select t.* from trash t where t.purging = 0 and {where}"
        f"{f' and (t.deleted_at, t.id) {beyond} (:after_at, :after_id)' if place else ''}"
        f" order by t.deleted_at {order}, t.id {order} limit :some",
        TrashRow,
        some=some,
        **binds,
        **place,
    ):
        yield from _restorable(tx, rows)
        place = {"after_at": rows[-1]["deleted_at"], "after_id": rows[-1]["id"]}
        some = min(2 * some, _MOST_AT_ONCE)


def _restorable(tx: Read, rows: list[TrashRow]) -> list[TrashRow]:
    """Those of these entries whose things the caller may bring back."""
    found = visibility.fitting(
        tx, (row["subject"] for row in rows), lambda kind: kind.trash.restorable if kind.trash else None
    )
    return [row for row in rows if row["subject"] in found]


def stored(tx: Read, ident: int) -> TrashRow | None:
    """The entry with this id, unless it is being purged."""
    return tx.one("select * from trash where id = :id and purging = 0", TrashRow, id=ident)
