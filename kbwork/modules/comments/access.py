"""Who sees a comment, who may change it, and in whose name a caller speaks."""

from collections.abc import Iterable
from typing import Any

from kbwork.base.errors import InvalidInput, NotAllowed, NotFound
from kbwork.core import named, org_settings
from kbwork.core.access import visibility
from kbwork.core.ports.comments import CommentTarget
from kbwork.core.things.thing import Hosts, Thing, among, ref_of
from kbwork.db.rows import CommentRow
from kbwork.db.tx import Read, json_array
from kbwork.modules.projects import access as projects

_TOLD = "(c.internal = 0 or not :kb_guest)"
TOLD = f"c.deleted_at is null and {_TOLD}"
"""The condition on `comment c`: it is there, and told to the caller where they see what it is on."""
THERE = (
    "(c.deleted_at is null or c.parent is null and exists"
    " (select 1 from comment r where r.parent = c.id and r.deleted_at is null))"
)
"""The condition on `comment c`: it is there, or replies to it are."""
_THIS = "exists (select 1 from comment c where c.id = cast(:ref as integer) and {})"


def seen_among(kinds: Iterable[Thing]) -> str:
    """The condition on `comment c`: it is there, on one of these kinds, and the caller may see it."""
    hosts = {one.name: one.comments.seen for one in kinds if one.comments is not None}
    return f"{TOLD} and {among(hosts, 'c.subject')}"


def seen_on(hosts: Hosts) -> str | None:
    """Comments are seen as the kind says on which they are."""
    return _THIS.format(seen_among(hosts[:1])) if hosts[0].comments is not None else None


def restorable_on(hosts: Hosts) -> str | None:
    """The caller could have put it into the trash, and may bring it back."""
    host = hosts[0]
    if host.comments is None:
        return None
    on = host.comments
    own = f"c.author in (select value from json_each(:kb_voices)) and ({on.speaks})"
    may = among({host.name: f"({on.known}) and (({on.moderates}) or {own})"}, "c.subject")
    return _THIS.format(f"c.deleted_at is not null and c.stub = 0 and {_TOLD} and {may}")


def binds(tx: Read) -> dict[str, Any]:
    """What the conditions on comments and files bind beside those on what they hang on."""
    held = projects.roles(tx)
    return {
        "kb_voices": json_array(voices(tx)),
        "kb_works": json_array(project for project, role in held.items() if role in ("lead", "member")),
        "kb_speaks": json_array(project for project, role in held.items() if role != "viewer"),
    }


def speaker(tx: Read) -> str:
    """Who says what the caller says: an agent speaks in its own name, a key in its owner's."""
    return str(tx.caller.via) if tx.caller.kind == "agent" else tx.caller.me()


def voices(tx: Read) -> list[str]:
    """The authors whose comments are the caller's own: a person's agents are theirs, and not the other way round."""
    if tx.caller.member is None or tx.caller.kind == "agent":
        return [tx.caller.via] if tx.caller.via else []
    agents = tx.column("select 'agent:' || name from agent where owner = :me", me=tx.caller.member)
    return [tx.caller.member, *agents]


def target(tx: Read, subject: str) -> CommentTarget:
    """What a subject names, or the key of an issue. Raises NotFound, also where it is not seen, InvalidInput for kinds
    that take no comments."""
    kinds = {kind.name: kind for kind in visibility.things(tx).values() if kind.comments is not None}
    said, _ = ref_of(subject)
    if said and said not in kinds:
        known = sorted(f"{name}:<id>" for name in kinds)
        raise InvalidInput(f"{said!r} takes no comments.", field="subject", allowed=known)
    name, ref = ref_of(subject if said else visibility.canonical(tx, subject))
    found = _found(tx, kinds[name], ref) if name in kinds else None
    if found is None:
        raise NotFound(f"There is no {subject!r} that you can see.")
    return found


def _found(tx: Read, kind: Thing, ref: str) -> CommentTarget | None:
    """A thing that takes comments, if the caller sees it and its module is not switched off."""
    assert kind.comments is not None
    return None if org_settings.home_off(tx, kind.home) else kind.comments.target(tx, ref)


def target_of(tx: Read, row: CommentRow) -> CommentTarget | None:
    """Where a stored comment stands, if the caller sees that."""
    name, ref = ref_of(row["subject"])
    return _found(tx, visibility.things(tx)[name], ref)


def find(tx: Read, ident: int, *, stubs: bool = False) -> tuple[CommentRow, CommentTarget] | None:
    """(comment, what it is on) where the caller sees it. With `stubs` a starter counts that is gone and was replied
    to."""
    row = tx.one(
        f"select * from comment c where c.id = :id and {THERE if stubs else 'c.deleted_at is null'}"
        " and (c.internal = 0 or not :guest)",
        CommentRow,
        id=ident,
        guest=int(tx.caller.guest),
    )
    found = target_of(tx, row) if row is not None else None
    return (row, found) if row is not None and found is not None else None


def comment(tx: Read, ident: int, *, stubs: bool = False) -> tuple[CommentRow, CommentTarget]:
    """As `find`. Raises NotFound."""
    return named.seen(find(tx, ident, stubs=stubs), "comment", ident)


def may_edit(tx: Read, row: CommentRow, on: CommentTarget) -> bool:
    """Authors edit their own, as long as they may comment there."""
    return row["author"] in voices(tx) and on.may_comment()


def may_delete(tx: Read, row: CommentRow, on: CommentTarget) -> bool:
    """Authors delete their own, leads of the project and admins any."""
    return may_edit(tx, row, on) or on.may_moderate()


def require_comment(on: CommentTarget) -> None:
    """Raises NotAllowed where the caller may not comment there, Conflict where nothing is changed any more."""
    if not on.may_comment():
        raise NotAllowed(on.who_may)
    on.require_open()
