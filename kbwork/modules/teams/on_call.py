"""Who of a team is on call now."""

from kbwork.base.model import Id, Input, When
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read
from kbwork.db.tx import Read
from kbwork.modules import members
from kbwork.modules.teams.model import OnCall
from kbwork.modules.teams.rota import DAY_S, rota_spans, rota_team
from kbwork.modules.teams.shifts import ShiftSpan


class TeamsOnCall(Input):
    team: Id | None = None
    """One team; left out: every team that you see."""
    at: When | None = None
    """Unix seconds; now unless given."""


@read(
    "teams.on_call",
    scope="members:read",
    words="who is on call, on duty, pager, who to call at night, standby, tonight, whom to wake",
    cached=False,
    example={"team": 1},
)
def on_call(tx: Read, args: TeamsOnCall) -> list[OnCall]:
    """Say who is on call at a moment, by team and level, and until when (at most 53 weeks are looked ahead).

    A level with nobody at that moment, such as outside its hours, is left out.
    """
    at = args.at if args.at is not None else tx.now
    if args.team is not None:
        teams = [rota_team(tx, args.team)["id"]]
    else:
        teams = tx.column(
            f"select t.id from team t join rota r on r.team = t.id where {members.TEAM_SEEN} order by lower(t.name)",
            **visibility.binds(tx),
        )
    return [
        OnCall(team=team, level=span.level, member=span.member, until=span.to_at)
        for team in teams
        for span in _now(tx, team, at)
    ]


def _now(tx: Read, team: int, at: int) -> list[ShiftSpan]:
    """The spans that hold this moment, each as long as the same member goes on."""
    found = []
    spans = rota_spans(tx, team, at, at + 53 * 7 * DAY_S)
    for level in sorted({span.level for span in spans}):
        line = [span for span in spans if span.level == level]
        if line[0].from_at > at:
            continue
        until = line[0].to_at
        for span in line[1:]:
            if span.from_at != until or span.member != line[0].member:
                break
            until = span.to_at
        found.append(ShiftSpan(level, line[0].member, at, until))
    return found
