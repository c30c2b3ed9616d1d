"""The stars of the caller, as far as they see what these are on."""

from kbwork.core.access import visibility
from kbwork.core.things.thing import Subject
from kbwork.db.rows import StarRow
from kbwork.db.tx import Read, json_array
from kbwork.modules.stars.model import Star


def rows(tx: Read, member: str) -> list[StarRow]:
    """All of a member's, in order."""
    return tx.all("select * from star where member = :member order by position, id", StarRow, member=member)


def on(tx: Read, subject: str) -> StarRow | None:
    """The caller's star on this one, whatever it was called then: a project had other keys."""
    return tx.one(
        "select * from star where member = :me and subject in (select value from json_each(:names))",
        StarRow,
        me=tx.caller.me(),
        names=json_array(visibility.known_as(tx, subject)),
    )


def listed(tx: Read) -> list[Star]:
    """Those of what the caller sees, in order."""
    found = ((row, visibility.find(tx, row["subject"])) for row in rows(tx, tx.caller.me()))
    return [_shown(row, subject) for row, subject in found if subject is not None]


def _shown(row: StarRow, subject: Subject) -> Star:
    return Star(
        id=row["id"],
        subject=subject.id,
        title=subject.title,
        label=row["label"],
        folder=row["folder"],
        position=row["position"],
    )
