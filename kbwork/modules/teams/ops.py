"""Look at teams, make and change one, let people in and out, take one away."""

import json
from typing import Any, Literal

from kbwork.base.errors import Conflict, InUse, InvalidInput, NotAllowed
from kbwork.base.model import Body, Id, Input, Name, Text
from kbwork.core import named
from kbwork.core.access import callers, visibility
from kbwork.core.operations import nested
from kbwork.core.operations.declare import destructive, read, write
from kbwork.db.rows import MemberRow, TeamRow
from kbwork.db.tx import Read, Write
from kbwork.modules import members, projects
from kbwork.modules.teams import queries
from kbwork.modules.teams.model import ADMINS, Team, TeamDeleted, TeamMembersChanged, TeamSaved

_TOLD = ("name", "handle", "icon", "parent", "open")
"""The columns whose values stand in events; the description is a text and only named."""


class TeamsList(Input):
    q: Text | None = None
    """Words in name, handle or description."""
    mine: bool | None = None
    """True: those that you are in."""


@read(
    "teams.list",
    scope="members:read",
    words="all teams, which teams exist, groups, departments, my teams",
    example={"mine": True},
)
def list_(tx: Read, args: TeamsList) -> list[Team]:
    """List teams: the admins, who always exist, and then the others by name.

    Guests see their own teams and those of their projects, with the people whom they see.
    """
    where, binds = [members.TEAM_SEEN], dict(visibility.binds(tx))
    if args.mine:
        where.append(
            "exists (select 1 from team_member mine where mine.team = t.id and mine.member = :kb_me)"
        )
    words = (args.q or "").lower().split()
    for number, word in enumerate(words):
        where.append(f"instr(lower(t.name || ' ' || t.handle || ' ' || t.description), :q{number})")
        binds[f"q{number}"] = word.removeprefix("@") or word
    rows = tx.all(
        f"select t.* from team t where {' and '.join(where)} order by lower(t.name), t.id", TeamRow, **binds
    )
    found = queries.shown(tx, rows)
    if tx.caller.guest or (args.mine and not tx.caller.admin):
        return found
    admins = queries.admins(tx)
    text = f"{admins['name']} {admins['handle']} {admins['description']}".lower()
    return [admins, *found] if all(word.removeprefix("@") in text for word in words) else found


class TeamsGet(Input):
    id: Id
    """0 stands for the admins."""


@read(
    "teams.get",
    scope="members:read",
    words="who is in the team, details of a team, team lead, members of a team",
    example={"id": 1},
)
def get(tx: Read, args: TeamsGet) -> Team:
    """Look at one team. A team that you may not see is 404."""
    if args.id == ADMINS and not tx.caller.guest:
        return queries.admins(tx)
    return queries.shown(tx, [queries.get(tx, args.id)])[0]


class TeamsSave(Input):
    id: Id | None = None
    """The team to change; left out: make one."""
    name: Name
    """What people read, unique without case."""
    handle: members.Handle | None = None
    """Made from the name unless given."""
    description: Body | None = None
    """What it is for, in Markdown."""
    parent: Id | None = None
    """The team above; null: none."""
    icon: Text | None = None
    """Name of its icon."""
    open: bool | None = None
    """Members come and go by themselves."""
    calendar: Id | None = None
    """Not offered by this version."""


@write(
    "teams.save",
    scope="members:write",
    words="new team, create a group, rename a team, team description, department",
    emits=[TeamSaved, TeamMembersChanged],
    example={"name": "Design", "description": "How it looks and feels", "open": True},
)
def save(tx: Write, args: TeamsSave) -> Team:
    """Make a team, which you lead then, or change one that you lead: fields that are not named stay.

    Admins change all. Names and handles are unique without case (409). A parent needs its lead or an admin (403) and
    no circle (422). A team that has more than the role viewer in a project, or approves moves, cannot be opened
    (409). The admins' team and those that the directory keeps cannot be changed (409).
    """
    found = queries.to_change(tx, args.id) if args.id is not None else None
    if found is not None:
        queries.require_lead(tx, found)
    columns = _columns(tx, args, found)
    if found is None:
        return queries.shown(tx, [_make(tx, columns)])[0]
    changed = named.diff(found, columns)
    if changed:
        tx.update("team", found["id"], **changed)
        changes = named.changes(found, changed, _TOLD, open=bool)
        fields = sorted(set(changed) - set(_TOLD))
        payload = {"name": args.name} | ({"fields": fields} if fields else {})
        tx.emit(TeamSaved(subject=f"team:{found['id']}", payload=payload, changes=changes))
    return queries.shown(tx, [queries.get(tx, found["id"])])[0]


class TeamsMemberSet(Input):
    id: Id
    """Id of the team."""
    who: Text
    """Member id, e-mail address, `@handle` or `me`."""
    role: Literal["lead", "member", "none"]
    """Whether they lead it; `none` takes them out."""


@write(
    "teams.member_set",
    scope="members:write",
    words=("add somebody to a team, remove from a team, join a team, leave a team, make somebody team lead"),
    emits=[TeamMembersChanged],
    people="people",
    undo="who is in a team is set anew",
    example={"id": 1, "who": "@di", "role": "member"},
)
def member_set(tx: Write, args: TeamsMemberSet) -> Team:
    """Put somebody into a team, or take them out with `none`. For its leads and admins.

    In an open team members come and go by themselves. Guests may be members, not leads (422); only active people
    come in (422). The last lead may go: then admins manage it. Who is in has the team's roles at once.
    """
    team = queries.to_change(tx, args.id)
    row = members.by_ref(tx, args.who, field="who")
    own = row["id"] == tx.caller.member and bool(team["open"]) and args.role != "lead"
    if not own:
        queries.require_lead(tx, team)
    if args.role == "none":
        before = tx.value(
            "select role from team_member where team = :team and member = :member",
            team=team["id"],
            member=row["id"],
        )
        if tx.delete("team_member", (team["id"], row["id"])):
            queries.tell_member(tx, team["id"], row["id"], (before, None))
    else:
        _require_fitting(row, args.role)
        queries.join(tx, team["id"], row["id"], args.role)
    return queries.shown(tx, [team])[0]


class TeamsDelete(Input):
    id: Id
    """Id of the team."""
    move_to: Id | None = None
    """The team that takes its place in projects and over its sub-teams."""


@destructive(
    "teams.delete",
    scope="admin",
    words="remove a team, dissolve a team, disband",
    emits=[TeamDeleted, TeamSaved],
    people="people",
    undo="a deleted team is made anew",
    example={"id": 1, "move_to": 2},
)
def delete(tx: Write, args: TeamsDelete) -> list[Team]:
    """Take a team away, with its rota. For admins. Answers the teams that are left.

    One that has a role in projects, or teams below it, needs `move_to` (409 `in-use` with `uses`). One that issues or
    approvals name cannot go before they name another (409). The admins' team and managed ones stay (409).
    """
    team = queries.to_change(tx, args.id)
    target = queries.to_change(tx, args.move_to) if args.move_to is not None else None
    if target is not None and target["id"] == team["id"]:
        raise InvalidInput("A team cannot take its own place.", field="move_to")
    uses = _uses(tx, team["id"])
    fixed = [use for use in uses if use["kind"] in ("issues", "workflows")]
    if fixed:
        named = " and ".join(f"{use['count']} {use['kind']}" for use in fixed)
        raise InUse(f"{named} name {team['name']}: let them name another first.", uses=uses)
    if uses and target is None:
        named = " and ".join(f"{use['count']} {use['kind']}" for use in uses)
        raise InUse(f"{named} rest on {team['name']}: name a team for them in move_to.", uses=uses)
    if target is not None:
        _move_uses(tx, team, target)
    for table in ("rota_override", "rota", "team_member"):
        _delete_rows(tx, table, team["id"])
    tx.delete("team", team["id"])
    tx.memo.clear()
    tx.emit(TeamDeleted(subject=f"team:{team['id']}", payload={"move_to": target["id"]} if target else {}))
    return list_(tx, TeamsList())


def _make(tx: Write, columns: dict[str, Any]) -> TeamRow:
    team = tx.insert("team", **columns, managed=0, created_at=tx.now)
    tx.insert("team_member", team=team, member=tx.caller.me(), role="lead")
    tx.emit(TeamSaved(subject=f"team:{team}", payload={"name": columns["name"], "handle": columns["handle"]}))
    queries.tell_member(tx, team, tx.caller.me(), (None, "lead"))
    return queries.get(tx, team)


def _columns(tx: Read, args: TeamsSave, found: TeamRow | None) -> dict[str, Any]:
    """The columns as they are to be; what cannot be is refused."""
    ident = found["id"] if found is not None else None
    taken = tx.value(
        "select name from team where lower(name) = lower(:name) and id is not :id", name=args.name, id=ident
    )
    if taken is not None or args.name.lower() == "admins":
        raise Conflict(f"There is a team {taken or 'Admins'!r} already; names are unique without case.")
    if args.calendar is not None:
        raise InvalidInput(f"There is no calendar {args.calendar}.", field="calendar", allowed=[])
    columns: dict[str, Any] = {"name": args.name, "handle": _handle(tx, args, found)}
    if args.description is not None or found is None:
        columns["description"] = args.description or ""
    if args.icon is not None:
        columns["icon"] = args.icon or None
    if args.given("parent"):
        columns["parent"] = _parent(tx, args.parent, found)
    if args.open is not None or found is None:
        columns["open"] = int(bool(args.open))
    if args.open and found is not None and not found["open"]:
        _require_may_open(tx, found)
    return columns


def _handle(tx: Read, args: TeamsSave, found: TeamRow | None) -> str:
    if args.handle is None:
        return str(found["handle"]) if found is not None else callers.free_handle(tx, args.name)
    if found is None or args.handle != found["handle"]:
        members.require_handle_free(tx, args.handle, but=f"team:{found['id']}" if found is not None else "")
    return args.handle


def _parent(tx: Read, parent: int | None, found: TeamRow | None) -> int | None:
    before = found["parent"] if found is not None else None
    if parent is None or parent == before:
        return parent
    above = named.seen(queries.seen(tx, parent), "team", parent, field="parent")
    if not queries.leads(tx, above["id"]):
        raise NotAllowed(f"Only the leads of {above['name']} and admins put teams under it.")
    if found is not None and found["id"] in _line(tx, above["id"]):
        raise InvalidInput("A team cannot stand under itself.", field="parent")
    return int(above["id"])


def _require_may_open(tx: Read, team: TeamRow) -> None:
    who = f"team:{team['id']}"
    project = tx.value(
        "select p.key from project_member pm join project p on p.id = pm.project"
        " where pm.who = :who and pm.role <> 'viewer' and p.deleted_at is null limit 1",
        who=who,
    )
    if project is not None:
        raise Conflict(
            f"{team['name']} works in a project: anybody who came in would, too. Make it a viewer first."
        )
    if _approving(tx, who):
        raise Conflict(f"{team['name']} approves moves of issues: anybody who came in would, too.")


def _approving(tx: Read, who: str) -> int:
    """How many workflows ask this team."""
    return sum(
        any(who in transition.get("approvers", []) for transition in json.loads(text))
        for text in tx.column("select transitions from workflow where instr(transitions, :who)", who=who)
    )


def _require_fitting(row: MemberRow, role: str) -> None:
    if row["state"] != "active":
        raise InvalidInput(f"{row['name']} is no active member.", field="who")
    if role == "lead" and row["role"] == "guest":
        raise InvalidInput("Guests are never leads.", field="role", allowed=["member", "none"])


def _uses(tx: Read, team: int) -> list[dict[str, Any]]:
    who = f"team:{team}"
    counts = {
        "projects": tx.value(
            "select count(*) from project_member pm join project p on p.id = pm.project"
            " where pm.who = :who and p.deleted_at is null",
            who=who,
        ),
        "teams": tx.value("select count(*) from team where parent = :team", team=team),
        "issues": tx.value("select count(*) from issue where level = :who", who=who),
        "workflows": _approving(tx, who),
    }
    return [{"kind": kind, "count": count} for kind, count in counts.items() if count]


def _move_uses(tx: Write, team: TeamRow, target: TeamRow) -> None:
    """Roles in projects go over, the wider where both have one; teams below stand under the target."""
    who, other = f"team:{team['id']}", f"team:{target['id']}"
    for row in tx.all(
        "select p.key, pm.role, (select role from project_member o where o.project = pm.project and o.who = :other)"
        " as held from project_member pm join project p on p.id = pm.project"
        " where pm.who = :who and p.deleted_at is null order by p.key",
        who=who,
        other=other,
    ):
        order = ("viewer", "reporter", "member", "lead")
        if row["held"] is None or order.index(row["held"]) < order.index(row["role"]):
            nested.run(tx, projects.member_set, {"key": row["key"], "who": other, "role": row["role"]})
        nested.run(tx, projects.member_set, {"key": row["key"], "who": who, "role": "none"})
    if target["parent"] == team["id"]:
        _put_under(tx, target, team["parent"])
    for below in tx.all("select * from team where parent = :team", TeamRow, team=team["id"]):
        if below["id"] in _line(tx, target["id"]):
            raise Conflict(f"{target['name']} stands under {below['name']}: it cannot take its place.")
        _put_under(tx, below, target["id"])


def _put_under(tx: Write, team: TeamRow, parent: int | None) -> None:
    tx.update("team", team["id"], parent=parent)
    changes = {"parent": (team["parent"], parent)}
    tx.emit(TeamSaved(subject=f"team:{team['id']}", payload={"name": team["name"]}, changes=changes))


def _line(tx: Read, team: int) -> list[int]:
    """A team and all above it."""
    return tx.column(
        "with recursive up (id) as (select :id union select t.parent from up join team t on t.id = up.id"
        " where t.parent is not null) select id from up",
        id=team,
    )


def _delete_rows(tx: Write, table: str, team: int) -> None:
    places = {
        "rota_override": "select id from rota_override where team = :team",
        "rota": "select team from rota where team = :team",
        "team_member": "select member from team_member where team = :team",
    }
    for place in tx.column(places[table], team=team):
        tx.delete(table, (team, place) if table == "team_member" else place)
