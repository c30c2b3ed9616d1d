"""Who gets a view by mail, and when."""

import json
from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import Conflict, InvalidInput, NotAllowed
from kbwork.base.model import Id, Input, Text
from kbwork.core import named, zones
from kbwork.core.access import visibility
from kbwork.core.operations.declare import write
from kbwork.core.ports import mail
from kbwork.db.rows import MemberRow, ViewRow
from kbwork.db.tx import Read, Write
from kbwork.modules import members
from kbwork.modules.views import access, queries
from kbwork.modules.views.model import Every, Subscription, TimeOfDay, Weekday
from kbwork.modules.views.subscriptions import due_times

MOST = 200
"""Those who get one view."""
MOST_EACH = 100
"""Views that one member gets."""
_MORNING = "08:00"


class ViewsSubscribe(Input):
    id: Id
    """Id of the view."""
    every: Every
    """`change`: when the result is another one, every 15 minutes at most; `daily` and `weekly`: by the clock; `off`:
    no more."""
    at: TimeOfDay | None = None
    """For `daily` and `weekly`: the time, in the zone of whoever gets it; 08:00 unless given."""
    days: Annotated[list[Weekday], Field(min_length=1, max_length=7)] | None = None
    """For `daily` and `weekly`: the days, 1 is Monday; all unless given, and Monday for `weekly`."""
    for_: Annotated[list[Text] | None, Field(alias="for", min_length=1, max_length=100)] = None
    """Members by id, `me`, `@handle` or address; you unless given."""


@write(
    "views.subscribe",
    scope="boards:write",
    words=(
        "email me a list, weekly report by mail, mail every monday, send the list daily, "
        "digest of a view, scheduled report, alert me when a list changes, regular mail"
    ),
    emits=[],
    undo="a subscription is set anew by the same call",
    example={"id": 1, "every": "off"},
)
def subscribe(tx: Write, args: ViewsSubscribe) -> list[Subscription]:
    """Have the rows of a view mailed, as each who gets them sees them then. Answers the subscriptions that you may see.

    Everybody subscribes themselves to what they see. Others are subscribed by its owner, by leads of the project that
    it is on, and by admins where it is shared (403); each of them sees it, is active and no guest, and has an address
    (422), and ends it when they like. It ends by itself for whoever leaves or sees the view no more. A time at which
    the server was down is made up for once.

    A server that sends no mail refuses all but `off` (409). One view goes to 200 people at most, and one member gets
    100 (409).
    """
    row = access.view(tx, args.id)
    who = _receivers(tx, args)
    if any(member["id"] != tx.caller.member for member in who) and not access.may_subscribe_others(tx, row):
        raise NotAllowed(
            "Others are subscribed by who keeps the view: its owner, leads, admins for a shared one."
        )
    if args.every in ("off", "change") and (args.at is not None or args.days is not None):
        raise InvalidInput(
            f"`at` and `days` are for `daily` and `weekly`, not for `{args.every}`.", field="at"
        )
    if args.every == "off":
        for member in who:
            tx.execute(
                "delete from view_subscription where view = :view and member = :member",
                view=row["id"],
                member=member["id"],
            )
        return queries.subscriptions(tx, row)
    if not mail.sends(tx):
        raise Conflict(
            "This server sends no mail: an admin names a server by mail.sender_set, or its operator as mail.host."
        )
    for place, member in enumerate(who):
        _require_reached(tx, row, member, f"for[{place}]" if args.for_ else "id")
        _put(tx, row, member, args)
    _require_room(tx, row)
    return queries.subscriptions(tx, row)


def _receivers(tx: Read, args: ViewsSubscribe) -> list[MemberRow]:
    """Members, each once."""
    asked = args.for_ or ["me"]
    found = [members.by_ref(tx, ref, field=f"for[{place}]") for place, ref in enumerate(asked)]
    return list({member["id"]: member for member in found}.values())


def _require_reached(tx: Read, row: ViewRow, member: MemberRow, field: str) -> None:
    """Raises InvalidInput for a member to whom it cannot be mailed."""
    name = member["name"]
    if member["state"] != "active" or member["role"] == "guest":
        raise InvalidInput(
            f"{name} is a guest, or not active: views are mailed to active members.", field=field
        )
    if not mail.reaches(member["email"]):
        raise InvalidInput(f"{name} has no address that mail can go to.", field=field)
    if receiver(tx, row["id"], member["id"]) is None:
        raise InvalidInput(f"{name} does not see this view.", field=field)


def receiver(tx: Read, view: int, member: str) -> Read | None:
    """The data as this member sees them, where they are at work here and see the view."""
    seen = visibility.as_member(tx, member)
    if seen.caller.role == "anonymous" or seen.caller.guest or access.find(seen, view) is None:
        return None
    return seen


def _put(tx: Write, row: ViewRow, member: MemberRow, args: ViewsSubscribe) -> None:
    minute, days = _clock(args)
    zone = zones.of_caller(visibility.as_member(tx, member["id"]))
    following = tx.now if minute is None else zones.following(tx.now, minute, days, zone)
    columns: dict[str, Any] = {
        "view": row["id"],
        "member": member["id"],
        "every": args.every,
        "minute": minute,
        "days": json.dumps(days),
    }
    before = tx.stored("view_subscription", [row["id"], member["id"]])
    if before is not None and not named.diff(before, columns):
        return
    tx.execute(
        "insert into view_subscription (view, member, every, minute, days, next_at) values (:view, :member, :every,"
        " :minute, :days, :next) on conflict (view, member) do update set every = :every, minute = :minute,"
        " days = :days, next_at = :next",
        next=following,
        **columns,
    )
    tx.wake()


def _clock(args: ViewsSubscribe) -> tuple[int | None, list[int]]:
    """The minute of the day, and the days."""
    if args.every == "change":
        return None, []
    hours, _, minutes = (args.at or _MORNING).partition(":")
    usual = due_times.DAYS if args.every == "daily" else (1,)
    return int(hours) * 60 + int(minutes), sorted(set(args.days or usual))


def _require_room(tx: Read, row: ViewRow) -> None:
    """Raises Conflict where more people get the view, or somebody more views, than may."""
    there = tx.value("select count(*) from view_subscription where view = :view", view=row["id"])
    if there > MOST:
        raise Conflict(f"A view is mailed to {MOST} people at most.")
    full = tx.value(
        "select m.name from view_subscription s join member m on m.id = s.member where s.member in"
        " (select member from view_subscription where view = :view) group by s.member having count(*) > :most",
        view=row["id"],
        most=MOST_EACH,
    )
    if full is not None:
        raise Conflict(f"{full} gets {MOST_EACH} views by mail: end one first.")
