"""Comment on a subject, bring comments in from elsewhere, list them."""

import json
from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import InvalidInput, NotAllowed, NotFound
from kbwork.base.events import Event
from kbwork.base.model import Body, Id, Input, Name, Text, When
from kbwork.core.operation import read, write
from kbwork.core.subjects import ref_of
from kbwork.db.tx import Read, Row, Write, marks
from kbwork.modules import issues
from kbwork.modules.comments.model import Comment, CommentCreated, CommentId, Reaction

MOST_ANCHOR_BYTES = 4096


class CommentsCreate(Input):
    subject: Text
    """What it is about, such as `issue:WEB-1`."""
    body: Body
    """Markdown."""
    body_doc: Body | None = None
    parent: Id | None = None
    """Any comment of the thread to reply in."""
    internal: bool | None = None
    """A note for the team: guests and customers never see it. A reply follows its thread."""
    anchor: Body | None = None
    """JSON {`exact`, `prefix`, `suffix`}: the words it is about; for the first comment of a thread."""


@write(
    "comments.create",
    scope="comments:write",
    emits=[CommentCreated],
    example={"subject": "issue:WEB-1", "body": "I can see it too, since Tuesday."},
)
def create(tx: Write, args: CommentsCreate) -> CommentId:
    """Comment on an issue, or reply in a thread.

    Whoever may comment there; who does watches the issue from then on. An archived or locked one takes comments from
    its leads only. A reply that differs from its thread in `internal` is 422.
    """
    issue = _issue(tx, args.subject)
    if not issues.may_comment(tx, issue):
        raise NotAllowed(
            "You may see this and not comment on it: that needs the role member or reporter there."
        )
    _require_said(args.body)
    starter = _starter(tx, issue, args.parent)
    internal = bool(starter["internal"]) if starter else bool(args.internal)
    _require_fitting(tx, args, starter, internal)
    comment = tx.insert(
        "comment",
        subject=f"issue:{issue['id']}",
        author=tx.caller.via if tx.caller.kind == "agent" else tx.caller.me(),
        body=args.body,
        body_doc=issues.document(args.body, args.body_doc),
        created_at=tx.now,
        internal=int(internal),
        parent=starter["id"] if starter else None,
        anchor=args.anchor or None,
    )
    if not internal:
        issues.touch(tx, issue["id"])
    issues.watch(tx, issue["id"], tx.caller.me(), "commented")
    _tell(tx, issue, comment, internal, starter)
    return {"id": comment}


class CommentsImport(Input):
    author: Name
    """A member's id, handle or address; else the name of somebody who is none."""
    body: Body
    subject: Text
    created_at: When | None = None
    external: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    """Id at the source: one that the subject has already answers that comment, without an event."""


@write(
    "comments.import",
    scope="admin",
    emits=[CommentCreated],
    undo="an import is undone as a whole",
    example={
        "subject": "issue:WEB-1",
        "author": "Ada",
        "body": "Seen on the old tracker.",
        "created_at": 1700000000,
    },
)
def import_(tx: Write, args: CommentsImport) -> CommentId:
    """Bring in a comment from elsewhere, with its author and time. Mentions, mails, watches and triggers nothing."""
    issue = _issue(tx, args.subject)
    _require_said(args.body)
    subject = f"issue:{issue['id']}"
    if args.external:
        known = tx.value(
            "select id from comment where subject = :subject and external = :external",
            subject=subject,
            external=args.external,
        )
        if known is not None:
            return {"id": known}
    comment = tx.insert(
        "comment",
        subject=subject,
        author=issues.person_or_name(tx, args.author, field="author"),
        body=args.body,
        created_at=args.created_at if args.created_at is not None else tx.now,
        internal=0,
        external=args.external,
    )
    payload = _payload(tx, issue, comment, internal=False) | {"import": 0}
    tx.emit(CommentCreated(subject=subject, payload=payload))
    return {"id": comment}


class CommentsList(Input):
    subject: Text


@read("comments.list", scope="comments:read", example={"subject": "issue:WEB-1"})
def list_(tx: Read, args: CommentsList) -> list[Comment]:
    """List the comments on a subject, oldest first; guests do not see internal ones.

    The starter of a thread that was deleted while replies remain stands there without author and body.
    """
    issue = _issue(tx, args.subject)
    rows = tx.all(
        f"select * from comment c where c.subject = :subject and {_THERE} and (c.internal = 0 or not :guest)"
        " order by c.created_at, c.id",
        subject=f"issue:{issue['id']}",
        guest=int(tx.caller.guest),
    )
    reactions = _reactions(tx, [row["id"] for row in rows])
    return [_shown(row, reactions.get(row["id"], [])) for row in rows]


_THERE = (
    "(c.deleted_at is null or c.parent is null and exists"
    " (select 1 from comment r where r.parent = c.id and r.deleted_at is null))"
)
"""The condition on `comment c`: it is there, or replies to it are."""


def _shown(row: Row, reactions: list[Reaction]) -> Comment:
    if row["deleted_at"] is not None:
        row, reactions = row | {"author": "", "body": "", "body_doc": None, "anchor": None}, []
    return Comment(
        id=row["id"],
        author=row["author"],
        body=row["body"],
        body_doc=row["body_doc"],
        created_at=row["created_at"],
        edited_at=row["edited_at"],
        internal=bool(row["internal"]),
        parent=row["parent"],
        anchor=row["anchor"],
        reactions=reactions,
        resolved_at=row["resolved_at"],
        resolved_by=row["resolved_by"],
    )


def _reactions(tx: Read, ids: list[int]) -> dict[int, list[Reaction]]:
    found: dict[int, list[Reaction]] = {}
    for row in tx.all(
        "select comment, emoji, count(*) as count, max(who = :me) as mine,"
        " json_group_array(who order by at, who) as who from reaction"
        " where comment in (select value from json_each(:ids)) group by comment, emoji order by min(at), emoji",
        ids=marks(ids),
        me=tx.caller.member or "",
    ):
        who = json.loads(row["who"])[:20]
        reaction = Reaction(emoji=row["emoji"], count=row["count"], mine=bool(row["mine"]), who=who)
        found.setdefault(row["comment"], []).append(reaction)
    return found


def _require_said(body: str) -> None:
    if not body.strip():
        raise InvalidInput("A comment says something.", field="body")


def _issue(tx: Read, subject: str) -> Row:
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


def _starter(tx: Read, issue: Row, parent: int | None) -> Row | None:
    """The first comment of the thread that `parent` belongs to."""
    if parent is None:
        return None
    row = tx.one(
        f"select * from comment c where c.id = :id and c.subject = :subject and {_THERE}",
        id=parent,
        subject=f"issue:{issue['id']}",
    )
    if row is None or (row["internal"] and tx.caller.guest):
        raise NotFound(f"There is no comment {parent} on it that you can see.")
    if row["parent"] is not None:
        return tx.one("select * from comment where id = :id", id=row["parent"])
    return row


def _require_fitting(tx: Read, args: CommentsCreate, starter: Row | None, internal: bool) -> None:
    if internal and tx.caller.guest:
        raise NotAllowed("Internal notes are for members.")
    if starter is not None and args.internal is not None and args.internal != internal:
        raise InvalidInput(
            "A reply is internal exactly where its thread is.", field="internal", allowed=[internal]
        )
    if not args.anchor:
        return
    if starter is not None:
        raise InvalidInput("Only the first comment of a thread has an anchor.", field="anchor")
    if len(args.anchor.encode()) > MOST_ANCHOR_BYTES:
        raise InvalidInput(f"An anchor holds at most {MOST_ANCHOR_BYTES} bytes.", field="anchor")
    try:
        found: Any = json.loads(args.anchor)
    except ValueError:
        found = None
    if not isinstance(found, dict) or not isinstance(found.get("exact"), str):
        raise InvalidInput("An anchor is JSON with `exact`, `prefix` and `suffix`.", field="anchor")


def _payload(tx: Read, issue: Row, comment: int, *, internal: bool) -> dict[str, Any]:
    key = issues.key_of(tx, issue)
    return {"key": key, "project": key.rpartition("-")[0], "comment": comment, "internal": internal}


def _tell(tx: Write, issue: Row, comment: int, internal: bool, starter: Row | None) -> None:
    payload = _payload(tx, issue, comment, internal=internal)
    if starter is not None:
        payload["parent"] = starter["id"]
    event: Event = CommentCreated(
        subject=f"issue:{issue['id']}", payload=payload, heard_by="team" if internal else None
    )
    tx.emit(event)
