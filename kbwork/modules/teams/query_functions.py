"""What the functions of the query language give that are about teams."""

from typing import Any

from kbwork.core.access import visibility
from kbwork.core.ports.query_source import DEPTH, QueryFunction, several
from kbwork.db.tx import Read
from kbwork.modules.members import MEMBER_SEEN
from kbwork.modules.teams import queries
from kbwork.modules.teams.on_call import TeamsOnCall
from kbwork.modules.teams.on_call import on_call as on_call_now


def members_of(tx: Read, team: Any) -> list[str]:
    """The members of a team and of the teams below it."""
    found: list[str] = []
    for one in several(team):
        if one == "admins":
            found += tx.column("select id from member where role in ('owner', 'admin') and state = 'active'")
        else:
            found += tx.column(_MEMBERS, team=int(one), most=DEPTH, **visibility.binds(tx))
    return list(dict.fromkeys(found))


_MEMBERS = (
    "with recursive below (id, depth) as (select :team, 0 union select t.id, depth + 1 from below"
    " join team t on t.parent = below.id where depth < :most)"
    " select distinct m.id from team_member tm join below on below.id = tm.team join member m on m.id = tm.member"
    f" where {MEMBER_SEEN} order by m.id"
)


def my_teams(tx: Read) -> list[str]:
    """The people of the caller's teams."""
    own = tx.column("select team from team_member where member = :me", me=tx.caller.member or "")
    return list(dict.fromkeys(who for team in own for who in members_of(tx, str(team))))


def on_call(tx: Read, team: Any) -> list[str]:
    """Who of a team is on call now, those who are asked first at the beginning."""
    found = []
    for one in several(team):
        if one != "admins" and queries.seen(tx, int(one)) is not None:
            found += [shift["member"] for shift in on_call_now(tx, TeamsOnCall(team=int(one)))]
    return list(dict.fromkeys(found))


MEMBERS_OF = QueryFunction(home=__name__, name="membersOf", call=members_of, scope="members:read")
MY_TEAMS = QueryFunction(home=__name__, name="myTeams", call=my_teams, scope="members:read")
ON_CALL = QueryFunction(home=__name__, name="onCall", call=on_call, scope="members:read")
