"""The follower: it puts what events say into inboxes."""

from collections.abc import Iterator
from typing import Any

from kbwork.base.dataclasses import dataclass, field
from kbwork.core import org_settings
from kbwork.core.access import visibility
from kbwork.core.events import feed
from kbwork.core.events.follower import EventFollower, EventsTaken
from kbwork.core.ports import mail
from kbwork.core.things.thing import ref_of
from kbwork.db.tx import Read, Row, Write, json_array
from kbwork.modules.notifications import entries, preferences
from kbwork.modules.notifications.entries import KeptEvent, Notice
from kbwork.modules.notifications.follow import hearers
from kbwork.modules.notifications.model import Reason

_AT_ONCE = 100
"""Of the events that one look passes, so many that are for somebody."""
_MOST_NOTICES = 500
"""Behind so many notices the rest waits for the next look, but for those of one event."""
_NAMED: tuple[Reason, ...] = ("approval", "assigned", "mentioned", "agent")
"""For these a muted subject is heard of: somebody is asked by name."""


@dataclass(frozen=True, slots=True)
class TakenBack:
    """Events of a subject that were taken back, by the undo of this number, whose comment is gone, or that ask for what
    was decided."""

    undo: int | None
    subject: str
    seqs: list[int]


@dataclass(slots=True)
class _Candidates:
    """Events with those who may hear of them."""

    rows: list[Row] = field(default_factory=list)
    payloads: dict[int, dict[str, Any]] = field(default_factory=dict)
    reasons: dict[int, dict[str, Reason]] = field(default_factory=dict)


Steps = list[TakenBack | Notice]
"""What is to be done, in the order of the events."""


def _take(tx: Read, after: int, until: int) -> EventsTaken[Steps]:
    """Who is to be told of what happened. Where nobody is, it may be looked at again."""
    if org_settings.module_off(tx, "notifications"):
        return EventsTaken(until, [], settled=False)
    rows = tx.all(
        f"select {feed.COLUMNS}, {feed.HEARD_BY} from events e where e.seq > :after and e.seq <= :until"
        " and e.kind in (select value from json_each(:kinds)) order by e.seq limit :most",
        after=after,
        until=until,
        kinds=json_array(hearers.kinds(tx)),
        most=_AT_ONCE,
    )
    if len(rows) == _AT_ONCE:
        until = rows[-1]["seq"]
    found = _candidates(tx, rows)
    if found.rows and found.rows[-1] is not rows[-1]:
        until = found.rows[-1]["seq"]
    steps = list(_steps(tx, found))
    return EventsTaken(until, steps, settled=bool(steps))


def _candidates(tx: Read, rows: list[Row]) -> _Candidates:
    found, number = _Candidates(), 0
    for row in rows:
        if number >= _MOST_NOTICES:
            break
        payload = feed.stored_payload(row["payload"])
        told = hearers.of(tx, row, payload) if row["kind"] != hearers.GONE else {}
        found.rows.append(row)
        found.payloads[row["seq"]], found.reasons[row["seq"]] = payload, told
        number += len(told)
    return found


def _steps(tx: Read, found: _Candidates) -> Iterator[TakenBack | Notice]:
    owners = _owners(tx, {who for told in found.reasons.values() for who in told})
    heard = _heard(tx, found, owners)
    for row in found.rows:
        seq, payload = row["seq"], found.payloads[row["seq"]]
        yield from _undone(tx, row, payload)
        for who, reason in found.reasons[seq].items():
            if who in owners and seq in heard[owners[who]]:
                event = _kept(row, reason)
                subject = hearers.place(row, payload)
                yield from notices(tx, (who, owners[who]), subject, event, undo=payload.get("undo"))


def _kept(row: Row, reason: Reason) -> KeptEvent:
    return KeptEvent(seq=row["seq"], kind=row["kind"], reason=reason, at=row["at"], mail=False, day=None)


def _owners(tx: Read, whos: set[str]) -> dict[str, str]:
    """Who is told -> the member whose sight counts; bare names and those who are gone are told nothing."""
    found = tx.tuples(
        "select m.id, m.id from member m where m.state = 'active' and m.id in (select value from json_each(:whos))"
        " union all select 'agent:' || a.name, a.owner from json_each(:whos) w"
        " join agent a on w.value glob 'agent:*' and a.name = substr(w.value, 7)"
        " join member m on m.id = a.owner and m.state = 'active'",
        whos=json_array(sorted(whos)),
    )
    return dict(found)


def _heard(tx: Read, found: _Candidates, owners: dict[str, str]) -> dict[str, set[int]]:
    """Member -> the events that they may hear of: each of them looks once."""
    asked: dict[str, list[Row]] = {}
    for row in found.rows:
        for member in {owners[who] for who in found.reasons[row["seq"]] if who in owners}:
            asked.setdefault(member, []).append(row)
    return {
        member: {row["seq"] for row in visibility.heard(visibility.as_member(tx, member), rows)}
        for member, rows in asked.items()
    }


def notices(
    tx: Read, whose: tuple[str, str], subject: str, event: KeptEvent, *, undo: int | None = None
) -> Iterator[Notice]:
    """The notice for somebody (who, and their member) who may hear of it, unless they will not."""
    who, member = whose
    wanted, reason = preferences.of_member(tx, member), event["reason"]
    if who == member and not wanted.channels[reason]:
        return
    if reason not in _NAMED and _muted(tx, who, subject):
        return
    person = who == member
    by_mail = person and wanted.wants(reason, "mail") and mail.sends(tx)
    by_push = person and wanted.wants(reason, "push") and _has_device(tx, member)
    yield Notice(
        who=who,
        member=member,
        subject=subject,
        event=KeptEvent(**{**event, "mail": by_mail}),
        mail_at=wanted.mail_at(tx.now) if by_mail else None,
        push_at=wanted.awake_at(tx.now) if by_push else None,
        undo=undo,
    )


def _muted(tx: Read, who: str, subject: str) -> bool:
    """Whether they muted it, or the project of the issue that it is."""

    def find() -> tuple[set[str], set[int]]:
        rows = tx.all(
            "select subject, project from notification_mute where who = :who and (until is null or until > :now)",
            who=who,
            now=tx.now,
        )
        return {row["subject"] for row in rows}, {
            row["project"] for row in rows if row["project"] is not None
        }

    subjects, projects = tx.memoized(("muted", who), find)
    if not subjects:
        return False
    kind, ref = ref_of(subject)
    if kind == "issue" and projects:
        return subject in subjects or _project_of(tx, int(ref)) in projects
    return subject in subjects


def _project_of(tx: Read, issue: int) -> int | None:
    found: int | None = tx.value("select project from issue where id = :id", id=issue)
    return found


def _has_device(tx: Read, member: str) -> bool:
    def find() -> bool:
        return tx.value("select 1 from push_device where member = :member limit 1", member=member) is not None

    found: bool = tx.memoized(("pushed to", member), find)
    return found


_OF_GONE = """
select e.subject, e.seq from event_about a join events e on e.seq = a.seq where a.what = :what
union
select subject, seq from events
  where subject = :subject and kind glob 'comment.*' and seq < :seq and payload = jsonb('{}')
"""
"""What was said of a comment, wherever it stood then, and of those that are purged already, or half."""


def _undone(tx: Read, row: Row, payload: dict[str, Any]) -> Iterator[TakenBack]:
    """The events that this one takes back."""
    if row["kind"] == hearers.GONE:
        said = tx.tuples(
            _OF_GONE, what=f"comment:{payload.get('comment')}", subject=row["subject"], seq=row["seq"]
        )
        for subject in dict.fromkeys(subject for subject, _ in said):
            yield TakenBack(None, subject, [seq for of, seq in said if of == subject])
    elif payload and row["kind"] in hearers.DECIDED:
        seqs = tx.column(
            "select seq from events where subject = :subject and kind = 'approval.requested' and seq < :seq"
            " and payload ->> '$.request' = :request",
            subject=row["subject"],
            seq=row["seq"],
            request=payload["request"],
        )
        yield TakenBack(None, hearers.place(row, payload), seqs)
    elif payload.get("undo") is not None:
        seqs = tx.column(
            "select e.seq from undo u join events e on e.seq between u.seq and u.last_seq"
            " where u.seq = :seq and e.subject = :subject",
            seq=payload["undo"],
            subject=row["subject"],
        )
        yield TakenBack(payload["undo"], hearers.place(row, payload), seqs)


def _tell(tx: Write, steps: Steps) -> None:
    """Put it into the inboxes. Who never read of something does not hear that it was undone."""
    touched: set[str] = set()
    spared: set[tuple[int | None, str]] = set()
    for step in steps:
        if isinstance(step, TakenBack):
            lost = entries.take_out(tx, step.subject, step.seqs)
            touched |= lost
            spared |= {(step.undo, who) for who in lost}
        elif step.undo is None or (step.undo, step.who) not in spared:
            entries.note(tx, step)
            touched.add(step.who)
    entries.make_room(tx, touched)
    entries.changed(tx, touched)


FOLLOWER = EventFollower(name="notifications", home=__name__, take=_take, tell=_tell)
FOLLOW = FOLLOWER.chore()
