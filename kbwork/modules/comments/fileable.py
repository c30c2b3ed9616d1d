"""Comments take files where what they are on does: as that does, but for who adds and takes away."""

from collections.abc import Callable
from typing import Any

from kbwork.base.errors import InvalidInput
from kbwork.base.text import whole_number
from kbwork.core.access import visibility
from kbwork.core.ports.comments import Commentable
from kbwork.core.ports.files import Fileable, FileTarget
from kbwork.core.things.thing import Hosts, among, ref_of
from kbwork.db.rows import CommentRow
from kbwork.db.tx import Read, Write
from kbwork.modules.comments import access


def _host(tx: Read, row: CommentRow) -> tuple[Fileable, str] | None:
    """How what a comment is on takes files, and its reference; None where it takes none."""
    kind, ref = ref_of(row["subject"])
    files = visibility.things(tx)[kind].files
    return (files, ref) if files is not None else None


def _stored(tx: Read, ref: str) -> CommentRow:
    row = tx.stored("comment", [int(ref)])
    assert row is not None
    return row


def _target(tx: Read, ref: str) -> FileTarget | None:
    number = whole_number(ref)
    found = access.find(tx, number) if number is not None else None
    if found is None:
        return None
    row, on = found
    host = _host(tx, row)
    place = host[0].target(tx, host[1]) if host is not None else None
    if place is None:
        kind = ref_of(row["subject"])[0]
        raise InvalidInput(
            f"Files hang on comments where what these are on takes files: {kind!r} does not.", field="subject"
        )
    return FileTarget(
        f"comment:{row['id']}",
        adds=access.may_edit(tx, row, on),
        edits=access.may_delete(tx, row, on),
        project=place.project,
        closed=place.closed,
    )


def _told(tx: Read, ref: str) -> dict[str, Any]:
    host = _host(tx, _stored(tx, ref))
    return host[0].told(tx, host[1]) if host is not None else {}


def _internal(tx: Read, ref: str) -> bool:
    return bool(_stored(tx, ref)["internal"])


def _touch(tx: Write, ref: str) -> None:
    """The time of what it is on never moves with files of internal notes."""
    row = _stored(tx, ref)
    host = _host(tx, row)
    if host is not None and host[0].touch is not None and not row["internal"]:
        host[0].touch(tx, host[1])


def _on(said: Callable[[Commentable], str]) -> Callable[[Hosts], str | None]:
    """The condition on the comment, of what is said of those who comment there; none where there are no files."""

    def made(hosts: Hosts) -> str | None:
        host = hosts[0]
        if host.comments is None or host.files is None:
            return None
        may = among({host.name: said(host.comments)}, "c.subject")
        return (
            f"exists (select 1 from comment c where c.id = cast(:ref as integer) and {access.TOLD} and {may})"
        )

    return made


_OWN = "c.author in (select value from json_each(:kb_voices))"
_SEEN = _on(lambda comments: comments.seen)
FILEABLE = Fileable(
    target=_target,
    told=_told,
    who_adds="on a comment its author",
    seen=_SEEN,
    known=_SEEN,
    adds=_on(lambda comments: comments.speaks),
    edits=_on(lambda comments: f"({comments.moderates}) or {_OWN} and ({comments.speaks})"),
    internal=_internal,
    touch=_touch,
)
