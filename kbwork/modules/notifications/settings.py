"""How somebody wants to hear: by which way, when, and of what."""

import json
from typing import Annotated, Any

from pydantic import Field

from kbwork.base.model import Empty, Input, Int, Text
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read, write
from kbwork.db.tx import Read, Write
from kbwork.modules.notifications import mute, preferences
from kbwork.modules.notifications.model import (
    Channel,
    ClockTime,
    DayOfWeek,
    Digest,
    NotificationSettings,
    PushDevice,
    Reason,
)
from kbwork.modules.notifications.preferences import InboxPreferences
from kbwork.modules.notifications.push import devices
from kbwork.modules.projects import access

DueDays = Annotated[Int, Field(ge=0, le=30)]


@read(
    "notifications.settings",
    scope="notifications:read",
    words="how am I notified, mail preferences, digest settings, quiet hours, muted things, push devices",
    cached=False,
    example={},
)
def settings(tx: Read, _: Empty) -> NotificationSettings:
    """Look at how you are told of things. Keys and agents are shown their owner's, and what they muted themselves."""
    return shown(tx)


class QuietHours(Input):
    """When no mail and no push comes."""

    from_: Annotated[ClockTime, Field(alias="from")]
    """From this time of the day on, in the zone of your profile."""
    to: ClockTime
    """Up to this time; of the next day where it is not later."""
    days: Annotated[list[DayOfWeek], Field(min_length=1, max_length=7)] | None = None
    """Days on which it begins, 1 is Monday; all unless given."""


class NotificationsSettingsSet(Input):
    channels: dict[Reason, Annotated[list[Channel], Field(max_length=4)]] | None = None
    """Reason to its ways: `inbox`, `mail`, `push`, `chat`. `[]`: not at all; any way stands in the inbox, too."""
    digest: Digest | None = None
    """`daily` or `weekly`: one letter with all that would be mailed; `off`: a letter for each subject."""
    digest_at: ClockTime | None = None
    """When the digest comes, and dates that are near, as `08:00` in the zone of your profile."""
    quiet: QuietHours | None = None
    """When no mail and no push comes: it waits for the end of that. Null: they always may."""
    due_before_days: Annotated[list[DueDays], Field(max_length=10)] | None = None
    """So many days before an issue of yours is due you are told, and the day after; `[]`: never."""
    own_projects: Annotated[list[Text], Field(max_length=100)] | None = None
    """Keys of projects of which you hear as if you watched each issue, new ones too."""
    delay_minutes: Annotated[Int, Field(ge=0, le=1440)] | None = None
    """So long a letter waits for what you read in the inbox meanwhile."""


@write(
    "notifications.settings_set",
    scope="notifications:write",
    words="turn off mails, stop emails, fewer mails, daily digest, do not disturb, mail me when I am mentioned",
    emits=[],
    people="people",
    undo="settings are set anew",
    example={"channels": {"watching": ["inbox"]}, "digest": "daily", "digest_at": "07:30"},
)
def settings_set(tx: Write, args: NotificationsSettingsSet) -> NotificationSettings:
    """Change how you are told of things; what is not named stays as it is. Agents do not change it (403).

    What waits to be mailed follows the new settings. Mail needs a server that sends it, `push` a browser of yours
    (notifications.push_add); `chat` has no effect until a chat is connected. An unknown project is 404.
    """
    me = tx.caller.me()
    before = preferences.of_member(tx, me)
    _keep(tx, me, _columns(before, args))
    if args.own_projects is not None:
        _keep_projects(tx, me, args.own_projects)
    tx.memo.clear()
    _put_off(tx, me, before, preferences.of_member(tx, me))
    return shown(tx)


def shown(tx: Read) -> NotificationSettings:
    """Those in force of the caller."""
    me = tx.caller.me()
    wanted = preferences.of_member(tx, me)
    quiet = wanted.quiet
    devices.want_key(tx)
    return NotificationSettings(
        channels=wanted.channels,
        digest=wanted.digest,
        digest_at=clock(wanted.digest_minute),
        quiet=None
        if quiet is None
        else {"from": clock(quiet.begin), "to": clock(quiet.end), "days": sorted(quiet.days)},
        due_before_days=wanted.due_before,
        own_projects=tx.column(
            "select p.key from notification_project n join project p on p.id = n.project"
            f" where n.member = :me and {access.SEEN} order by p.key",
            me=me,
            **visibility.binds(tx),
        ),
        delay_minutes=wanted.delay_minutes,
        muted=mute.muted(tx),
        devices=[
            PushDevice(device=row["device"], added_at=row["added_at"])
            for row in tx.all(
                "select device, added_at from push_device where member = :me order by added_at, id", me=me
            )
        ],
        push_key=tx.value("select public from push_server"),
    )


def clock(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"


def _minute(text: str) -> int:
    hours, _, minutes = text.partition(":")
    return int(hours) * 60 + int(minutes)


def _columns(before: InboxPreferences, args: NotificationsSettingsSet) -> dict[str, Any]:
    """All of a row, changed where something is named."""
    channels: dict[str, list[Channel]] = {
        reason: preferences.ordered(ways) for reason, ways in (args.channels or {}).items()
    }
    own = before.channels | channels
    quiet = _quiet(args.quiet) if args.given("quiet") else _kept_quiet(before)
    due = before.due_before if args.due_before_days is None else sorted(set(args.due_before_days))
    return {
        "channels": json.dumps({name: ways for name, ways in own.items() if ways != preferences.USUAL[name]}),  # type: ignore[index]  # it is a reason
        "digest": args.digest or before.digest,
        "digest_minute": before.digest_minute if args.digest_at is None else _minute(args.digest_at),
        "quiet": quiet,
        "due_before": json.dumps(preferences.with_late(due)),
        "delay_minutes": before.delay_minutes if args.delay_minutes is None else args.delay_minutes,
    }


def _quiet(asked: QuietHours | None) -> str | None:
    if asked is None:
        return None
    days = sorted(set(asked.days or preferences.EVERY_DAY))
    return json.dumps([_minute(asked.from_), _minute(asked.to), days])


def _kept_quiet(before: InboxPreferences) -> str | None:
    quiet = before.quiet
    return None if quiet is None else json.dumps([quiet.begin, quiet.end, sorted(quiet.days)])


def _keep(tx: Write, member: str, columns: dict[str, Any]) -> None:
    names = ", ".join(columns)
    values = ", ".join(f":{name}" for name in columns)
    put = ", ".join(f"{name} = :{name}" for name in columns)
    tx.execute(
        f"insert into notification_setting (member, {names}) values (:member, {values})"
        f" on conflict (member) do update set {put}",
        member=member,
        **columns,
    )


def _keep_projects(tx: Write, member: str, keys: list[str]) -> None:
    """Raises NotFound for one that the caller does not see."""
    wanted = dict.fromkeys(access.project(tx, key)["id"] for key in keys)
    tx.execute("delete from notification_project where member = :me", me=member)
    for project in wanted:
        tx.execute("insert into notification_project values (:me, :project)", me=member, project=project)


def _put_off(tx: Write, member: str, before: InboxPreferences, after: InboxPreferences) -> None:
    """What waits to be mailed goes when the new settings say, or not at all."""
    if before == after:
        return
    tx.execute(
        "update notification set mail_at = :at where who = :who and mail_at is not null",
        at=after.mail_at(tx.now),
        who=member,
    )


def turn(tx: Write, member: str, reason: Reason | None, *, on: bool) -> None:
    """Turn the mail for a reason off or on again, or for every reason where none is named. Twice is no change."""
    before = preferences.of_member(tx, member)
    named = before.channels.keys() if reason is None else [reason]
    channels = dict(before.channels)
    for one in named:
        usual = on and (reason is not None or "mail" in preferences.USUAL[one])
        ways: list[Channel] = [way for way in channels[one] if way != "mail"]
        channels[one] = preferences.ordered([*ways, "mail"] if usual else ways)
    _keep(tx, member, _columns(before, NotificationsSettingsSet(channels=channels)))
    tx.memo.clear()
