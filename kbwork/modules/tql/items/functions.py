"""What the functions of the language give that look beyond one issue."""

import datetime
import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from kbwork.core import zones
from kbwork.core.access import visibility
from kbwork.db.tx import Read, json_array
from kbwork.modules import assets, search, teams
from kbwork.modules.members import MEMBER_SEEN
from kbwork.modules.projects import ISSUE_SEEN, access
from kbwork.modules.teams import TeamsOnCall
from kbwork.modules.teams import on_call as on_call_now
from kbwork.modules.tql.compile import full_text
from kbwork.modules.tql.names.db_names import issue_id
from kbwork.modules.tql.names.relations import DEPTH

_RECENT = 20
_SIMILAR = 20
_MOST = 10_000
_KEYS = (
    "select p.key || '-' || i.number as key from issue i join project p on p.id = i.project"
    " join json_each(:ids) wanted on wanted.value = i.id where {seen} order by wanted.key"
)


def keys_of(tx: Read, ids: Iterable[int]) -> list[str]:
    """The keys of those of these issues that the caller sees, in this order."""
    return tx.column(_KEYS.format(seen=ISSUE_SEEN), ids=json_array(ids), **visibility.binds(tx))


def members_of(tx: Read, team: Any) -> list[str]:
    """The members of a team and of the teams below it."""
    found: list[str] = []
    for one in _several(team):
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


def lead_of(tx: Read, project: Any) -> list[str]:
    """The lead of a project, else those who have the role there."""
    found: list[str] = []
    for one in _several(project):
        lead = tx.value(
            f"select p.lead from project p where p.id = :id and {access.SEEN}",
            id=int(one),
            **visibility.binds(tx),
        )
        leads = tx.column(
            "select who from project_member where project = :id and role = 'lead' and who not like 'team:%'",
            id=int(one),
        )
        found += [lead] if lead else leads
    return found


def on_call(tx: Read, team: Any) -> list[str]:
    """Who of a team is on call now, those who are asked first at the beginning."""
    found = []
    for one in _several(team):
        if one != "admins" and teams.seen(tx, int(one)) is not None:
            found += [shift["member"] for shift in on_call_now(tx, TeamsOnCall(team=int(one)))]
    return list(dict.fromkeys(found))


def agents(tx: Read) -> list[str]:
    if tx.caller.guest:
        return []
    return tx.column("select 'agent:' || name from agent order by name")


def last_visit(tx: Read) -> list[int]:
    """When the caller last looked at something, before the last half hour: the visit that is over."""
    found = tx.value(
        "select max(at) from mark where member = :me and at < :now - 1800",
        me=tx.caller.member or "",
        now=tx.now,
    )
    return [] if found is None else [found]


def recent(tx: Read, most: Any = _RECENT) -> list[str]:
    """The issues that the caller opened last."""
    ids = tx.column(
        "select cast(substr(subject, 7) as integer) from mark where member = :me and substr(subject, 1, 6) = 'issue:'"
        " order by at desc, subject limit :most",
        me=tx.caller.member or "",
        most=_count(most),
    )
    return keys_of(tx, ids)


def mentioned_me(tx: Read) -> list[str]:
    """Issues whose body or comments name the caller's handle, or that of one of their teams."""
    me = tx.caller.member or ""
    handles = tx.column(
        "select handle from member where id = :me union select t.handle from team_member tm"
        " join team t on t.id = tm.team where tm.member = :me",
        me=me,
    )
    if not handles:
        return []
    wanted = re.compile(
        rf"(?<![\w@.])@(?:{'|'.join(re.escape(one) for one in handles)})(?![\w-]|\.\w)", re.IGNORECASE
    )
    found = full_text.holding(tx, handles, wanted.search)
    return keys_of(tx, sorted(found))


def assigned_ever(tx: Read, who: Any) -> list[str]:
    """Issues that somebody has or had."""
    ids = tx.column(
        "select distinct cast(substr(subject, 7) as integer) from span where field = 'assignee'"
        " and value in (select value from json_each(:who)) and subject >= 'issue:' and subject < 'issue;'",
        who=json_array(_several(who)),
    )
    return keys_of(tx, ids)


def similar(tx: Read, key: Any) -> list[str]:
    """Issues that share most words of this one's title and body, best first; 20 at most."""
    own = issue_id(tx, str(key))
    row = tx.one("select title, body from issue where id = :id", id=own)
    if row is None:
        return []
    near = search.alike(tx, row["title"], row["body"], but=own, project=None)
    return keys_of(tx, [ident for ident, _ in near[:_SIMILAR]])


def dependents_of(tx: Read, key: Any, depth: Any = DEPTH) -> list[str]:
    return _along(tx, key, depth, "src", "dst")


def blockers_of(tx: Read, key: Any, depth: Any = DEPTH) -> list[str]:
    return _along(tx, key, depth, "dst", "src")


def _along(tx: Read, key: Any, depth: Any, here: str, there: str) -> list[str]:
    """Along blocking relations, so many steps, through issues that the caller sees."""
    ids = tx.column(
        "with recursive walk (id, depth) as (select :id, 0 union"
        f" select i.id, w.depth + 1 from walk w join relation r on r.{here} = w.id"
        f" join relation_kind k on k.id = r.kind and k.blocks join issue i on i.id = r.{there}"
        f" where w.depth < :most and {ISSUE_SEEN})"
        " select id from walk where depth > 0 group by id order by min(depth), id limit :limit",
        id=issue_id(tx, str(key)),
        most=min(_count(depth), DEPTH),
        limit=_MOST,
        **visibility.binds(tx),
    )
    return keys_of(tx, ids)


def assets_of(tx: Read, who: Any) -> list[str]:
    """Assets that somebody owns, retired ones too."""
    return tx.column(
        "select a.key from asset a where a.owner in (select value from json_each(:who))"
        f" and {assets.SEEN} order by a.id",
        who=json_array(_several(who)),
        **visibility.binds(tx),
    )


def random(tx: Read, most: Any) -> list[str]:
    """A sample that stays the same for the caller all day."""
    day = datetime.datetime.fromtimestamp(tx.now, zones.of_caller(tx)).date().isoformat()
    seed = int.from_bytes(hashlib.sha256(f"{day} {tx.caller.actor}".encode()).digest()[:4], "big") | 1
    ids = tx.column(
        f"select i.id from issue i where i.archived_at is null and {ISSUE_SEEN}"
        " order by (i.id * 2654435761 + :seed) * 40503 % 1000003, i.id limit :most",
        seed=seed,
        most=_count(most),
        **visibility.binds(tx),
    )
    return keys_of(tx, ids)


def _count(most: Any) -> int:
    return max(0, min(int(most), _MOST)) if isinstance(most, int | float) else _MOST


def _several(value: Any) -> Sequence[str]:
    return value if isinstance(value, tuple | list) else (value,)


FUNCTIONS: dict[str, Callable[..., Sequence[Any]]] = {
    "membersOf": members_of,
    "myTeams": my_teams,
    "leadOf": lead_of,
    "onCall": on_call,
    "agents": agents,
    "lastVisit": last_visit,
    "recent": recent,
    "mentionedMe": mentioned_me,
    "assignedEver": assigned_ever,
    "similar": similar,
    "dependentsOf": dependents_of,
    "blockersOf": blockers_of,
    "assetsOf": assets_of,
    "random": random,
}
SCOPES = {
    **dict.fromkeys(("membersOf", "myTeams", "onCall"), "members:read"),
    "leadOf": "projects:read",
    "assetsOf": "assets:read",
}
"""The scope that a function needs which looks into another source."""
