"""Canned replies of desks: look at them, make and change one, take one away, fill one in."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from kbwork.base.errors import Conflict, InvalidInput, NotAllowed
from kbwork.base.events import Audience
from kbwork.base.model import Body, Id, Input, Name, Text
from kbwork.base.text import fold, folded
from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.core.operations.declare import destructive, read, write
from kbwork.core.references import IssueRef
from kbwork.db.rows import CannedReplyRow
from kbwork.db.tx import Read, Row, Write, with_columns
from kbwork.modules import issues
from kbwork.modules.desk import access
from kbwork.modules.desk.model import CannedDeleted, CannedReply, CannedSaved, RenderedReply
from kbwork.modules.desk.replies import placeholders
from kbwork.modules.desk.requests import rows
from kbwork.modules.projects import access as projects

MOST = 1000
"""Of one maker."""
_SEEN = (
    "(r.project is null or r.project in (select value from json_each(:kb_work)))"
    " and (r.shared or r.owner = :kb_me)"
)
"""The condition on `canned_reply r`: it is the caller's own, or shared, and for a desk where they work."""
_SHOWN = f"select r.* from canned_reply r where {_SEEN}"
Project = Annotated[Text, Field(description="Key of a desk's project, or a former one.")]
_TOLD = ("name", "text", "folder", "shortcut", "shared")


class DeskReplies(Input):
    project: Project | None = None
    """Only those that fit at this desk: its own and those for all desks."""
    q: Text | None = None
    """Words in name, text, folder or shortcut."""


@read(
    "desk.replies",
    scope="issues:read",
    words="canned responses, saved replies, answer templates, macros for answers, text blocks of the help desk",
    example={"q": "sorry"},
)
def replies(tx: Read, args: DeskReplies) -> list[CannedReply]:
    """List the canned replies that you may use, by folder and name: your own, and shared ones for desks where you work.

    For members and leads of a project that is a desk (403).
    """
    access.require_agent(tx)
    project = access.desk(tx, args.project)[0]["id"] if args.project else None
    found = tx.all(
        f"{_SHOWN} and (:project is null or r.project is null or r.project = :project)"
        " order by lower(coalesce(r.folder, '')), lower(r.name), r.id",
        CannedReplyRow,
        project=project,
        **visibility.binds(tx),
    )
    words = fold(args.q or "").split()
    return [_shown(tx, row) for row in found if all(word in _text_of(row) for word in words)]


class DeskReplySave(Input):
    id: Id | None = None
    """The reply to change; left out: make one."""
    name: Name
    """What people choose it by."""
    text: Body
    """What it says, in Markdown; `{{customer.name}}`, `{{key}}` and the like are filled in."""
    project: Project | None = None
    """The desk that it is for; null: all desks."""
    folder: Annotated[Text, Field(max_length=200)] | None = None
    """Heading that it stands under; an empty text: none."""
    shortcut: Annotated[Text, Field(max_length=64)] | None = None
    """What one types to get it, unique among the replies that you see without case; an empty text: nothing."""
    shared: bool | None = None
    """Whether everybody who works at the desk has it; a new one is yours alone."""


@write(
    "desk.reply_save",
    scope="issues:write",
    guests=False,
    words="save a canned response, new answer template, keep this answer, change a saved reply",
    emits=[CannedSaved],
    example={
        "name": "Sorry for the wait",
        "text": "Hello {{customer.first_name}},\n\nwe are looking at {{key}} now.",
        "shortcut": "sorry",
        "shared": True,
    },
)
def reply_save(tx: Write, args: DeskReplySave) -> CannedReply:
    """Make a canned reply, or change one: what is optional and not named stays. A placeholder that is none is 422.

    For members and leads of a project that is a desk. Your own are yours to change; shared ones also leads of the
    project that it is for, and those for all desks also admins (403). Somebody has a thousand at most (409).
    """
    access.require_agent(tx)
    row = _seen(tx, args.id) if args.id is not None else None
    if row is not None:
        _require_keeper(tx, row)
    columns = _columns(tx, args)
    after = with_columns(row, columns) if row is not None else {"owner": tx.caller.me(), **columns}
    _require_free(tx, after, args.id)
    if row is None:
        ident = _make(tx, columns)
    else:
        ident = row["id"]
        changed = named.diff(row, columns)
        if changed:
            tx.update("canned_reply", ident, updated_at=tx.now, **changed)
            _tell(tx, _stored(tx, ident), named.changes(row, changed, _TOLD, text=len, shared=bool), was=row)
    return _shown(tx, _stored(tx, ident))


class DeskReplyDelete(Input):
    id: Id
    """Id of the reply."""


@destructive(
    "desk.reply_delete",
    scope="issues:write",
    guests=False,
    words="remove a canned response, delete a saved reply",
    emits=[CannedDeleted],
    example={"id": 1},
)
def reply_delete(tx: Write, args: DeskReplyDelete) -> list[CannedReply]:
    """Take a canned reply away, as whoever may change it. Answers those that you have left."""
    access.require_agent(tx)
    row = _seen(tx, args.id)
    _require_keeper(tx, row)
    tx.delete("canned_reply", row["id"])
    tx.emit(CannedDeleted(subject=_subject(tx, row), payload=_about(row), heard_by=_hearers(row)))
    return replies(tx, DeskReplies())


class DeskReplyRender(Input):
    id: Id
    """Id of the reply."""
    key: IssueRef


@read(
    "desk.reply_render",
    scope="issues:read",
    words="use a canned response, fill in a saved reply, insert an answer template",
    cached=False,
    undo="a use is counted, and that is not taken back",
    example={"id": 1, "key": "WEB-6"},
)
def reply_render(tx: Write, args: DeskReplyRender) -> RenderedReply:
    """Fill a canned reply in for a request, to be sent by desk.send_reply. Of who answers it says what the desk shows.

    For members of the project. An issue that is no request is 409, a reply that is for another desk 404.
    """
    access.require_agent(tx)
    row = _seen(tx, args.id)
    issue = issues.get(tx, args.key)
    access.require_member(tx, issue["project"])
    request = rows.asked_of(tx, issue)
    if row["project"] not in (None, issue["project"]):
        named.seen(None, "reply", args.id, "desk.replies")
    tx.execute("update canned_reply set uses = uses + 1 where id = :id", id=row["id"])
    return RenderedReply(text=placeholders.filled(tx, row["text"], request))


def _text_of(row: CannedReplyRow) -> str:
    return fold(" ".join(part or "" for part in (row["name"], row["text"], row["folder"], row["shortcut"])))


def _seen(tx: Read, ident: int) -> CannedReplyRow:
    """Raises NotFound."""
    row = tx.one(f"{_SHOWN} and r.id = :id", CannedReplyRow, id=ident, **visibility.binds(tx))
    return named.seen(row, "reply", ident, "desk.replies")


def _stored(tx: Read, ident: int) -> CannedReplyRow:
    row = tx.stored("canned_reply", [ident])
    assert row is not None
    return row


def _require_keeper(tx: Read, row: CannedReplyRow) -> None:
    """Raises NotAllowed for whoever neither made it nor leads where it is for."""
    leads = projects.at_least(tx, row["project"], "lead") if row["project"] is not None else tx.caller.admin
    if row["owner"] != tx.caller.me() and not leads:
        raise NotAllowed("Whoever made a shared reply changes it, and leads of the project that it is for.")


def _columns(tx: Read, args: DeskReplySave) -> Row:
    if not args.text.strip():
        raise InvalidInput("A reply says something.", field="text")
    placeholders.require_known(args.text)
    found: Row = {"name": args.name, "text": args.text} | args.filled(shared=int)
    if args.given("project"):
        found["project"] = _project(tx, args.project) if args.project else None
    if args.folder is not None:
        found["folder"] = args.folder.strip() or None
    if args.shortcut is not None:
        shortcut = args.shortcut.strip() or None
        if shortcut is not None and len(shortcut.split()) > 1:
            raise InvalidInput("A shortcut is one word.", field="shortcut")
        found |= {"shortcut": shortcut, "shortcut_key": folded(shortcut) if shortcut is not None else None}
    return found


def _project(tx: Read, key: str) -> int:
    """A desk where the caller works. Raises NotFound or NotAllowed."""
    project, _ = access.desk(tx, key)
    access.require_member(tx, project["id"])
    return project["id"]


def _require_free(tx: Read, row: Mapping[str, object], ident: int | None) -> None:
    """Raises Conflict where the shortcut gets another reply that the caller sees."""
    taken = tx.value(
        f"select r.name from canned_reply r where {_SEEN} and r.shortcut_key = :key and r.id is not :id limit 1",
        key=row.get("shortcut_key"),
        id=ident,
        **visibility.binds(tx),
    )
    if taken is not None:
        raise Conflict(f"The reply {taken!r} has this shortcut.")


def _make(tx: Write, columns: Row) -> int:
    me = tx.caller.me()
    if tx.value("select count(*) from canned_reply where owner = :me", me=me) >= MOST:
        raise Conflict(f"Somebody has {MOST} replies at most.")
    usual = {"project": None, "folder": None, "shortcut": None, "shortcut_key": None, "shared": 0}
    ident = tx.insert("canned_reply", owner=me, updated_at=tx.now, **(usual | columns))
    _tell(tx, _stored(tx, ident), {})
    return ident


def _tell(tx: Write, row: CannedReplyRow, changes: Row, *, was: CannedReplyRow | None = None) -> None:
    """Of a long text that it is another one. One that was shared, or is now, is told to all who had it or have it."""
    shared = row if row["shared"] or was is None else was
    tx.emit(
        CannedSaved(
            subject=_subject(tx, shared), payload=_about(row), changes=changes, heard_by=_hearers(shared)
        )
    )


def _subject(tx: Read, row: CannedReplyRow) -> str:
    key = tx.value("select key from project where id = :id", id=row["project"])
    return f"project:{key}" if key is not None else "org:1"


def _hearers(row: CannedReplyRow) -> Audience | None:
    return None if row["shared"] else "starter"


def _about(row: CannedReplyRow) -> Row:
    return {"reply": row["id"]} | ({"name": row["name"]} if row["shared"] else {})


def _shown(tx: Read, row: CannedReplyRow) -> CannedReply:
    return CannedReply(
        id=row["id"],
        name=row["name"],
        text=row["text"],
        project=tx.value("select key from project where id = :id", id=row["project"]),
        folder=row["folder"],
        shortcut=row["shortcut"],
        shared=bool(row["shared"]),
        uses=row["uses"],
    )
