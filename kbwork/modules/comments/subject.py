"""Comments as subjects."""

from kbwork.core import visibility
from kbwork.core.subjects import Kind, Source, Subject
from kbwork.db.tx import Read, Row, Tracked
from kbwork.modules import issues
from kbwork.modules.projects import access
from kbwork.modules.projects.access import ISSUE_SEEN


def _find(tx: Read, ref: str) -> Subject | None:
    if not (ref.isascii() and ref.isdigit() and len(ref) < 16):
        return None
    row = tx.one(
        f"select c.id, c.subject, c.body from comment c where {_SEEN.replace(':ref', ':id')}",
        id=ref,
        **visibility.binds(tx),
    )
    if row is None:
        return None
    issue = issues.find(tx, row["subject"])
    assert issue is not None
    title = " ".join(row["body"].split())[:80]
    return Subject(
        f"comment:{row['id']}", "comment", title, f"/issues/{issues.key_of(tx, issue)}#comment-{row['id']}"
    )


_SEEN = (
    "c.id = cast(:ref as integer) and c.deleted_at is null and (c.internal = 0 or not :kb_guest)"
    f" and exists (select 1 from issue i where i.id = cast(substr(c.subject, 7) as integer) and {ISSUE_SEEN})"
)


def _commented(tx: Read, ref: str) -> tuple[Row, Row] | None:
    """(comment, its issue) where the caller sees the issue and may comment there now."""
    row = tx.one("select * from comment where id = :id", id=int(ref))
    issue = issues.find(tx, row["subject"]) if row is not None else None
    if row is None or issue is None or not issues.may_comment(tx, issue):
        return None
    return row, issue


def _deletable(tx: Read, ref: str) -> bool:
    """Authors delete their own, leads of the project and admins any."""
    found = _commented(tx, ref)
    if found is None:
        return False
    row, issue = found
    own = row["author"] == (tx.caller.via if tx.caller.kind == "agent" else tx.caller.member)
    owner = row["author"].startswith("agent:") and _owns(tx, row["author"])
    return own or owner or access.at_least(tx, issue["project"], "lead")


def _owns(tx: Read, agent: str) -> bool:
    found = tx.value("select owner from agent where name = :name", name=agent.removeprefix("agent:"))
    return tx.caller.kind != "agent" and found == tx.caller.member


def _source(tx: Read, ref: str) -> Source | None:
    found = _find(tx, ref)
    if found is None:
        return None
    row = tx.one("select subject, body from comment where id = :id", id=int(ref))
    assert row is not None
    return Source(found.title, row["body"], row["subject"])


COMMENT = Kind(
    name="comment",
    scope="comments:read",
    home=__name__,
    seen=f"exists (select 1 from comment c where {_SEEN})",
    find=_find,
    deletable=_deletable,
    source=_source,
    trashed=frozenset({"comment"}),
    tracked={"comment": Tracked("comment", "id", {})},
)
