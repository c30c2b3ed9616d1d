"""Which drafts there are on a thing, and which of them are for the caller."""

import json
from collections.abc import Iterator

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import NotAllowed
from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.core.ports.comments import CommentTarget
from kbwork.core.things.thing import Subject, ref_of
from kbwork.db.rows import DraftRow
from kbwork.db.tx import Read, json_array
from kbwork.modules.drafts.model import Draft

NEW = "issue:new"
"""The draft of an issue that is not there yet."""
_ON = "subject in (select value from json_each(:names))"


@dataclass(frozen=True, slots=True)
class DraftPlace:
    """What a draft is on, as the caller sees it; `thing` is None where that is not there yet."""

    subject: str
    thing: Subject | None


def place(tx: Read, ref: str) -> DraftPlace:
    """What a reference names. Raises NotFound where the caller does not see it."""
    if ref.strip() == NEW and tx.caller.projects is not None:
        raise NotAllowed(
            "A key that is limited to projects has drafts on things in these alone, and none of new issues."
        )
    return named.seen(_find(tx, ref), "thing", ref)


def _find(tx: Read, ref: str) -> DraftPlace | None:
    if ref.strip() == NEW:
        whole = visibility.reads(tx, "issue") and tx.caller.projects is None
        return DraftPlace(NEW, None) if whole else None
    found = visibility.referred(tx, ref)
    return DraftPlace(found.id, found) if found is not None else None


def own(tx: Read, on: DraftPlace) -> DraftRow | None:
    """The caller's own."""
    return tx.one(
        f"select * from draft where owner = :me and {_ON}", DraftRow, me=tx.caller.me(), names=_names(tx, on)
    )


def of_others(tx: Read, on: DraftPlace) -> list[DraftRow]:
    """Those that others share with the caller, the latest first."""
    if tx.caller.guest or target(tx, on) is None:
        return []
    return tx.all(
        f"select * from draft where {_ON} and shared = 1 and owner <> :me order by seq desc",
        DraftRow,
        me=tx.caller.me(),
        names=_names(tx, on),
    )


def seen(tx: Read, owner: str) -> Iterator[tuple[DraftRow, DraftPlace | None]]:
    """All of a member's, the latest first, and what each is on where the caller sees that."""
    for row in tx.all("select * from draft where owner = :owner order by seq desc", DraftRow, owner=owner):
        yield row, _find(tx, row["subject"])


def target(tx: Read, on: DraftPlace) -> CommentTarget | None:
    """Where a comment of this text would stand; None for a thing on which there is none."""
    if on.thing is None:
        return None
    name, ref = ref_of(on.thing.on or on.subject)
    kind = visibility.things(tx)[name]
    return kind.comments.target(tx, ref) if kind.comments is not None else None


def shown(row: DraftRow, subject: str) -> Draft:
    """As the shape has it; `subject` is what the thing is called now."""
    return Draft(
        subject=subject,
        body=row["body"],
        data=json.loads(row["data"]),
        owner=row["owner"],
        shared=bool(row["shared"]),
        updated_at=row["updated_at"],
        seq=row["seq"],
    )


def _names(tx: Read, on: DraftPlace) -> str:
    """Under which names drafts on it stand: a project had other keys."""
    return json_array(visibility.known_as(tx, on.subject))
