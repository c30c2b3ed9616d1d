"""Telling of issues that others block, or block no longer: how many do is kept on the issue by triggers."""

import contextlib
from collections.abc import Iterable, Iterator

from kbwork.db.rows import IssueRow
from kbwork.db.tx import Read, Write, json_array
from kbwork.modules.issues import queries
from kbwork.modules.issues.events import IssueBlocked, IssueUnblocked

_BLOCKED = "select distinct r.dst from relation r join relation_kind k on k.id = r.kind and k.blocks where r.src = :id"
_COUNTS = (
    "select id, blockers from issue where id in (select value from json_each(:ids)) and deleted_at is null"
)


@contextlib.contextmanager
def emit_changes(tx: Write, by: IssueRow, others: Iterable[int] | None = None) -> Iterator[None]:
    """What happens inside may block or free `others`, which are the issues that `by` blocks unless given."""
    if others is None:
        others = tx.column(_BLOCKED, id=by["id"]) if by["relations"] else []
    ids = json_array(others)
    before = _counts(tx, ids)
    yield
    for ident, blockers in sorted(_counts(tx, ids).items()):
        if bool(blockers) == bool(before.get(ident, blockers)):
            continue
        kind = IssueBlocked if blockers else IssueUnblocked
        key = queries.key_of(tx, queries.stored(tx, ident))
        payload = {"key": key, "project": key.rpartition("-")[0], "by": queries.key_of(tx, by)}
        tx.emit(kind(subject=f"issue:{ident}", payload=payload))


def _counts(tx: Read, ids: str) -> dict[int, int]:
    return {row["id"]: row["blockers"] for row in tx.all(_COUNTS, ids=ids)} if ids != "[]" else {}


def open_blockers(tx: Read, issue: int) -> list[IssueRow]:
    """The open issues that block one, by key; seen by the caller or not.

    Those of another project that is archived or in the trash block nothing here.
    """
    return tx.all(
        "select distinct s.* from issue i join relation r on r.dst = i.id"
        " join relation_kind k on k.id = r.kind and k.blocks"
        " join issue s on s.id = r.src and s.category <> 'done' and s.deleted_at is null"
        " join project p on p.id = s.project"
        " where i.id = :id and (p.id = i.project or p.archived_at is null and p.deleted_at is null)"
        " order by s.project, s.number",
        IssueRow,
        id=issue,
    )
