"""List a subject's events, the latest events of all, and count what is new to the caller."""

from collections.abc import Iterator
from itertools import islice
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.errors import NotFound
from kbwork.base.model import SAFE_INT, Input, Int, Text
from kbwork.core.access import visibility
from kbwork.core.events import feed
from kbwork.core.operations.declare import read
from kbwork.core.things.thing import Subject, ref_of
from kbwork.db.tx import Read, Row, Write, json_array

_LATEST = 1000
_MOST_AT_ONCE = 1000


class ActivityList(Input):
    subject: Text
    """`issue:WEB-1`, `project:WEB`, `member:<id>` and so on."""
    since: Annotated[Int, Field(ge=0)] | None = None
    """Only events after this sequence number."""


@read(
    "activity.list",
    scope="activity:read",
    words="timeline of an issue, audit trail of one thing, who did what here, story so far",
    example={"subject": "issue:WEB-1"},
)
def list_(tx: Read, args: ActivityList) -> list[feed.Event]:
    """List the events of a subject that you may hear of, oldest first, the latest 1,000 at most.

    Of one that was purged, as `issue:<n>`, admins read what is left: kinds, times and actors.
    """
    subject = _known(tx, args.subject)
    if subject is None:
        return _left(tx, args.subject, args.since or 0)
    where, about, binds = _about(tx, subject)
    rows = _oldest_first(tx, f"{where} and {visibility.events(tx, about)}", args.since or 0, binds)
    return [_titled(tx, row, _title(subject)) for row in rows]


def _oldest_first(tx: Read, where: str, since: int, binds: dict[str, Any]) -> list[Row]:
    return tx.all(
        f"select * from (select {feed.COLUMNS} from events e where {where} and e.seq > :since"
        f" order by e.seq desc limit {_LATEST}) order by seq",
        since=since,
        **binds,
    )


def _left(tx: Read, ref: str, since: int) -> list[feed.Event]:
    """What is left of a subject that was purged; payloads that are to be emptied yet are empty here. Raises NotFound
    for whoever is no admin of the whole org, and for what was never purged."""
    name, ident = ref_of(ref.strip())
    subject = f"{name}:{ident}"
    kind = visibility.things(tx).get(name)
    overseen = tx.caller.admin and tx.caller.projects is None and visibility.reads(tx, name)
    if kind is None or kind.trash is None or not overseen:
        raise _not_found(ref)
    binds = visibility.binds(tx) | {"subject": subject}
    heard = f"e.subject = :subject and (e.audience in ('seen', 'team') or {visibility.events(tx, [])})"
    gone = tx.value(
        f"select 1 from events e where {heard} and e.kind = :purged limit 1",
        purged=kind.trash.purged.kind,
        **binds,
    )
    if gone is None:
        raise _not_found(ref)
    rows = _oldest_first(tx, heard, since, binds)
    return [_titled(tx, row, None) | {"payload": {}} for row in rows]


class ActivityRecent(Input):
    limit: Annotated[Int, Field(ge=1, le=100)] | None = 30
    """Events to answer; 30 unless given."""


@read(
    "activity.recent",
    scope="activity:read",
    words=(
        "what is going on, news, latest changes, happening, feed, who has been busy, "
        "what everybody did, working on today"
    ),
    example={"limit": 10},
)
def recent(tx: Read, args: ActivityRecent) -> list[feed.Event]:
    """List the latest events that you may hear of, newest first."""
    most = args.limit or 30
    rows = list(islice(_latest(tx, most), most))
    titles = {
        subject: _title(visibility.find(tx, subject))
        for subject in dict.fromkeys(row["subject"] for row in rows)
    }
    return [_titled(tx, row, titles[row["subject"]]) for row in rows]


def _latest(tx: Read, some: int) -> Iterator[Row]:
    """The events that the caller may hear of, newest first: so many are looked at first, then ever more."""
    before = SAFE_INT
    while rows := tx.all(
        f"select {feed.COLUMNS}, {feed.HEARD_BY} from events e where e.seq < :before order by e.seq desc limit :some",
        before=before,
        some=some,
    ):
        yield from visibility.heard(tx, rows)
        before, some = rows[-1]["seq"], min(2 * some, _MOST_AT_ONCE)


class ActivitySeen(Input):
    subject: Text
    """What you look at, such as `issue:WEB-1`."""


class Look(TypedDict):
    seq: int
    """Number of the latest event of the org at that time."""
    at: int
    """When the caller looked, in Unix seconds."""


class Seen(TypedDict):
    """`changes`: events by others since `previous`, when the caller last looked (null the first time)."""

    changes: int
    """Events by others since `previous`; the first time all of them."""
    previous: Look | None
    """When the caller last looked; null: never before."""


@read(
    "activity.seen",
    scope="activity:read",
    words=("what is new since my last visit, unread changes, changed while I was away, catch up, missed"),
    cached=False,
    undo="a look is no change",
    example={"subject": "issue:WEB-1"},
)
def seen(tx: Write, args: ActivitySeen) -> Seen:
    """Count what others did to a subject since you last looked, and in a session remember this look.

    A key or agent is answered from its owner's mark and leaves it where it is. The first time all events count.
    """
    found = _subject(tx, args.subject)
    where, about, binds = _about(tx, found)
    subject = _id(found)
    me = tx.caller.me()
    mark = tx.one(
        "select seq, at from mark where member = :me and subject = :subject", me=me, subject=subject
    )
    changes = tx.value(
        f"select count(*) from events e where {where} and e.seq > :since and e.actor <> :kb_me"
        f" and {visibility.events(tx, about)}",
        since=mark["seq"] if mark else 0,
        **binds,
    )
    if tx.caller.session is not None:
        tx.execute(
            "insert into mark values (:me, :subject, :seq, :now) on conflict do update set seq = :seq, at = :now",
            me=me,
            subject=subject,
            seq=tx.seq,
            now=tx.now,
        )
    return Seen(changes=changes, previous=Look(seq=mark["seq"], at=mark["at"]) if mark else None)


def _subject(tx: Read, ref: str) -> Subject | str:
    """What a reference names. Raises NotFound where the caller does not see it."""
    found = _known(tx, ref)
    if found is None:
        raise _not_found(ref)
    return found


def _not_found(ref: str) -> NotFound:
    return NotFound(f"There is no {ref!r} that you can see.")


def _known(tx: Read, ref: str) -> Subject | str | None:
    """What a reference names, if the caller sees it.

    Of what lies in the trash the id alone; who may bring it back hears of it still.
    """
    subject = visibility.canonical(tx, ref)
    found = visibility.find(tx, subject)
    if found is not None:
        return found
    heard = tx.value(
        "select 1 from events e where e.subject = :subject and e.audience = 'seen'"
        f" and {visibility.events(tx, [subject])} limit 1",
        subject=subject,
        **visibility.binds(tx),
    )
    return subject if heard is not None else None


def _id(subject: Subject | str) -> str:
    return subject if isinstance(subject, str) else subject.id


def _about(tx: Read, subject: Subject | str) -> tuple[str, list[Subject | str], dict[str, Any]]:
    """The condition on `events e` that it is about a subject, a subject of each kind that such events have, and what
    the condition binds."""
    name, ref = ref_of(_id(subject))
    binds = visibility.binds(tx) | {"subjects": json_array(visibility.known_as(tx, _id(subject)))}
    own = "e.subject in (select value from json_each(:subjects))"
    kind = visibility.things(tx).get(name)
    there = kind.elsewhere(tx, ref) if kind is not None and kind.elsewhere is not None else None
    if there is None:
        return own, [subject], binds
    told = f"e.subject = :there and json_extract(e.payload, '$.{there.name}') = :value"
    binds |= {"there": there.subject, "value": there.value}
    return f"({own} or {told})", [subject, there.subject], binds


def _title(subject: Subject | str | None) -> str | None:
    """The title of a subject that is there."""
    return (subject.bare or subject.title) if isinstance(subject, Subject) else None


def _titled(tx: Read, row: Row, title: str | None) -> feed.Event:
    event = feed.event(tx, row)
    event["title"] = title
    return event
