"""Teams as rows: which the caller sees, who leads them, and how somebody comes in."""

from kbwork.base.errors import Conflict, NotAllowed
from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.db.rows import TeamMemberRow, TeamRow
from kbwork.db.tx import Read, Write, json_array
from kbwork.modules import members
from kbwork.modules.members import MEMBER_SEEN
from kbwork.modules.teams.model import ADMINS, Team, TeamMember, TeamMembersChanged


def seen(tx: Read, team: int) -> TeamRow | None:
    """The stored team, if the caller sees it. The admins have no row."""
    return tx.one(
        f"select t.* from team t where t.id = :id and {members.TEAM_SEEN}",
        TeamRow,
        id=team,
        **visibility.binds(tx),
    )


def get(tx: Read, team: int) -> TeamRow:
    """Raises NotFound where the caller sees no such team."""
    return named.seen(seen(tx, team), "team", team, "teams.list")


def to_change(tx: Read, team: int) -> TeamRow:
    """The team, where people may change it. Raises NotFound or Conflict."""
    if team == ADMINS and not tx.caller.guest:
        raise Conflict("The team of the admins follows the roles: members.update changes them.")
    row = get(tx, team)
    if row["managed"]:
        raise Conflict(f"{row['name']} is kept by the directory: change it there.")
    return row


def leads(tx: Read, team: int) -> bool:
    """Whether the caller leads the team; admins lead all."""
    role = tx.value(
        "select role from team_member where team = :team and member = :me", team=team, me=tx.caller.member
    )
    return tx.caller.admin or role == "lead"


def require_lead(tx: Read, row: TeamRow) -> None:
    """Raises NotAllowed."""
    if not leads(tx, row["id"]):
        raise NotAllowed(f"{row['name']} is managed by its leads and by admins.")


def join(tx: Write, team: int, member: str, role: str) -> None:
    """Put somebody into a team, or give them another role there, and tell of it. The team is there."""
    before = tx.value(
        "select role from team_member where team = :team and member = :member", team=team, member=member
    )
    if before == role:
        return
    if before is None:
        tx.insert("team_member", team=team, member=member, role=role)
    else:
        tx.update("team_member", (team, member), role=role)
    tell_member(tx, team, member, (before, role))


def tell_member(tx: Write, team: int, member: str, sides: tuple[str | None, str | None]) -> None:
    name = tx.value("select name from member where id = :id", id=member)
    payload = {"who": member, "name": name, "role": sides[1] or "none"}
    tx.emit(TeamMembersChanged(subject=f"team:{team}", payload=payload, changes={"role": sides}))


def shown(tx: Read, rows: list[TeamRow]) -> list[Team]:
    """Teams with those of their active members that the caller sees, leads first."""
    people: dict[int, list[TeamMember]] = {}
    for pair in tx.all(
        "select tm.team, tm.member, tm.role from team_member tm join member m on m.id = tm.member"
        f" where tm.team in (select value from json_each(:ids)) and m.state = 'active' and {MEMBER_SEEN}"
        " order by tm.role <> 'lead', lower(m.name), m.id",
        TeamMemberRow,
        ids=json_array(row["id"] for row in rows),
        **visibility.binds(tx),
    ):
        people.setdefault(pair["team"], []).append(TeamMember(who=pair["member"], role=pair["role"]))
    return [
        Team(
            id=row["id"],
            name=row["name"],
            handle=row["handle"],
            description=row["description"],
            icon=row["icon"],
            parent=row["parent"],
            open=bool(row["open"]),
            builtin=False,
            members=people.get(row["id"], []),
            calendar=row["calendar"],
            managed=bool(row["managed"]),
        )
        for row in rows
    ]


def admins(tx: Read) -> Team:
    """The team that always exists."""
    people = tx.all(
        "select id, role from member where role in ('owner', 'admin') and state = 'active' order by lower(name), id"
    )
    return Team(
        id=ADMINS,
        name="Admins",
        handle="admins",
        description="Owners and admins of the org",
        icon=None,
        parent=None,
        open=False,
        builtin=True,
        members=[TeamMember(who=r["id"], role="lead" if r["role"] == "owner" else "member") for r in people],
        calendar=None,
        managed=False,
    )
