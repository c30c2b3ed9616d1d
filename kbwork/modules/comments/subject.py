"""Comments as subjects."""

from kbwork.core import visibility
from kbwork.core.subjects import Kind, Subject
from kbwork.db.tx import Read
from kbwork.modules import issues
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

COMMENT = Kind(
    name="comment",
    scope="comments:read",
    home=__name__,
    seen=f"exists (select 1 from comment c where {_SEEN})",
    find=_find,
    trashed=frozenset({"comment"}),
)
