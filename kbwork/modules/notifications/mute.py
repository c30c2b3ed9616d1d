"""Hear no more of an issue or a project, for a while or for good."""

from kbwork.base.errors import Conflict, InvalidInput
from kbwork.base.model import Input, Text, When
from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.core.operations.declare import write
from kbwork.core.things.thing import Subject, ref_of
from kbwork.db.tx import Read, Write, json_array
from kbwork.modules.notifications import entries
from kbwork.modules.notifications.model import Mute, Muted

MOST = 500
_KINDS = ("issue", "project", "space", "page")


class NotificationsMute(Input):
    subject: Text
    """An issue or project, such as `issue:WEB-1` or `project:WEB`."""
    on: bool
    """False: you hear of it again."""
    until: When | None = None
    """Until when, in Unix seconds; for good unless given."""


@write(
    "notifications.mute",
    scope="notifications:write",
    words="stop notifications of an issue, mute a project, silence, too many notifications, unmute, fewer like this",
    emits=[],
    undo="a subject is muted and heard of again by the same call",
    example={"subject": "issue:WEB-1", "on": True},
)
def mute(tx: Write, args: NotificationsMute) -> Muted:
    """Hear no more of an issue, or of all issues of a project. Answers all that you muted.

    You are told still where you are asked by name: when you are assigned or mentioned, and for an approval. What stands
    in the inbox already stays. You can mute 500 things (409).
    """
    found = named.seen(visibility.referred(tx, args.subject), "thing", args.subject)
    if found.kind not in _KINDS:
        raise InvalidInput("Issues and projects are muted.", field="subject", allowed=["issue", "project"])
    if args.until is not None and args.until <= tx.now:
        raise InvalidInput("A subject is muted until a time that is to come.", field="until")
    _take(tx, found.id)
    if args.on:
        _put(tx, found, args.until)
    return Muted(muted=muted(tx))


def muted(tx: Read) -> list[Mute]:
    """What the caller muted and sees, as it is called now."""
    rows = tx.all(
        "select subject, until from notification_mute where who = :who and (until is null or until > :now)"
        " order by at, subject",
        who=entries.inbox_of(tx.caller),
        now=tx.now,
    )
    seen = ((visibility.find(tx, row["subject"]), row["until"]) for row in rows)
    return [Mute(subject=found.id, until=until) for found, until in seen if found is not None]


def _put(tx: Write, found: Subject, until: int | None) -> None:
    """Raises Conflict where there are too many."""
    who = entries.inbox_of(tx.caller)
    tx.execute("delete from notification_mute where who = :who and until <= :now", who=who, now=tx.now)
    if tx.value("select count(*) from notification_mute where who = :who", who=who) >= MOST:
        raise Conflict(f"You can mute {MOST} things: hear of one again first.")
    project = None
    if found.kind == "project":
        project = tx.value("select id from project where key = :key", key=ref_of(found.id)[1])
    tx.execute(
        "insert into notification_mute (who, subject, project, until, at)"
        " values (:who, :subject, :project, :until, :now)",
        who=who,
        subject=found.id,
        project=project,
        until=until,
        now=tx.now,
    )


def _take(tx: Write, subject: str) -> None:
    tx.execute(
        "delete from notification_mute where who = :who and subject in (select value from json_each(:names))",
        who=entries.inbox_of(tx.caller),
        names=json_array(visibility.known_as(tx, subject)),
    )
