"""Who works in a project, and with what role."""

from typing import Literal

from kbwork.base.errors import Conflict, InvalidInput
from kbwork.base.model import Input, Text
from kbwork.base.text import whole_number
from kbwork.core import named
from kbwork.core.operations.declare import read, write
from kbwork.core.operations.dispatch import check_person
from kbwork.core.references import ProjectRef
from kbwork.db.rows import ProjectRow
from kbwork.db.tx import Read, Row, Write
from kbwork.modules import members
from kbwork.modules.projects import access
from kbwork.modules.projects.model import ProjectMember, ProjectMembersChanged, ProjectUpdated

_ORDER = (
    "case role when 'lead' then 0 when 'member' then 1 when 'reporter' then 2 else 3 end, lower(name), who"
)

_ACTIVE = "m.state = 'active' and m.role <> 'guest'"
_LED_BY_OTHERS = f"""
select 1 from project_member p where p.project = :project and p.role = 'lead' and p.who <> :who and (
  exists (select 1 from member m where m.id = p.who and {_ACTIVE})
  or exists (select 1 from team_member t join member m on m.id = t.member
    where 'team:' || t.team = p.who and {_ACTIVE})
) limit 1
"""
"""Who was deactivated leads nothing, nor does a team that nobody active is in."""


class ProjectsMembers(Input):
    key: ProjectRef


@read(
    "projects.members",
    scope="projects:read",
    words="who is in the project, who can see the project, project team, who has access",
    example={"key": "WEB"},
)
def list_members(tx: Read, args: ProjectsMembers) -> list[ProjectMember]:
    """List who has a role in a project, leads first; a team's members stand with `through` naming the team.

    In a project of visibility `org` every member of the org works as well, without standing here.
    """
    return shown(tx, access.project(tx, args.key, named=True)["id"])


class ProjectsMemberSet(Input):
    key: ProjectRef
    who: Text
    """Member, or `team:<id>`."""
    role: Literal["lead", "member", "reporter", "viewer", "none"]
    """What they may do in the project; `none` takes it away."""


@write(
    "projects.member_set",
    scope="projects:write",
    words=(
        "give access to a project, add somebody to a project, remove from a project, "
        "project permissions, let somebody see the project, share a project, project lead, "
        "invite to the project"
    ),
    emits=[ProjectMembersChanged, ProjectUpdated],
    people="people",
    undo="who works where is set anew",
    example={"key": "WEB", "who": "@di", "role": "member"},
)
def member_set(tx: Write, args: ProjectsMemberSet) -> list[ProjectMember]:
    """Give somebody a role in a project, or take it with `none`. For its leads and admins.

    Admins may so enter a private project, which its leads are told. The last lead who is active stays (409); guests
    and teams that anybody may join cannot lead. Whoever was the project's `lead` and has the role no more is it no
    more either.
    """
    project = access.project(tx, args.key, named=True)
    named = access.role_in(tx, project["id"]) is None
    if not (named and tx.caller.admin):
        access.require_lead(tx, project)
    if project["kind"] == "personal":
        raise Conflict("A personal project is its owner's alone.")
    who, name = _identity(tx, args.who, args.role)
    before = tx.value(
        "select role from project_member where project = :project and who = :who",
        project=project["id"],
        who=who,
    )
    after = None if args.role == "none" else args.role
    if before == after:
        return shown(tx, project["id"])
    _require_lead_left(tx, project["id"], who, before, after)
    if after is None:
        tx.delete("project_member", (project["id"], who))
    elif before is None:
        tx.insert("project_member", project=project["id"], who=who, role=after)
    else:
        tx.update("project_member", (project["id"], who), role=after)
    _tell(tx, project, (who, name), (before, after))
    if project["lead"] == who and after != "lead":
        _lead_by_nobody(tx, project)
    return shown(tx, project["id"])


def make_lead(tx: Write, project: ProjectRow, who: str) -> None:
    """Give a member the role lead, which is for people to give. Undo leaves the role, as it does any other.

    Raises NotAllowed where an agent asks.
    """
    before = tx.value(
        "select role from project_member where project = :project and who = :who",
        project=project["id"],
        who=who,
    )
    if before == "lead":
        return
    check_person(tx.registry.require("projects.member_set"), tx.caller, tx.now)
    tx.execute(
        "insert into project_member (project, who, role) values (:project, :who, 'lead')"
        " on conflict do update set role = 'lead'",
        project=project["id"],
        who=who,
    )
    name = str(tx.value("select name from member where id = :who", who=who))
    _tell(tx, project, (who, name), (before, "lead"))


def shown(tx: Read, project: int) -> list[ProjectMember]:
    """The people of a project, those of its teams with the team they come through."""
    rows = tx.all(
        "select who, name, role, through from ("
        " select pm.who, coalesce(m.name, t.name) as name, pm.role, null as through from project_member pm"
        " left join member m on m.id = pm.who left join team t on 'team:' || t.id = pm.who where pm.project = :project"
        " union all select m.id, m.name, pm.role, pm.who from project_member pm"
        " join team_member tm on 'team:' || tm.team = pm.who join member m on m.id = tm.member"
        f" where pm.project = :project) order by {_ORDER}, through",
        project=project,
    )
    return [
        ProjectMember(who=r["who"], name=r["name"] or "", role=r["role"], through=r["through"]) for r in rows
    ]


def _tell(tx: Write, project: ProjectRow, who: tuple[str, str], roles: tuple[str | None, str | None]) -> None:
    ident, name = who
    payload = {"key": project["key"], "who": ident, "name": name, "role": roles[1] or "none"}
    tx.emit(
        ProjectMembersChanged(subject=f"project:{project['key']}", payload=payload, changes={"role": roles})
    )


def _lead_by_nobody(tx: Write, project: ProjectRow) -> None:
    tx.update("project", project["id"], lead=None)
    changes = {"lead": (project["lead"], None)}
    seq = tx.emit(
        ProjectUpdated(subject=f"project:{project['key']}", payload={"key": project["key"]}, changes=changes)
    )
    tx.execute("update project set seq = :seq where id = :id", seq=seq, id=project["id"])


def _identity(tx: Read, ref: str, role: str) -> tuple[str, str]:
    """(identity, name) of a member or team that may have this role. Raises InvalidInput or Conflict."""
    if ref.startswith("team:"):
        team = _team(tx, ref)
        if team["open"] and role not in ("viewer", "none"):
            raise Conflict(f"Anybody may join {team['name']}: an open team can only be viewer.")
        return f"team:{team['id']}", str(team["name"])
    row = members.by_ref(tx, ref, field="who")
    if role != "none" and row["state"] != "active":
        raise InvalidInput(f"{row['name']} is no active member.", field="who")
    if role == "lead" and row["role"] == "guest":
        raise InvalidInput(
            "Guests are never leads.", field="role", allowed=["member", "reporter", "viewer", "none"]
        )
    return str(row["id"]), str(row["name"])


def _team(tx: Read, ref: str) -> Row:
    row = tx.one("select * from team where id = :id", id=whole_number(ref.removeprefix("team:")))
    return named.known(row, "team", ref, "teams.list")


def _require_lead_left(tx: Read, project: int, who: str, before: str | None, after: str | None) -> None:
    if before != "lead" or after == "lead":
        return
    if tx.value(_LED_BY_OTHERS, project=project, who=who) is None:
        raise Conflict("The last lead stays: make somebody else lead first.")
