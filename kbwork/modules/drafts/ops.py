"""Save, list and delete drafts."""

from typing import Annotated, Any

from pydantic import Field
from pydantic_core import to_json

from kbwork.base.errors import Conflict, InvalidInput, NotAllowed, Stale
from kbwork.base.model import Body, Id, Input, Ok, Text
from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.core.operations.declare import destructive, read, write
from kbwork.db.rows import DraftRow
from kbwork.db.tx import Read, Write
from kbwork.modules.drafts import queries
from kbwork.modules.drafts.model import Draft, DraftShared
from kbwork.modules.drafts.queries import DraftPlace

MOST = 200
"""Drafts of one person."""
MOST_BYTES = 8_000_000
"""What all drafts of one person hold."""
MOST_DATA_BYTES = 64_000
_NO_WORK = "a draft is no work yet: it is saved anew, or deleted"


class DraftsList(Input):
    subject: Text | None = None
    """`issue:new`, `issue:WEB-1`, `comment:<id>` or another thing: yours on it, and those that others share there."""


@read("drafts.list", scope="comments:read", example={"subject": "issue:WEB-1"})
def list_(tx: Read, args: DraftsList) -> list[Draft]:
    """List your drafts, the latest first; with `subject` yours on it, and behind it those that others share.

    A draft on what you do not see any more is left out, and comes back when you see that again. Guests are shown their
    own alone. Keys and agents see their owner's, as far as they see what these are on.
    """
    if args.subject is None:
        found = queries.seen(tx, tx.caller.me())
        return [queries.shown(row, on.subject) for row, on in found if on is not None]
    on = queries.place(tx, args.subject)
    mine = queries.own(tx, on)
    rows = [mine] if mine is not None else []
    return [queries.shown(row, on.subject) for row in (*rows, *queries.of_others(tx, on))]


class DraftsSave(Input):
    subject: Text
    """`issue:new` for an issue to come, else what the text is for: `issue:WEB-1` for a comment on it, `comment:<id>`
    for an answer to it or another wording, or any other thing."""
    body: Body
    """The whole text so far, Markdown."""
    data: dict[str, Any] | None = None
    """What else the form holds, as you like it; it stays where it is left out. 64 KB at most."""
    shared: bool | None = None
    """True: members who see the thing may finish it. A new one is not shared unless you say so."""
    seq: (
        Annotated[Id, Field(description="`seq` of the draft that you changed; 0: there was none.")] | None
    ) = None


@write(
    "drafts.save",
    scope="comments:write",
    emits=[DraftShared],
    undo=_NO_WORK,
    example={"subject": "issue:WEB-1", "body": "Seen again on Wednesday, so"},
)
def save(tx: Write, args: DraftsSave) -> Draft:
    """Save the draft that you have on a thing, or begin one: there is one for each thing that you see.

    With `seq` a draft that was saved, sent or deleted meanwhile is left as it is (409 `stale`, with `current`, which is
    null where it is gone); without it the last word stands. A draft that another shares is changed by its `seq` alone,
    which drafts.list tells, by members who may comment there (403), and stays its owner's, who alone shares it and
    takes it back (403). Sharing needs a thing that takes comments (422). You have 200 drafts at most, with 8 MB in all
    (409); before that is said, those make room whose things you do not see any more.
    """
    on = queries.place(tx, args.subject)
    before = _meant(tx, on, args.seq)
    owner = tx.caller.me() if before is None else before["owner"]
    was_shared = before is not None and bool(before["shared"])
    shared = was_shared if args.shared is None else args.shared
    if owner != tx.caller.me() and not shared:
        raise NotAllowed("Whose draft it is shares it and takes it back; you may finish it.")
    if shared:
        _require_speaker(tx, on)
    data = _data(args) if args.data is not None else "{}" if before is None else before["data"]
    if before is not None and (before["body"], before["data"], was_shared) == (args.body, data, shared):
        return queries.shown(before, on.subject)
    if before is not None:
        _remove(tx, before)
    seq = _put(tx, {"owner": owner, "subject": on.subject, "body": args.body, "data": data, "shared": shared})
    _make_room(tx, owner, seq)
    if shared and not was_shared:
        tx.emit(DraftShared(subject=on.subject, payload={"draft": seq}))
    row = tx.stored("draft", [seq])
    assert row is not None
    return queries.shown(row, on.subject)


class DraftsDelete(Input):
    subject: Text
    """What the draft is on."""
    seq: (
        Annotated[Id, Field(description="`seq` of the draft that you mean, for one that another shares.")]
        | None
    ) = None


@destructive(
    "drafts.delete",
    scope="comments:write",
    emits=[],
    undo="what was not sent is gone",
    example={"subject": "issue:WEB-1"},
)
def delete(tx: Write, args: DraftsDelete) -> Ok:
    """Throw away your draft on a thing, as when it was sent; there is no way back.

    One that another shares goes by its `seq`, from members who may comment there (403). Where `seq` is given and the
    draft was saved meanwhile it stays (409 `stale`, with `current`).
    """
    on = queries.place(tx, args.subject)
    row = named.known(_meant(tx, on, args.seq), "draft of yours on", args.subject, "drafts.list")
    if row["owner"] != tx.caller.me():
        _require_speaker(tx, on)
    _remove(tx, row)
    return Ok(ok=True)


def _meant(tx: Read, on: DraftPlace, seq: int | None) -> DraftRow | None:
    """The caller's own, or the one with this number; None where there is none yet. Raises Stale."""
    mine = queries.own(tx, on)
    if seq is None or (seq == 0 and mine is None):
        return mine
    there = [mine, *queries.of_others(tx, on)] if mine is not None else queries.of_others(tx, on)
    for row in there:
        if row["seq"] == seq:
            return row
    if not there:
        raise Stale("The draft is gone: it was sent or deleted meanwhile.", current=None)
    raise Stale(
        f"The draft was saved meanwhile: its seq is {there[0]['seq']}, not {seq}.",
        current=queries.shown(there[0], on.subject),
    )


def _require_speaker(tx: Read, on: DraftPlace) -> None:
    """Raises InvalidInput where nothing is said, NotAllowed for guests and who may not comment there."""
    target = queries.target(tx, on)
    if target is None:
        raise InvalidInput("A draft is shared on what takes comments, such as an issue.", field="shared")
    if tx.caller.guest:
        raise NotAllowed("Drafts are shared among members: yours are your own.")
    if not target.may_comment():
        raise NotAllowed(target.who_may)


def _data(args: DraftsSave) -> str:
    """Raises InvalidInput where it is too much."""
    text = to_json(args.data)
    if len(text) > MOST_DATA_BYTES:
        raise InvalidInput("A draft holds 64 KB beside its text at most.", field="data")
    return text.decode()


def _put(tx: Write, columns: dict[str, Any]) -> int:
    tx.execute(
        "insert into draft (owner, subject, body, data, shared, updated_at)"
        " values (:owner, :subject, :body, :data, :shared, :now)",
        **columns | {"shared": int(columns["shared"])},
        now=tx.now,
    )
    return int(tx.value("select max(seq) from draft"))


def _remove(tx: Write, row: DraftRow) -> None:
    tx.execute("delete from draft where seq = :seq", seq=row["seq"])


def _make_room(tx: Write, owner: str, seq: int) -> None:
    """Those whose things the owner does not see any more go, where there are too many. Raises Conflict where that is
    not enough, so that the one with this number is not kept either."""
    if _fits(tx, owner):
        return
    theirs = visibility.as_member(tx, owner)
    for row, on in reversed(list(queries.seen(theirs, owner))):
        if on is None and row["seq"] != seq:
            _remove(tx, row)
            if _fits(tx, owner):
                return
    raise Conflict(f"Somebody has {MOST} drafts at most, with 8 MB in all: delete one first.")


def _fits(tx: Read, owner: str) -> bool:
    ((number, size),) = tx.tuples(
        "select count(*), coalesce(sum(octet_length(body) + octet_length(data)), 0) from draft where owner = :owner",
        owner=owner,
    )
    return bool(number <= MOST and size <= MOST_BYTES)
