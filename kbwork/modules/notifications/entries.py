"""Entries as rows: how one grows, what takes something out of it, and whose inbox changed."""

import json
from collections.abc import Iterable
from typing import Any, TypedDict

from kbwork.base.caller import Caller
from kbwork.base.dataclasses import dataclass
from kbwork.db.rows import NotificationRow
from kbwork.db.tx import Read, Write, json_array
from kbwork.modules.notifications.model import REASONS, Reason

MOST = 1000
"""Entries of one inbox: the oldest go, those first that were read."""
MOST_EVENTS = 20
_RANK = {reason: place for place, reason in enumerate(REASONS)}
UNREAD = "n.state = 'unread' and (n.snoozed_until is null or n.snoozed_until <= :now)"
"""It is unread and awake."""


class KeptEvent(TypedDict):
    """What an entry keeps of an event: the rest is asked of the event when it is shown."""

    seq: int | None
    kind: str
    reason: Reason
    at: int
    mail: bool
    """It is to be mailed, and was not yet."""
    day: str | None
    """For a day that came: the date, and how many days before it was told, as `2026-01-31/1`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """One thing that somebody is to hear."""

    who: str
    member: str
    subject: str
    event: KeptEvent
    mail_at: int | None
    push_at: int | None
    undo: int | None = None
    """The undo that did it."""


def inbox_of(caller: Caller) -> str:
    """Whose inbox the caller looks into: agents have their own, keys their owner's."""
    return caller.via if caller.kind == "agent" and caller.via is not None else caller.me()


def events_of(row: NotificationRow) -> list[KeptEvent]:
    found: list[KeptEvent] = json.loads(row["events"])
    return found


def note(tx: Write, notice: Notice) -> None:
    """Put it into the inbox: into the entry of its subject, which begins anew where it was read or archived."""
    row = tx.one(
        "select * from notification where who = :who and subject = :subject",
        NotificationRow,
        who=notice.who,
        subject=notice.subject,
    )
    awake = row is None or row["state"] == "unread"
    events = [notice.event, *(events_of(row) if row is not None and awake else [])][:MOST_EVENTS]
    asleep = row is not None and awake and notice.event["reason"] == "watching"
    columns: dict[str, Any] = {
        "reason": strongest(events),
        "events": json.dumps(events),
        "snoozed_until": row["snoozed_until"] if row is not None and asleep else None,
        "at": notice.event["at"],
        "mail_at": _first(row["mail_at"] if row is not None else None, notice.mail_at),
        "push_at": _first(row["push_at"] if row is not None else None, notice.push_at),
    }
    if row is None:
        tx.execute(
            "insert into notification"
            " (who, member, subject, reason, state, snoozed_until, events, at, mail_at, push_at)"
            " values (:who, :member, :subject, :reason, 'unread', :snoozed_until, :events, :at, :mail_at, :push_at)",
            who=notice.who,
            member=notice.member,
            subject=notice.subject,
            **columns,
        )
        return
    tx.execute(
        "update notification set reason = :reason, state = 'unread', snoozed_until = :snoozed_until, events = :events,"
        " at = :at, mail_at = :mail_at, push_at = :push_at where id = :id",
        id=row["id"],
        **columns,
    )


def strongest(events: Iterable[KeptEvent]) -> Reason:
    """Of their reasons the one that asks most."""
    return min((event["reason"] for event in events), key=_RANK.__getitem__)


def _first(*moments: int | None) -> int | None:
    return min((one for one in moments if one is not None), default=None)


def take_out(tx: Write, subject: str, seqs: Iterable[int]) -> set[str]:
    """Take what did not happen, or is gone, out of unread entries; answers who will not hear of it any more."""
    gone, lost = set(seqs), set()
    for row in tx.all(
        "select * from notification where subject = :subject and state = 'unread'",
        NotificationRow,
        subject=subject,
    ):
        events = events_of(row)
        left = [event for event in events if event["seq"] not in gone]
        if len(left) == len(events):
            continue
        lost.add(row["who"])
        if not left:
            tx.execute("delete from notification where id = :id", id=row["id"])
            continue
        tx.execute(
            "update notification set events = :events, reason = :reason, at = :at, mail_at = :mail_at where id = :id",
            id=row["id"],
            events=json.dumps(left),
            reason=strongest(left),
            at=left[0]["at"],
            mail_at=row["mail_at"] if any(event["mail"] for event in left) else None,
        )
    return lost


def changed(tx: Write, whos: Iterable[str]) -> None:
    """Something of these inboxes changed: streams of theirs tell it."""
    for who in sorted(set(whos)):
        tx.execute(
            "insert into inbox (who, number) values (:who, 1) on conflict (who) do update set number = number + 1",
            who=who,
        )


def make_room(tx: Write, whos: Iterable[str]) -> None:
    """Where an inbox holds too much the oldest goes, what was read before what was not."""
    for who in sorted(set(whos)):
        over = tx.value("select count(*) from notification where who = :who", who=who) - MOST
        if over > 0:
            tx.execute(
                "delete from notification where id in (select id from notification where who = :who"
                " order by state = 'unread', at, id limit :over)",
                who=who,
                over=over,
            )


def mark(tx: Write, ids: Iterable[int], state: str) -> None:
    """These are read, archived or unread from now on. Nothing of them is mailed or pushed any more."""
    tx.execute(
        "update notification set state = :state, snoozed_until = null, mail_at = null, push_at = null"
        " where id in (select value from json_each(:ids))",
        state=state,
        ids=json_array(ids),
    )


def number(tx: Read) -> int:
    """Counts the changes of the caller's inbox."""
    return int(tx.value("select number from inbox where who = :who", who=inbox_of(tx.caller)) or 0)
