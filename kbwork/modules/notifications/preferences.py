"""How somebody wants to hear, as it is kept, and when a letter or a push may go to them."""

import datetime
import json
import zoneinfo

from kbwork.base.dataclasses import dataclass
from kbwork.core import zones
from kbwork.core.access import visibility
from kbwork.db.rows import NotificationSettingRow
from kbwork.db.tx import Read
from kbwork.modules.notifications.model import CHANNELS, REASONS, Channel, Digest, Reason

_DIRECT: list[Channel] = ["inbox", "mail", "push"]
USUAL: dict[Reason, list[Channel]] = dict.fromkeys(REASONS, _DIRECT) | {"watching": ["inbox"]}
"""What is asked of somebody is mailed and pushed; what they merely watch stands in the inbox."""
USUAL_DELAY_MINUTES = 10
MORNING = 8 * 60
USUAL_DUE_BEFORE = [1]
EVERY_DAY = range(1, 8)
_MONDAY = (1,)


@dataclass(frozen=True, slots=True)
class QuietTime:
    """Minutes of the day from and to, and the weekdays on which it begins."""

    begin: int
    end: int
    days: frozenset[int]


@dataclass(frozen=True, slots=True)
class InboxPreferences:
    """What one member wants, and their zone."""

    channels: dict[Reason, list[Channel]]
    digest: Digest
    digest_minute: int
    quiet: QuietTime | None
    due_before: list[int]
    delay_minutes: int
    zone: zoneinfo.ZoneInfo

    def wants(self, reason: Reason, channel: Channel) -> bool:
        return channel in self.channels[reason]

    def mail_at(self, now: int) -> int:
        """When a letter about what happens now goes."""
        if self.digest != "off":
            return zones.following(
                now, self.digest_minute, EVERY_DAY if self.digest == "daily" else _MONDAY, self.zone
            )
        return self.awake_at(now + self.delay_minutes * 60)

    def awake_at(self, moment: int) -> int:
        """This moment, or the end of the quiet time that it falls into."""
        quiet = self.quiet
        if quiet is None:
            return moment
        local = datetime.datetime.fromtimestamp(moment, self.zone)
        minute = local.hour * 60 + local.minute
        over_night = quiet.end <= quiet.begin
        today = (
            local.isoweekday() in quiet.days and quiet.begin <= minute and (over_night or minute < quiet.end)
        )
        yesterday = over_night and (local.isoweekday() - 2) % 7 + 1 in quiet.days and minute < quiet.end
        if not (today or yesterday):
            return moment
        return zones.following(moment, quiet.end % (24 * 60), EVERY_DAY, self.zone)


def of_member(tx: Read, member: str) -> InboxPreferences:
    """Those in force of a member; each is looked up once in a call."""

    def find() -> InboxPreferences:
        return _from_row(tx.stored("notification_setting", [member]), _zone(tx, member))

    found: InboxPreferences = tx.memoized(("notification preferences", member), find)
    return found


def _zone(tx: Read, member: str) -> zoneinfo.ZoneInfo:
    return zones.of_caller(visibility.as_member(tx, member))


def _from_row(row: NotificationSettingRow | None, zone: zoneinfo.ZoneInfo) -> InboxPreferences:
    if row is None:
        return InboxPreferences(USUAL, "off", MORNING, None, USUAL_DUE_BEFORE, USUAL_DELAY_MINUTES, zone)
    digest: Digest = row["digest"]
    return InboxPreferences(
        channels=USUAL | json.loads(row["channels"]),
        digest=digest,
        digest_minute=row["digest_minute"],
        quiet=_quiet(row["quiet"]),
        due_before=[days for days in json.loads(row["due_before"]) if days >= 0],
        delay_minutes=row["delay_minutes"],
        zone=zone,
    )


def _quiet(stored: str | None) -> QuietTime | None:
    if stored is None:
        return None
    begin, end, days = json.loads(stored)
    return QuietTime(begin, end, frozenset(days))


def with_late(days: list[int]) -> list[int]:
    """The days before a date, and the day behind it (-1), as they are kept; none for who will not be told."""
    return [*days, -1] if days else []


def ordered(channels: list[Channel]) -> list[Channel]:
    """Each once, in their order; what is told by any other way stands in the inbox, too."""
    wanted = {*channels, "inbox"} if channels else set()
    return [one for one in CHANNELS if one in wanted]
