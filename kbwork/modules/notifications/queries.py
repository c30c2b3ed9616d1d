"""The caller's inbox, as far as they see what its entries are about."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from kbwork.base.errors import NotFound
from kbwork.core.access import visibility
from kbwork.core.events import feed
from kbwork.db.rows import NotificationRow
from kbwork.db.tx import Read, Row, json_array
from kbwork.modules.notifications import entries, summaries
from kbwork.modules.notifications.model import (
    Notification,
    NotificationCount,
    NotificationEvent,
    State,
)

_STATES = {
    "unread": entries.UNREAD,
    "snoozed": "n.state = 'unread' and n.snoozed_until > :now",
    "archived": "n.state = 'archived'",
    "all": "n.state <> 'archived' and :now > 0",
}
_CHUNK = 200


def visible(tx: Read, rows: Sequence[NotificationRow]) -> list[NotificationRow]:
    """Those of what the caller sees now."""
    seen = visibility.fitting(tx, {row["subject"] for row in rows}, lambda kind: kind.seen)
    return [row for row in rows if row["subject"] in seen]


def page(
    tx: Read, state: str, where: dict[str, Any], after: list[Any] | None, limit: int
) -> list[NotificationRow]:
    """So many entries behind a place (when, id), the newest first. `where` are columns and what they must be."""
    found: list[NotificationRow] = []
    at, ident = after if after is not None else (1 << 53, 1 << 53)
    asked = "".join(f" and n.{name} = :{name}" for name in where)
    while len(found) < limit:
        rows = tx.all(
            f"select n.* from notification n where n.who = :who and (n.at, n.id) < (:at, :id) and {_STATES[state]}"
            f"{asked} order by n.at desc, n.id desc limit {_CHUNK}",
            NotificationRow,
            who=entries.inbox_of(tx.caller),
            at=at,
            id=ident,
            now=tx.now,
            **where,
        )
        found += visible(tx, rows)
        if len(rows) < _CHUNK:
            break
        at, ident = rows[-1]["at"], rows[-1]["id"]
    return found[:limit]


def count(tx: Read) -> NotificationCount:
    """How much is unread and awake."""
    rows = tx.all(
        f"select n.* from notification n where n.who = :who and {entries.UNREAD}",
        NotificationRow,
        who=entries.inbox_of(tx.caller),
        now=tx.now,
    )
    answer = NotificationCount(unread=0, by_reason={})
    for row in visible(tx, rows):
        reason = row["reason"]
        answer["unread"] += 1
        answer["by_reason"][reason] = answer["by_reason"].get(reason, 0) + 1  # type: ignore[index, call-overload]  # as it was put in
    return answer


def unread(tx: Read) -> int:
    return count(tx)["unread"]


def own(tx: Read, ids: Collection[int]) -> list[NotificationRow]:
    """These entries of the caller. Raises NotFound naming one that is not theirs, or on what they do not see."""
    rows = tx.all(
        "select * from notification where who = :who and id in (select value from json_each(:ids))",
        NotificationRow,
        who=entries.inbox_of(tx.caller),
        ids=json_array(ids),
    )
    by_id = {row["id"]: row for row in visible(tx, rows)}
    for ident in ids:
        if ident not in by_id:
            raise NotFound(f"You have no notification {ident}; notifications.list shows them.")
    return [by_id[ident] for ident in dict.fromkeys(ids)]


def on(tx: Read, ref: str) -> NotificationRow | None:
    """The caller's entry on the thing that a reference names; None where there is none, or they do not see it."""
    found = visibility.referred(tx, ref)
    if found is None:
        return None
    return tx.one(
        "select * from notification where who = :who and subject in (select value from json_each(:names))",
        NotificationRow,
        who=entries.inbox_of(tx.caller),
        names=json_array(visibility.known_as(tx, found.id)),
    )


def shown(tx: Read, rows: Sequence[NotificationRow]) -> list[Notification]:
    """As the shape has them, each with what the caller may hear of its events now."""
    told = _heard(tx, {event["seq"] for row in rows for event in entries.events_of(row) if event["seq"]})
    return [one for row in rows for one in _shown(tx, row, told)]


def _heard(tx: Read, seqs: Collection[int]) -> dict[int, Row]:
    rows = tx.all(
        f"select {feed.COLUMNS}, {feed.HEARD_BY} from events e where e.seq in (select value from json_each(:seqs))",
        seqs=json_array(sorted(seqs)),
    )
    return {row["seq"]: row for row in visibility.heard(tx, rows)}


def _shown(tx: Read, row: NotificationRow, told: dict[int, Row]) -> Iterator[Notification]:
    subject = visibility.find(tx, row["subject"])
    if subject is None:
        return
    yield Notification(
        id=row["id"],
        subject=subject.id,
        title=subject.title,
        reason=row["reason"],  # type: ignore[typeddict-item]  # as it was put in
        events=[one for event in entries.events_of(row) for one in _event(tx, event, told)],
        state=state_of(tx, row),
        snoozed_until=row["snoozed_until"] if state_of(tx, row) == "snoozed" else None,
        at=row["at"],
        path=subject.path,
    )


def _event(tx: Read, event: entries.KeptEvent, told: dict[int, Row]) -> Iterator[NotificationEvent]:
    if event["seq"] is None:
        yield NotificationEvent(
            seq=None, kind=event["kind"], actor="system", at=event["at"], summary=summaries.of_day(event)
        )
        return
    row = told.get(event["seq"])
    if row is not None:
        yield NotificationEvent(
            seq=row["seq"],
            kind=row["kind"],
            actor=row["actor"],
            at=row["at"],
            summary=summaries.of_event(tx, row["kind"], feed.payload(tx, row), event["reason"]),
        )


def state_of(tx: Read, row: NotificationRow) -> State:
    """Where it stands at this moment."""
    if row["state"] == "unread" and (row["snoozed_until"] or 0) > tx.now:
        return "snoozed"
    found: State = row["state"]
    return found
