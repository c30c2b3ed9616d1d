"""Members as rows: who sees whom, and how a reference becomes a member."""

import json
from collections.abc import Sequence

from kbwork.base.errors import InvalidInput, NotFound
from kbwork.base.text import did_you_mean, folded
from kbwork.core.access import visibility
from kbwork.db.rows import MemberRow
from kbwork.db.tx import Read, json_array
from kbwork.modules.members.model import Member, Status

_ISSUE_SHARED = (
    "i.deleted_at is null and (i.project in (select value from json_each(:kb_full))"
    " and (i.level is null or i.level = 'public')"
    " or (i.project in (select value from json_each(:kb_full)) or i.project in (select value from json_each(:kb_own)))"
    " and (i.reporter = :kb_me or exists (select 1 from issue_assignee mine"
    " where mine.issue = i.id and mine.who = :kb_me)))"
)
MEMBER_SEEN = (
    "(not :kb_guest or m.id = :kb_me"
    " or exists (select 1 from project_member pm where pm.project in (select value from json_each(:kb_projects))"
    " and (pm.who = m.id or pm.who in (select 'team:' || t.team from team_member t where t.member = m.id)))"
    " or exists (select 1 from team_member one join team_member other on other.team = one.team"
    " where one.member = m.id and other.member = :kb_me)"
    f" or exists (select 1 from issue i where i.reporter = m.id and {_ISSUE_SHARED})"
    f" or exists (select 1 from issue_assignee a join issue i on i.id = a.issue where a.who = m.id and {_ISSUE_SHARED})"
    " or exists (select 1 from comment c join issue i on i.id = cast(substr(c.subject, 7) as integer)"
    " where c.author = m.id and c.internal = 0 and c.deleted_at is null and substr(c.subject, 1, 6) = 'issue:'"
    f" and {_ISSUE_SHARED}))"
)
"""The condition on `member m`: guests see only people of what they share: a project, a team, an issue."""

TEAM_SEEN = (
    "(not :kb_guest or 'team:' || t.id in (select value from json_each(:kb_teams))"
    " or exists (select 1 from project_member pm where pm.who = 'team:' || t.id"
    " and pm.project in (select value from json_each(:kb_projects))))"
)
"""The condition on `team t`: guests see their own teams and those of their projects."""


_TEAMS = (
    "select member, team from team_member where member in (select value from json_each(:ids)) order by team"
)
_TEAMS_SEEN = (
    "select tm.member, tm.team from team_member tm join team t on t.id = tm.team"
    f" where tm.member in (select value from json_each(:ids)) and {TEAM_SEEN} order by tm.team"
)
_LONGEST = 60
"""No handle is longer, nor is an id."""


def seen(tx: Read, member: str) -> MemberRow | None:
    """The stored member, if the caller sees them."""
    if not tx.caller.guest and len(member) <= _LONGEST:
        found: MemberRow | None = tx.cached(("member", member), lambda: tx.stored("member", [member]))
        return found
    return tx.one(
        f"select m.* from member m where m.id = :id and {MEMBER_SEEN}",
        MemberRow,
        id=member,
        **visibility.binds(tx),
    )


def handle_of(tx: Read, who: str) -> str | None:
    """The handle of a member, whether or not the caller sees them."""
    found: str | None = tx.cached(
        ("handle of", who), lambda: tx.value("select handle from member where id = :who", who=who)
    )
    return found


def by_ref(
    tx: Read, ref: str, *, field: str = "id", missing: type[NotFound] | type[InvalidInput] = InvalidInput
) -> MemberRow:
    """A member by id, `me`, `@handle`, handle or (for who may see addresses) e-mail.

    Raises InvalidInput naming the nearest handle, or NotFound where `missing` says so.
    """
    row = find(tx, ref)
    if row is not None:
        return row
    known = tx.column(
        f"select m.handle from member m where m.state = 'active' and {MEMBER_SEEN}", **visibility.binds(tx)
    )
    hint = did_you_mean(ref.removeprefix("@"), known, "@{}".format)
    text = f"There is no member {ref!r} that you can see.{hint}"
    raise NotFound(text) if missing is NotFound else InvalidInput(text, field=field)


def find(tx: Read, ref: str) -> MemberRow | None:
    """As `by_ref`, or None."""
    ref = ref.strip()
    if ref == "me":
        return seen(tx, tx.caller.me())
    if "@" in ref[1:]:
        if tx.caller.guest:
            return None
        found = tx.value("select id from member where lower(email) = lower(:ref)", ref=ref)
    elif ref.startswith("m_"):
        found = ref
    else:
        found = _called(tx, ref.removeprefix("@"))
    return seen(tx, found) if found else None


def _called(tx: Read, handle: str) -> str | None:
    """Who has this handle."""
    if len(handle) > _LONGEST:
        return None
    found: str | None = tx.cached(
        ("called", handle),
        lambda: tx.value("select id from member where lower(handle) = lower(:ref)", ref=handle),
    )
    return found


def by_name(tx: Read) -> dict[str, str]:
    """Ids of those who are here or invited, by their names in one form; without names that several have."""
    found: dict[str, str | None] = {}
    for id, name in tx.tuples("select id, name from member where state in ('active', 'invited')"):
        form = folded(name)
        found[form] = None if form in found else id
    return {name: id for name, id in found.items() if id is not None}


def shown(tx: Read, rows: Sequence[MemberRow]) -> list[Member]:
    """Members as the caller may see them."""
    ids = json_array(row["id"] for row in rows)
    teams: dict[str, list[int]] = {}
    held, binds = (_TEAMS_SEEN, visibility.binds(tx)) if tx.caller.guest else (_TEAMS, {})
    for member, team in tx.tuples(held, ids=ids, **binds):
        teams.setdefault(member, []).append(team)
    factors = set(
        tx.column(
            "select member from credential where totp is not null and member in (select value from json_each(:ids))"
            " union select member from passkey where member in (select value from json_each(:ids))",
            ids=ids,
        )
    )
    return [_shown(tx, row, teams.get(row["id"], []), row["id"] in factors) for row in rows]


def _shown(tx: Read, row: MemberRow, teams: list[int], two_factor: bool) -> Member:
    own = row["id"] == tx.caller.member
    guest = tx.caller.guest and not own
    return Member(
        id=row["id"],
        name=row["name"],
        handle=row["handle"],
        email=None if guest else row["email"],
        avatar=f"/avatars/{row['id']}?v={row['avatar']}" if row["avatar"] else None,
        role=row["role"],
        state=row["state"],
        kind="person",
        title=row["title"],
        zone=row["zone"],
        locale=row["locale"],
        teams=teams,
        status=lasting(tx, status(row)),
        two_factor=two_factor if own or tx.caller.admin else None,
        managed=False,
        guest_until=row["guest_until"],
        last_seen_at=None if guest else row["last_seen_at"],
        created_at=row["created_at"],
    )


def status(row: MemberRow) -> Status | None:
    """What somebody said that they are up to."""
    found: Status | None = json.loads(row["status"]) if row["status"] else None
    return found


def lasting(tx: Read, said: Status | None) -> Status | None:
    """The same, unless it is over."""
    until = said.get("until") if said is not None else None
    return None if until is not None and until <= tx.now else said


def one(tx: Read, member: str) -> Member:
    """A member as the caller may see them; the row is there."""
    row = tx.one("select * from member where id = :id", MemberRow, id=member)
    assert row is not None
    return shown(tx, [row])[0]


def avatar(tx: Read, ref: str) -> tuple[str, bytes] | None:
    """(media type, bytes) of a member's picture, if there is one and the caller sees the member."""
    if "members:read" not in tx.caller.scopes or seen(tx, ref) is None:
        return None
    row = tx.one("select type, data from avatar where member = :member", member=ref)
    return (row["type"], row["data"]) if row is not None else None
