"""Who sees a file: who sees what it hangs on."""

from kbwork.base.errors import NotFound
from kbwork.core.access import visibility
from kbwork.db.tx import Read, Row
from kbwork.modules import comments
from kbwork.modules.attachments.targets import AttachmentTarget
from kbwork.modules.projects import ISSUE_RESTORABLE, ISSUE_SEEN

_KIND = "substr(f.subject, 1, instr(f.subject, ':') - 1)"
_ISSUE = "select 1 from issue i where i.id = cast(substr(f.subject, 7) as integer) and"
_COMMENT = (
    "select 1 from comment c join issue on issue.id = cast(substr(c.subject, 7) as integer)"
    f" where c.id = cast(substr(f.subject, 9) as integer) and {comments.SEEN_ON_ISSUES} and"
)
_PROJECT = "select 1 from project_key k where k.key = substr(f.subject, 9) and"
_OWN = "f.created_by in (select value from json_each(:kb_voices))"

HANGS = (
    f"case {_KIND} when 'issue' then exists ({_ISSUE} {ISSUE_SEEN})"
    f" when 'comment' then exists ({_COMMENT} 1)"
    f" when 'project' then exists ({_PROJECT} k.project in (select value from json_each(:kb_projects)))"
    " when 'org' then 1 else 0 end"
)
"""The condition on `attachment f`: the caller sees what it hangs on."""

FILE_SEEN = f"f.deleted_at is null and {HANGS}"
"""The condition on `attachment f`: it is there, and the caller may see it."""

RESTORABLE = (
    f"f.deleted_at is not null and case {_KIND} when 'issue' then exists ({_ISSUE}"
    f" ({ISSUE_SEEN} or {ISSUE_RESTORABLE}) and (i.project in (select value from json_each(:kb_works))"
    " or i.project in (select value from json_each(:kb_speaks))"
    f" and (i.reporter = :kb_me or {_OWN})))"
    f" when 'comment' then exists ({_COMMENT} (issue.project in (select value from json_each(:kb_lead))"
    " or issue.project in (select value from json_each(:kb_speaks))"
    f" and (c.author in (select value from json_each(:kb_voices)) or {_OWN})))"
    f" when 'project' then exists ({_PROJECT} (k.project in (select value from json_each(:kb_lead))"
    f" or k.project in (select value from json_each(:kb_works)) and {_OWN}))"
    " when 'org' then :kb_admin and :kb_member else 0 end"
)
"""The condition on `attachment f`: it is in the trash, and the caller could have put it there and may bring it back."""


def find(tx: Read, ident: str) -> Row | None:
    """The file, if it is there and the caller sees it."""
    return tx.one(
        f"select f.* from attachment f where f.id = :id and {FILE_SEEN}", id=ident, **visibility.binds(tx)
    )


def attachment(tx: Read, ident: str) -> Row:
    """As `find`. Raises NotFound."""
    row = find(tx, ident)
    if row is None:
        raise NotFound(f"There is no file {ident!r} that you can see.")
    return row


def may_delete(tx: Read, row: Row, on: AttachmentTarget) -> bool:
    """Whoever added it, while they may add there still, and whoever may change what it hangs on."""
    return on.edits or (on.adds and row["created_by"] in comments.voices(tx))
