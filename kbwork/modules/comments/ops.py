"""Comment on a subject, bring comments in from elsewhere, list them."""

import json
from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import InvalidInput, NotAllowed, NotFound
from kbwork.base.model import Body, Id, Input, Name, Text, When
from kbwork.core.operations.declare import Rendered, read, write
from kbwork.core.operations.documents import eyes_of
from kbwork.core.ports.comments import CommentTarget
from kbwork.core.ports.files import name_uploads
from kbwork.db.rows import CommentRow
from kbwork.db.tx import Read, Write
from kbwork.modules import issues
from kbwork.modules.comments import access, event_payloads, mentions, queries
from kbwork.modules.comments.model import Comment, CommentCreated, CommentId

MOST_ANCHOR_BYTES = 4096


class CommentsCreate(Input):
    subject: Text
    """What it is about, such as `issue:WEB-1`."""
    body: Body
    """What is said, in Markdown."""
    body_doc: Body | None = None
    """The same text as a rich document: ProseMirror JSON."""
    parent: Id | None = None
    """Any comment of the thread to reply in."""
    internal: bool | None = None
    """A note for the team: guests and customers never see it. A reply follows its thread."""
    anchor: Body | None = None
    """JSON {`exact`, `prefix`, `suffix`}: the words it is about; for the first comment of a thread."""
    uploads: Annotated[list[Text], Field(max_length=20)] | None = None
    """Ids of files that you send to `/files/upload`, whole or not: each hangs on the comment when all of it is here."""


@write(
    "comments.create",
    scope="comments:write",
    words=(
        "write a comment, answer, reply, respond, leave a note, say something, internal note, "
        "mention somebody, ping, ask in the ticket, tell the reporter"
    ),
    emits=[CommentCreated],
    example={"subject": "issue:WEB-1", "body": "I can see it too, since Tuesday."},
)
def create(tx: Write, args: CommentsCreate) -> CommentId:
    """Comment on a subject, or reply in a thread.

    Issues, assets (`asset:LAP-1`), flags and change requests of flags (`flag_change:<id>`) take comments, of whoever
    may comment there; who does watches the issue from then on. What is archived or locked takes comments from its
    leads only (403), what is of an archived project from nobody (409). Internal notes are made on issues only, and a
    reply that differs from its thread in `internal` is no better (422). `@handle` outside code and links mentions a
    member, team or agent: the event names those who see the comment; what stands behind the first 100,000 characters
    mentions nobody. `uploads` are as with attachments.expect.
    """
    on = access.target(tx, args.subject)
    access.require_comment(on)
    require_said(args.body)
    starter = _starter(tx, on, args.parent)
    internal = _internal(tx, args.internal, starter, on)
    _require_fitting(args, starter)
    comment = tx.insert(
        "comment",
        subject=on.subject,
        author=access.speaker(tx),
        body=args.body,
        body_doc=issues.document(args.body, args.body_doc),
        created_at=tx.now,
        internal=int(internal),
        parent=starter["id"] if starter else None,
        anchor=args.anchor or None,
    )
    row = queries.stored(tx, comment)
    event_payloads.touch(tx, row, on)
    on.follow(tx, tx.caller.me())
    mentioned = mentions.mentioned(tx, args.body, on, internal=internal)
    event_payloads.emit(tx, CommentCreated, row, on, **({"mentions": mentioned} if mentioned else {}))
    name_uploads(tx, f"comment:{comment}", args.uploads)
    event_payloads.said(tx, row)
    return {"id": comment}


def say_from_outside(tx: Write, on: CommentTarget, body: str, *, internal: bool = False) -> int:
    """A customer says something on a thing that is theirs: whoever asks has judged that. It mentions nobody, and is
    seen by all who see what is said there, or `internal` by the team. Answers the id of the comment."""
    require_said(body)
    comment = tx.insert(
        "comment",
        subject=on.subject,
        author=tx.caller.actor,
        body=body,
        created_at=tx.now,
        internal=int(internal),
    )
    row = queries.stored(tx, comment)
    event_payloads.touch(tx, row, on)
    event_payloads.emit(tx, CommentCreated, row, on)
    event_payloads.said(tx, row)
    return comment


class CommentsImport(Input):
    author: Name
    """A member's id, handle or address; else the name of somebody who is none."""
    body: Body
    """What is said, in Markdown."""
    subject: Text
    """What it is about, such as `issue:WEB-1`."""
    created_at: When | None = None
    """When it was said; now unless given."""
    external: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    """Id at the source: one that the subject has already answers that comment, without an event."""
    parent: Id | None = None
    """Any comment of the thread that it replies in."""
    internal: bool | None = None
    """A note for the team; a reply follows its thread."""


@write(
    "comments.import",
    scope="admin",
    words="bring old comments along, migrate comments, comment with another author and date",
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
    on = access.target(tx, args.subject)
    on.require_open()
    require_said(args.body)
    if args.external:
        known = tx.value(
            "select id from comment where subject = :subject and external = :external",
            subject=on.subject,
            external=args.external,
        )
        if known is not None:
            return {"id": known}
    starter = _starter(tx, on, args.parent)
    comment = tx.insert(
        "comment",
        subject=on.subject,
        author=issues.person_or_name(tx, args.author, field="author"),
        body=args.body,
        created_at=args.created_at if args.created_at is not None else tx.now,
        internal=int(_internal(tx, args.internal, starter, on)),
        parent=starter["id"] if starter else None,
        external=args.external,
    )
    event_payloads.emit(tx, CommentCreated, queries.stored(tx, comment), on, **{"import": 0})
    return {"id": comment}


class CommentsList(Input):
    subject: Text
    """What they are about, such as `issue:WEB-1`."""


def _listed(tx: Read, args: CommentsList) -> Rendered:
    found = tx.column(f"select c.id {_ON_SUBJECT}", **_binds(tx, args))
    return queries.DOCUMENTS.listed(tx, eyes_of(tx, queries.CommentEyes), found)


@read(
    "comments.list",
    scope="comments:read",
    words=("read the discussion, conversation, what was said, thread, all comments, replies, latest comment"),
    example={"subject": "issue:WEB-1"},
    render=_listed,
)
def list_(tx: Read, args: CommentsList) -> list[Comment]:
    """List the comments on a subject, oldest first; guests do not see internal ones.

    The starter of a thread that was deleted while replies remain stands there without author and body.
    """
    return queries.shown(tx, tx.all(f"select * {_ON_SUBJECT}", CommentRow, **_binds(tx, args)))


_ON_SUBJECT = (
    f"from comment c where c.subject = :subject and {access.THERE} and (c.internal = 0 or not :guest)"
    " order by c.created_at, c.id"
)


def _binds(tx: Read, args: CommentsList) -> dict[str, Any]:
    """The subject, which the caller sees, and whether they are a guest."""
    return {"subject": access.target(tx, args.subject).subject, "guest": int(tx.caller.guest)}


def require_said(body: str) -> None:
    """Raises InvalidInput for a text of blanks."""
    if not body.strip():
        raise InvalidInput("A comment says something.", field="body")


def _starter(tx: Read, on: CommentTarget, parent: int | None) -> CommentRow | None:
    """The first comment of the thread that `parent` belongs to. Raises NotFound."""
    if parent is None:
        return None
    found = access.find(tx, parent, stubs=True)
    if found is None or found[1].subject != on.subject:
        raise NotFound(f"There is no comment {parent} on it that you can see.")
    row = found[0]
    return queries.stored(tx, row["parent"]) if row["parent"] is not None else row


def _internal(tx: Read, wanted: bool | None, starter: CommentRow | None, on: CommentTarget) -> bool:
    """Whether it is a note for the team: a reply follows its thread. Raises InvalidInput, or NotAllowed for guests."""
    internal = bool(starter["internal"]) if starter else bool(wanted)
    if internal and not on.takes_notes:
        raise InvalidInput("Internal notes are made on issues only.", field="internal", allowed=[False])
    if internal and tx.caller.guest:
        raise NotAllowed("Internal notes are for members.")
    if starter is not None and wanted is not None and wanted != internal:
        raise InvalidInput(
            "A reply is internal exactly where its thread is.", field="internal", allowed=[internal]
        )
    return internal


def _require_fitting(args: CommentsCreate, starter: CommentRow | None) -> None:
    """The anchor. Raises InvalidInput."""
    if not args.anchor:
        return
    if starter is not None:
        raise InvalidInput("Only the first comment of a thread has an anchor.", field="anchor")
    if len(args.anchor.encode()) > MOST_ANCHOR_BYTES:
        raise InvalidInput(f"An anchor holds at most {MOST_ANCHOR_BYTES} bytes.", field="anchor")
    try:
        found: Any = json.loads(args.anchor)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or not isinstance(found.get("exact"), str):
        raise InvalidInput("An anchor is JSON with `exact`, `prefix` and `suffix`.", field="anchor")
