"""Who sees a comment, who may change it, and in whose name a caller speaks."""

from typing import Any

from kbwork.base.errors import InvalidInput, NotAllowed, NotFound
from kbwork.core.subjects import ref_of
from kbwork.db.tx import Read, Row, marks
from kbwork.modules import issues
from kbwork.modules.projects import access as projects
from kbwork.modules.projects.access import ISSUE_RESTORABLE, ISSUE_SEEN

_ISSUE = "i.id = cast(substr(c.subject, 7) as integer)"
SEEN = (
    "c.deleted_at is null and (c.internal = 0 or not :kb_guest)"
    f" and exists (select 1 from issue i where {_ISSUE} and {ISSUE_SEEN})"
)
"""The condition on `comment c`: it is there, and the caller may see it."""

RESTORABLE = (
    "c.deleted_at is not null and c.stub = 0 and (c.internal = 0 or not :kb_guest)"
    f" and exists (select 1 from issue i where {_ISSUE} and ({ISSUE_SEEN} or {ISSUE_RESTORABLE})"
    " and (i.project in (select value from json_each(:kb_lead))"
    " or c.author in (select value from json_each(:kb_voices))"
    " and i.project in (select value from json_each(:kb_speaks))))"
)
"""The condition on `comment c`: it is in the trash, and the caller could have put it there and may bring it back."""

THERE = (
    "(c.deleted_at is null or c.parent is null and exists"
    " (select 1 from comment r where r.parent = c.id and r.deleted_at is null))"
)
"""The condition on `comment c`: it is there, or replies to it are."""


def binds(tx: Read) -> dict[str, Any]:
    """What the conditions on comments and files bind beside those on issues."""
    held = projects.roles(tx)
    return {
        "kb_voices": marks(voices(tx)),
        "kb_works": marks(project for project, role in held.items() if role in ("lead", "member")),
        "kb_speaks": marks(project for project, role in held.items() if role != "viewer"),
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


def issue(tx: Read, subject: str) -> Row:
    """The issue that a subject names. Raises NotFound, also where it is not seen, InvalidInput for other kinds."""
    kind, ref = ref_of(subject)
    if kind not in ("issue", ""):
        raise InvalidInput(
            f"{kind or subject!r} takes no comments; issues do.", field="subject", allowed=["issue:<key>"]
        )
    row = issues.find(tx, ref)
    if row is None:
        raise NotFound(f"There is no {subject!r} that you can see.")
    return row


def find(tx: Read, ident: int, *, stubs: bool = False) -> tuple[Row, Row] | None:
    """(comment, its issue) where the caller sees it. With `stubs` a starter counts that is gone and was replied to."""
    row = tx.one(
        f"select * from comment c where c.id = :id and {THERE if stubs else 'c.deleted_at is null'}"
        " and (c.internal = 0 or not :guest)",
        id=ident,
        guest=int(tx.caller.guest),
    )
    found = issues.find(tx, row["subject"]) if row is not None else None
    return (row, found) if row is not None and found is not None else None


def comment(tx: Read, ident: int, *, stubs: bool = False) -> tuple[Row, Row]:
    """As `find`. Raises NotFound."""
    found = find(tx, ident, stubs=stubs)
    if found is None:
        raise NotFound(f"There is no comment {ident} that you can see.")
    return found


def may_edit(tx: Read, row: Row, on: Row) -> bool:
    """Authors edit their own, as long as they may comment there."""
    return row["author"] in voices(tx) and issues.may_comment(tx, on)


def may_delete(tx: Read, row: Row, on: Row) -> bool:
    """Authors delete their own, leads of the project and admins any."""
    return may_edit(tx, row, on) or projects.at_least(tx, on["project"], "lead")


def require_comment(tx: Read, on: Row) -> None:
    """Raises NotAllowed where the caller may not comment there, Conflict where its project is archived."""
    if not issues.may_comment(tx, on):
        raise NotAllowed(
            "You may see this and not comment on it: that needs the role member or reporter there, and that of a lead"
            " where it is locked or archived."
        )
    require_open(tx, on)


def require_open(tx: Read, on: Row) -> None:
    """Raises Conflict where the issue's project is archived."""
    project = tx.stored("project", [on["project"]])
    assert project is not None
    projects.require_open(project)
