"""Mailing what waited and was not read: each letter is written on a reader, and queued where all still is so."""

import json
from collections.abc import Iterator, Sequence

from kbwork.base.dataclasses import dataclass
from kbwork.core import org_settings
from kbwork.core.access import visibility
from kbwork.core.jobs.chores import Chore
from kbwork.core.ports import mail
from kbwork.db.rows import NotificationRow
from kbwork.db.tx import Read, Write, json_array
from kbwork.modules.notifications import entries, preferences, queries
from kbwork.modules.notifications.mail import letters
from kbwork.modules.notifications.model import Notification

_AT_ONCE = 40
_MOST_IN_DIGEST = 100


@dataclass(frozen=True, slots=True)
class WrittenLetter:
    """A letter, whose it is, and the entries that it tells, as they were."""

    member: str
    letter: mail.Letter
    rows: list[NotificationRow]


@dataclass(frozen=True, slots=True)
class DueLetters:
    """What is to be queued, and the entries of which nothing is to be mailed after all."""

    written: list[WrittenLetter]
    dropped: list[NotificationRow]


def look(tx: Read) -> DueLetters | None:
    """What is due, as its reader may hear it now; None where nothing is."""
    whos = tx.column(
        "select distinct who from (select who from notification where mail_at <= :now order by mail_at limit :most)",
        now=tx.now,
        most=_AT_ONCE,
    )
    if not whos:
        return None
    off = not mail.sends(tx) or org_settings.module_off(tx, "notifications")
    found = DueLetters([], [])
    for who in whos:
        rows = tx.all(
            "select * from notification where who = :who and mail_at <= :now order by at, id limit :most",
            NotificationRow,
            who=who,
            now=tx.now,
            most=_MOST_IN_DIGEST,
        )
        told = [] if off else list(_told(visibility.as_member(tx, who), rows))
        kept = {row["id"] for row, _ in told}
        found.dropped.extend(row for row in rows if row["id"] not in kept)
        found.written.extend(_written(tx, who, told))
    return found


def _told(theirs: Read, rows: Sequence[NotificationRow]) -> Iterator[tuple[NotificationRow, Notification]]:
    """Those that are unread and seen, with the events that are to be mailed."""
    for row in rows:
        if queries.state_of(theirs, row) != "unread":
            continue
        by_mail = [event for event in entries.events_of(row) if event["mail"]]
        if not by_mail:
            continue
        only = NotificationRow(**{**row, "events": json.dumps(by_mail), "reason": entries.strongest(by_mail)})
        for entry in queries.shown(theirs, [only]):
            if entry["events"]:
                yield row, entry


def _written(
    tx: Read, member: str, told: Sequence[tuple[NotificationRow, Notification]]
) -> Iterator[WrittenLetter]:
    if not told:
        return
    if preferences.of_member(tx, member).digest == "off":
        for row, entry in told:
            yield WrittenLetter(member, letters.for_one(tx, member, entry), [row])
        return
    rows, shown = [row for row, _ in told], [entry for _, entry in told]
    yield WrittenLetter(member, letters.for_many(tx, member, shown), rows)


def write(tx: Write, found: DueLetters) -> None:
    """Queue those of which nothing was read meanwhile, and to which nothing came, and drop likewise: others are looked
    at again."""
    tx.execute(
        "update notification set mail_at = null where id in (select value from json_each(:ids))",
        ids=json_array(row["id"] for row in found.dropped if _is_still_so(tx, row)),
    )
    for one in found.written:
        if not all(_is_still_so(tx, row) for row in one.rows):
            continue
        mail.to_member(tx, one.member, one.letter)
        for row in one.rows:
            events = [event | {"mail": False} for event in entries.events_of(row)]
            tx.execute(
                "update notification set events = :events, mail_at = null where id = :id",
                events=json.dumps(events),
                id=row["id"],
            )


def _is_still_so(tx: Read, row: NotificationRow) -> bool:
    now = tx.stored("notification", [row["id"]])
    return now is not None and (now["events"], now["mail_at"]) == (row["events"], row["mail_at"])


MAIL = Chore(name="notifications.mail", home=__name__, look=look, write=write)
