"""The inbox: list it, count it, read it, put entries away or off."""

from typing import Annotated, Literal

from pydantic import Field

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Cursor, Empty, Id, Input, Limit, Paged, Text, When
from kbwork.core.operations import pagination
from kbwork.core.operations.declare import read, write
from kbwork.db.rows import NotificationRow
from kbwork.db.tx import Read, Write
from kbwork.modules.notifications import entries, queries
from kbwork.modules.notifications.model import Notification, NotificationCount, Reason, Unread

NO_WORK = "an inbox is one's own: its entries are marked anew by the same call"
_YEAR_S = 366 * 86400
Ids = Annotated[list[Id], Field(min_length=1, max_length=1000)]


class NotificationsList(Input):
    state: Literal["unread", "all", "archived", "snoozed"] | None = None
    """`unread` unless given, without those that sleep; `all`: whatever is not archived."""
    reason: Reason | None = None
    """Those that came for this."""
    subject: Text | None = None
    """The one on this, such as `issue:WEB-1`."""
    cursor: Cursor | None = None
    limit: Limit | None = None


@read(
    "notifications.list",
    scope="notifications:read",
    words="my inbox, what is new for me, mentions of me, who mentioned me, what was assigned to me, alerts",
    cached=False,
    example={"state": "unread"},
)
def list_(tx: Read, args: NotificationsList) -> Paged[Notification]:
    """List your inbox, the newest first. A subject has one entry, which gathers what happened to it.

    What you do not see any more is left out. Agents have an inbox of their own; a key looks into its owner's. What you
    did yourself is not told; what your agent says to you is, as `agent`. Entries are made a moment after what they
    tell of, and go when they are half a year old, those that were read after 90 days; an inbox holds 1,000.
    """
    where = {"reason": args.reason} if args.reason is not None else {}
    if args.subject is not None:
        row = queries.on(tx, args.subject)
        if row is None:
            return Paged[Notification](items=[], next=None)
        where["subject"] = row["subject"]  # type: ignore[assignment]  # columns and their values
    limit = pagination.limit(args)
    rows = queries.page(tx, args.state or "unread", where, pagination.place(tx, args), limit + 1)
    further = None
    if len(rows) > limit:
        last = rows[limit - 1]
        further = pagination.cursor(tx, args, [last["at"], last["id"]])
    return Paged[Notification](items=queries.shown(tx, rows[:limit]), next=further)


@read(
    "notifications.count",
    scope="notifications:read",
    words="unread count, badge, how many notifications, anything new",
    cached=False,
    example={},
)
def count(tx: Read, _: Empty) -> NotificationCount:
    """Count what is unread and awake in your inbox, in all and by reason."""
    return queries.count(tx)


class NotificationsRead(Input):
    ids: Ids | None = None
    """Entries by id."""
    subject: Text | None = None
    """The one on this, such as `issue:WEB-1`; where there is none nothing is done."""
    all: bool | None = None
    """True: all that are unread, those that sleep too."""
    on: bool | None = None
    """False makes them unread again, with what they had last."""


@write(
    "notifications.read",
    scope="notifications:write",
    words="mark as read, mark all as read, clear my notifications, mark unread, seen",
    emits=[],
    undo=NO_WORK,
    example={"all": True},
)
def read_(tx: Write, args: NotificationsRead) -> Unread:
    """Mark entries as read, or as unread again. Name them by `ids`, `subject` or `all` (422 without one).

    What is read is neither mailed nor pushed. The next thing that happens to the subject begins its entry anew. An id
    that is not yours is 404.
    """
    on = args.on is not False
    if args.all and not on:
        raise InvalidInput("Name those that are to be unread again, by `ids` or `subject`.", field="all")
    rows = _named(tx, args.ids, args.subject, everything=args.all)
    return _marked(tx, rows, "read" if on else "unread")


class NotificationsArchive(Input):
    ids: Ids | None = None
    """Entries by id."""
    subject: Text | None = None
    """The one on this, such as `issue:WEB-1`; where there is none nothing is done."""
    before: When | None = None
    """All whose newest event happened before this, in Unix seconds."""


@write(
    "notifications.archive",
    scope="notifications:write",
    words="done with it, dismiss a notification, put away, clear the inbox, inbox zero",
    emits=[],
    undo=NO_WORK,
    example={"subject": "issue:WEB-2"},
)
def archive(tx: Write, args: NotificationsArchive) -> Unread:
    """Put entries away: they are read and stand among the archived until something new happens to their subject.

    Name them by `ids`, `subject` or `before` (422 without one). `notifications.read` with `on` false brings one back.
    """
    rows = _named(tx, args.ids, args.subject, everything=False, or_else=args.before is not None)
    if args.before is not None:
        older = tx.all(
            "select * from notification where who = :who and at < :before and state <> 'archived'",
            NotificationRow,
            who=entries.inbox_of(tx.caller),
            before=args.before,
        )
        rows += queries.visible(tx, older)
    return _marked(tx, rows, "archived")


class NotificationsSnooze(Input):
    ids: Ids
    """Entries by id."""
    until: When
    """When they are unread again, in Unix seconds: later than now, and within a year."""


@write(
    "notifications.snooze",
    scope="notifications:write",
    words="remind me later, put off, not now, come back tomorrow",
    emits=[],
    undo=NO_WORK,
    example={"ids": [3], "until": 1800003600},
)
def snooze(tx: Write, args: NotificationsSnooze) -> list[Notification]:
    """Put entries off: they sleep, and are unread again when their time comes.

    What is asked of you by name wakes one sooner; what you merely watch does not. An id that is not yours is 404.
    """
    if not tx.now < args.until <= tx.now + _YEAR_S:
        raise InvalidInput("An entry sleeps until a time that is to come, for a year at most.", field="until")
    rows = queries.own(tx, args.ids)
    entries.mark(tx, [row["id"] for row in rows], "unread")
    for row in rows:
        tx.execute(
            "update notification set snoozed_until = :until where id = :id", until=args.until, id=row["id"]
        )
    entries.changed(tx, [entries.inbox_of(tx.caller)])
    return queries.shown(tx, queries.own(tx, args.ids))


def _named(
    tx: Read, ids: list[int] | None, subject: str | None, *, everything: bool | None, or_else: bool = False
) -> list[NotificationRow]:
    """The entries that are meant. Raises InvalidInput where none are named, NotFound for one that is not there."""
    if ids is None and subject is None and not everything and not or_else:
        raise InvalidInput("Say which: by `ids`, by `subject`, or all of a kind.", field="ids")
    rows = queries.own(tx, ids) if ids is not None else []
    if subject is not None:
        found = queries.on(tx, subject)
        rows += [found] if found is not None else []
    if everything:
        unread = tx.all(
            "select * from notification where who = :who and state = 'unread'",
            NotificationRow,
            who=entries.inbox_of(tx.caller),
        )
        rows += queries.visible(tx, unread)
    return rows


def _marked(tx: Write, rows: list[NotificationRow], state: str) -> Unread:
    ids = {row["id"] for row in rows if row["state"] != state or row["snoozed_until"] is not None}
    if ids:
        entries.mark(tx, ids, state)
        entries.changed(tx, [entries.inbox_of(tx.caller)])
    return Unread(unread=queries.unread(tx))
