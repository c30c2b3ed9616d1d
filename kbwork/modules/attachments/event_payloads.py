"""Telling of files, on what they hang on; of those on an internal note the team alone."""

from typing import Any

from kbwork.base.events import DomainEvent
from kbwork.core.things.thing import ref_of
from kbwork.db.tx import Read, Row, Write
from kbwork.modules import issues
from kbwork.modules.attachments import queries


def emit(tx: Write, kind: type[DomainEvent], row: Row, **more: Any) -> None:
    """Tell of a file on its subject."""
    issue, internal = _hangs_on(tx, row["subject"])
    subject = queries.subject_of(tx, row)
    kind_of, ref = ref_of(subject)
    payload: dict[str, Any] = {"project": ref} if kind_of == "project" else {}
    if issue is not None:
        key = issues.key_of(tx, issue)
        payload = {"key": key, "project": key.rpartition("-")[0]}
    payload |= {"attachment": row["id"], "name": row["name"], "size": row["size"]}
    tx.emit(kind(subject=subject, payload=payload | more, heard_by="team" if internal else None))


def touch(tx: Write, row: Row) -> None:
    """The issue's time moves with its files and those of its comments, never with those of internal notes."""
    issue, internal = _hangs_on(tx, row["subject"])
    if issue is not None and not internal:
        issues.touch(tx, issue["id"])


def _hangs_on(tx: Read, subject: str) -> tuple[Row | None, bool]:
    """(the issue that a file is of in the end, whether it is internal), whoever asks."""
    kind, ref = ref_of(subject)
    internal = False
    if kind == "comment":
        comment = tx.stored("comment", [int(ref)])
        assert comment is not None
        internal = bool(comment["internal"])
        kind, ref = ref_of(comment["subject"])
    return (tx.stored("issue", [int(ref)]) if kind == "issue" else None), internal
