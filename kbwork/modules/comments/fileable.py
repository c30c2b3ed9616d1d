"""Comments on issues take files: those of their issue, but for who adds and takes away."""

from typing import Any

from kbwork.base.errors import InvalidInput
from kbwork.base.text import whole_number
from kbwork.core.access import visibility
from kbwork.core.ports.files import Fileable, FileTarget
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import CommentRow
from kbwork.db.tx import Read, Write
from kbwork.modules.comments import access


def _issue(tx: Read, row: CommentRow) -> tuple[Fileable, str] | None:
    """How the issue of a comment takes files, and its number; None where it is on something else."""
    kind, ref = ref_of(row["subject"])
    files = visibility.things(tx)[kind].files
    return (files, ref) if kind == "issue" and files is not None else None


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
    host = _issue(tx, row)
    issue = host[0].target(tx, host[1]) if host is not None else None
    if issue is None:
        raise InvalidInput("Files hang on comments on issues, and on no others.", field="subject")
    return FileTarget(
        f"comment:{row['id']}",
        adds=access.may_edit(tx, row, on),
        edits=access.may_delete(tx, row, on),
        project=issue.project,
        closed=issue.closed,
    )


def _told(tx: Read, ref: str) -> dict[str, Any]:
    host = _issue(tx, _stored(tx, ref))
    return host[0].told(tx, host[1]) if host is not None else {}


def _internal(tx: Read, ref: str) -> bool:
    return bool(_stored(tx, ref)["internal"])


def _touch(tx: Write, ref: str) -> None:
    """The issue's time never moves with files of internal notes."""
    row = _stored(tx, ref)
    host = _issue(tx, row)
    if host is not None and host[0].touch is not None and not row["internal"]:
        host[0].touch(tx, host[1])


def _on(condition: str) -> str:
    return (
        "exists (select 1 from comment c join issue on issue.id = cast(substr(c.subject, 7) as integer)"
        f" where c.id = cast(:ref as integer) and {access.SEEN_ON_ISSUES} and {condition})"
    )


_SPEAKS = "issue.project in (select value from json_each(:kb_speaks))"
FILEABLE = Fileable(
    target=_target,
    told=_told,
    who_adds="on a comment its author",
    seen=_on("1"),
    adds=_on(_SPEAKS),
    edits=_on(
        "(issue.project in (select value from json_each(:kb_lead))"
        f" or {_SPEAKS} and c.author in (select value from json_each(:kb_voices)))"
    ),
    internal=_internal,
    touch=_touch,
)
