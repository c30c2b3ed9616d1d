"""A team's rota, and who stands in."""

import datetime
import json
import zoneinfo
from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import InvalidInput, NotAllowed
from kbwork.base.model import Day, Id, Input, Int, Text, When
from kbwork.core import named
from kbwork.core.operations.declare import read, write
from kbwork.db.rows import RotaOverrideRow, RotaRow, TeamRow
from kbwork.db.tx import Read, Write
from kbwork.modules import members
from kbwork.modules.teams import queries
from kbwork.modules.teams.model import ADMINS, Level, Rota, Shift, TeamRotaSaved
from kbwork.modules.teams.shifts import ShiftSpan, Turns, laid_out, stood_in

MOST_DAYS = 366
DAY_S = 86400
_AHEAD_S = 28 * DAY_S


class LevelInput(Input):
    members: Annotated[list[Text], Field(min_length=1, max_length=100)]
    """Who takes turns, in this order: active members of the team."""
    handover: Annotated[str, Field(pattern=r"^(mon|tue|wed|thu|fri|sat|sun) ([01][0-9]|2[0-3]):[0-5][0-9]$")]
    """Weekday and time at which turns change, such as `mon 09:00`."""
    weeks: Annotated[Int, Field(ge=1, le=52)]
    """How long a turn is."""
    hours: (
        Annotated[str, Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]|24):[0-5][0-9]$")]
        | None
    ) = None
    """The hours of each day, such as `09:00-17:00`; an end at or before the start is on the next day. Null: all day."""


class TeamsRotaSave(Input):
    id: Id
    """Id of the team."""
    levels: Annotated[list[LevelInput], Field(max_length=10)]
    """Who is asked first, second, ...; none takes the rota away."""
    zone: members.Zone
    """The time zone of handovers and hours."""
    escalate_minutes: Annotated[Int, Field(ge=1, le=10_080)] | None = None
    """After how long the next level is asked; null: never by itself."""


@write(
    "teams.rota_save",
    scope="members:write",
    words="set up on-call, change the rotation, escalation, define shifts, handover time",
    emits=[TeamRotaSaved],
    example={
        "id": 1,
        "levels": [{"members": ["@ana", "@di"], "handover": "mon 09:00", "weeks": 1}],
        "zone": "Europe/Berlin",
        "escalate_minutes": 15,
    },
)
def rota_save(tx: Write, args: TeamsRotaSave) -> Rota:
    """Set a team's rota as a whole. For its leads and admins. Answers it with the shifts of the next four weeks.

    The turn of the first of each level began with the last handover before now. Times are those of the zone, also
    where the clock changes. People who are not active members of the team are 422; who leaves later is passed over.
    """
    team = rota_team(tx, args.id)
    queries.require_lead(tx, team)
    levels = [_level(tx, team, number, level) for number, level in enumerate(args.levels)]
    before = tx.one("select * from rota where team = :team", RotaRow, team=team["id"])
    columns = {
        "levels": json.dumps(levels, ensure_ascii=False),
        "zone": args.zone,
        "escalate_minutes": args.escalate_minutes,
    }
    if before is None and levels:
        tx.insert("rota", team=team["id"], since=tx.now, **columns)
    elif before is not None and not levels:
        tx.delete("rota", team["id"])
    elif before is not None and named.diff(before, columns):
        tx.update("rota", team["id"], since=tx.now, **columns)
    else:
        return _shown(tx, team["id"], tx.now, tx.now + _AHEAD_S)
    tx.emit(
        TeamRotaSaved(subject=f"team:{team['id']}", payload={"name": team["name"], "levels": len(levels)})
    )
    return _shown(tx, team["id"], tx.now, tx.now + _AHEAD_S)


class TeamsRota(Input):
    id: Id
    """Id of the team."""
    from_: Day = Field(alias="from")
    """The first day, `YYYY-MM-DD`."""
    to: Day
    """The last day, inclusive; at most 366 days."""


@read(
    "teams.rota",
    scope="members:read",
    words="on-call schedule, shifts, rotation, when am I on call, roster, duty plan, next shift",
    example={"id": 1, "from": "2026-11-01", "to": "2026-11-30"},
)
def rota(tx: Read, args: TeamsRota) -> Rota:
    """Look at a team's rota with the shifts of some days (of the rota's zone). Without a rota: no levels, no shifts."""
    team = rota_team(tx, args.id)
    zone = zoneinfo.ZoneInfo(tx.value("select zone from rota where team = :team", team=team["id"]) or "UTC")
    first, last = datetime.date.fromisoformat(args.from_), datetime.date.fromisoformat(args.to)
    if last < first or (last - first).days >= MOST_DAYS:
        raise InvalidInput(f"`to` lies behind `from`, by at most {MOST_DAYS} days.", field="to")
    if not 1970 < first.year <= last.year < 9999:
        raise InvalidInput("A rota is looked at between 1971 and 9998.", field="from")
    return _shown(tx, team["id"], _midnight(first, zone), _midnight(last + datetime.timedelta(days=1), zone))


class TeamsRotaOverride(Input):
    id: Id
    """Id of the team."""
    member: Text
    """Who stands in."""
    from_: When = Field(alias="from")
    """When they begin, in Unix seconds."""
    to: When
    """Unix seconds, exclusive; at most 366 days later."""
    level: Annotated[Int, Field(ge=1, le=10)] | None = None
    """1 unless given."""


@write(
    "teams.rota_override",
    scope="members:write",
    words=(
        "swap a shift, cover for somebody, stand in, substitute, replace on call, "
        "take over the on-call shift, sick"
    ),
    emits=[TeamRotaSaved],
    example={"id": 1, "member": "@di", "from": 1800000000, "to": 1800086400},
)
def rota_override(tx: Write, args: TeamsRotaOverride) -> Rota:
    """Let somebody stand in for a time. For the team's leads and admins; its members may take a shift on themselves.

    Where two overlap, the later call wins. A level that the rota does not have, somebody who is no active member of
    the team, and times that do not fit are 422. Answers the rota with the shifts of that time.
    """
    team = rota_team(tx, args.id)
    member = _active(tx, team, args.member, "member")
    if member != tx.caller.member and not queries.leads(tx, team["id"]):
        raise NotAllowed(
            f"Leads of {team['name']} and admins say who stands in; members take shifts on themselves."
        )
    if not args.from_ < args.to <= args.from_ + MOST_DAYS * DAY_S:
        raise InvalidInput(f"`to` lies behind `from`, by at most {MOST_DAYS} days.", field="to")
    level = args.level or 1
    known = tx.value("select json_array_length(levels) from rota where team = :team", team=team["id"]) or 0
    if level > known:
        raise InvalidInput(
            f"The rota of {team['name']} has no level {level}.",
            field="level",
            allowed=list(range(1, known + 1)),
        )
    columns = {"level": level, "member": member, "from_at": args.from_, "to_at": args.to}
    tx.insert("rota_override", team=team["id"], **columns)
    told = {"level": level, "member": member, "from": args.from_, "to": args.to}
    tx.emit(TeamRotaSaved(subject=f"team:{team['id']}", payload={"name": team["name"], "override": told}))
    return _shown(tx, team["id"], args.from_, args.to)


def rota_team(tx: Read, team: int) -> TeamRow:
    if team == ADMINS and not tx.caller.guest:
        raise InvalidInput("The admins have no rota: make a team for it.", field="id")
    return queries.get(tx, team)


def _level(tx: Read, team: TeamRow, number: int, level: LevelInput) -> Level:
    people = [_active(tx, team, ref, f"levels[{number}].members") for ref in level.members]
    return Level(members=people, handover=level.handover, weeks=level.weeks, hours=level.hours)


def _active(tx: Read, team: TeamRow, ref: str, field: str) -> str:
    row = members.by_ref(tx, ref, field=field)
    if row["id"] not in _people(tx, team["id"]):
        raise InvalidInput(f"{row['name']} is no active member of {team['name']}.", field=field)
    return str(row["id"])


def _people(tx: Read, team: int) -> set[str]:
    """The active members of a team."""
    return set(
        tx.column(
            "select m.id from team_member t join member m on m.id = t.member"
            " where t.team = :team and m.state = 'active'",
            team=team,
        )
    )


def _shown(tx: Read, team: int, from_at: int, to_at: int) -> Rota:
    row = tx.one("select * from rota where team = :team", RotaRow, team=team)
    levels: list[Level] = json.loads(row["levels"]) if row is not None else []
    shifts: list[Any] = [
        {"level": s.level, "member": s.member, "from": s.from_at, "to": s.to_at, "override": s.override}
        for s in rota_spans(tx, team, from_at, to_at)
    ]
    typed: list[Shift] = shifts
    return Rota(
        team=team,
        levels=levels,
        shifts=typed,
        escalate_minutes=row["escalate_minutes"] if row is not None else None,
    )


def rota_spans(tx: Read, team: int, from_at: int, to_at: int) -> list[ShiftSpan]:
    """Who is on call in this time, by level; people who left are passed over."""
    row = tx.one("select * from rota where team = :team", RotaRow, team=team)
    if row is None:
        return []
    people = _people(tx, team)
    levels: list[Level] = json.loads(row["levels"])
    spans: list[ShiftSpan] = []
    for number, level in enumerate(levels, 1):
        there = tuple(member for member in level["members"] if member in people)
        turns = Turns(
            number, there, level["handover"], level["weeks"], level["hours"], row["since"], row["zone"]
        )
        spans += laid_out(turns, from_at, to_at)
    others = [
        ShiftSpan(o["level"], o["member"], max(o["from_at"], from_at), min(o["to_at"], to_at), override=True)
        for o in tx.all(
            "select * from rota_override where team = :team and to_at > :from_at and from_at < :to_at order by id",
            RotaOverrideRow,
            team=team,
            from_at=from_at,
            to_at=to_at,
        )
        if o["member"] in people and o["level"] <= len(levels)
    ]
    return stood_in(spans, others)


def _midnight(day: datetime.date, zone: zoneinfo.ZoneInfo) -> int:
    return int(datetime.datetime.combine(day, datetime.time(), zone).timestamp())
