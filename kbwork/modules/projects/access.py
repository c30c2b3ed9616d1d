"""Who may see and do what in a project. A role is the widest of visibility, membership and being an admin."""

from typing import Any, Literal

from kbwork.base.errors import Conflict, NotAllowed, NotFound
from kbwork.base.text import did_you_mean
from kbwork.core.access import visibility
from kbwork.db.rows import ProjectRow
from kbwork.db.tx import Read, json_array

Role = Literal["lead", "member", "reporter", "viewer"]
_WIDTH: dict[Role, int] = {"viewer": 0, "reporter": 1, "member": 2, "lead": 3}

SEEN = "p.deleted_at is null and p.id in (select value from json_each(:kb_projects))"
"""The condition on `project p`: the caller may see it."""


def roles(tx: Read) -> dict[int, Role]:
    """The caller's role in each project that they see, by the project's internal id."""
    found: dict[int, Role] = tx.cached(
        ("roles", tx.caller.ident, tx.caller.role, tx.caller.projects), lambda: _roles(tx)
    )
    return found


def roles_in_trash(tx: Read) -> dict[int, Role]:
    """The roles that the caller would have in projects that lie in the trash."""
    found: dict[int, Role] = tx.cached(
        ("roles in trash", tx.caller.ident, tx.caller.role), lambda: _roles(tx, "deleted_at is not null")
    )
    return found


def _roles(tx: Read, which: str = "deleted_at is null") -> dict[int, Role]:
    caller = tx.caller
    if caller.role == "anonymous":  # nobody, or a member who is active no more
        return {}
    held: dict[int, Role] = {}
    for row in tx.all(
        "select project, role from project_member where who = :me or who in (select value from json_each(:teams))",
        me=caller.member or "",
        teams=json_array(visibility.teams(tx)),
    ):
        held[row["project"]] = _wider(held.get(row["project"]), row["role"])
    answer: dict[int, Role] = {}
    for row in tx.all(f"select id, visibility from project where {which}"):
        project, role = row["id"], held.get(row["id"])
        if row["visibility"] == "org" and not caller.guest:
            role = _wider(role, "member")
        if caller.admin and row["visibility"] != "private":
            role = "lead"
        if role == "lead" and caller.guest:
            role = "member"
        if role is not None and (caller.projects is None or project in caller.projects):
            answer[project] = role
    return answer


def _wider(one: Role | None, other: Role) -> Role:
    return other if one is None or _WIDTH[other] > _WIDTH[one] else one


def binds(tx: Read) -> dict[str, Any]:
    """What the conditions on projects and issues bind: ids by what the caller sees of them."""
    held = roles(tx)
    reporters = [project for project, role in held.items() if role == "reporter"]
    own = set(
        tx.column(
            "select id from project where reporters_see = 'own' and id in (select value from json_each(:ids))",
            ids=json_array(reporters),
        )
        if reporters
        else ()
    )
    named: list[int] = []
    if tx.caller.admin and tx.caller.projects is None:
        named = tx.column("select id from project where visibility = 'private' and kind <> 'personal'")
    inner = tx.caller.role in ("owner", "admin", "member") and tx.caller.projects is None
    issues = tx.caller.holds("issues")
    return {
        "kb_projects": json_array(held),
        "kb_full": json_array(project for project in held if issues and project not in own),
        "kb_own": json_array(own if issues else ()),
        "kb_public": int(inner and issues),
        "kb_lead": json_array(project for project, role in held.items() if role == "lead"),
        "kb_work": json_array(
            project for project, role in held.items() if role in ("lead", "member") and not tx.caller.guest
        ),
        "kb_trash": json_array(project for project, role in roles_in_trash(tx).items() if role == "lead"),
        "kb_named": json_array(project for project in named if project not in held),
    }


def project(tx: Read, key: str, *, named: bool = False) -> ProjectRow:
    """The project with this key (or a former one, in any case). Raises NotFound where the caller sees none.

    `named` takes private projects too, of which an admin who is no member sees key, name and people.
    """
    row = tx.one(
        "select p.* from project_key k join project p on p.id = k.project where k.key = :key and p.deleted_at is null",
        ProjectRow,
        key=key.strip().upper(),
    )
    if row is None or not (row["id"] in roles(tx) or (named and _is_named(tx, row))):
        known = tx.column(f"select p.key from project p where {SEEN}", **visibility.binds(tx))
        raise NotFound(f"There is no project {key!r} that you can see.{did_you_mean(key, known)}")
    return row


def as_set_up(tx: Read, key: str) -> ProjectRow:
    """The project as `project` answers it, from memory: its `numbers`, which move where issues leave, may be older."""
    found = by_key(tx).get(key.strip().upper())
    if found is None or found not in roles(tx):
        return project(tx, key)
    row: ProjectRow = tx.cached(("project as set up", found), lambda: tx.stored("project", [found]))
    return row


def by_key(tx: Read) -> dict[str, int]:
    """The internal numbers of all projects that are there, seen or not, by their keys and former keys."""
    found: dict[str, int] = tx.cached(
        "projects by key",
        lambda: dict(
            tx.tuples(
                "select k.key, k.project from project_key k join project p on p.id = k.project"
                " where p.deleted_at is null"
            )
        ),
    )
    return found


def _is_named(tx: Read, row: ProjectRow) -> bool:
    return (
        tx.caller.admin
        and tx.caller.projects is None
        and row["visibility"] == "private"
        and row["kind"] != "personal"
    )


def role_in(tx: Read, project_id: int) -> Role | None:
    """The caller's role in a project; None where they do not see it."""
    return roles(tx).get(project_id)


def purged(tx: Read, key: str) -> int:
    """The internal id of a project that is being purged, for what hangs on it."""
    found: int = tx.value("select project from project_key where key = :key", key=key)
    return found


def role_of(tx: Read, project_id: int, member: str) -> Role | None:
    """The role of somebody else in a project; None where they do not see it."""
    return roles(visibility.as_member(tx, member)).get(project_id)


def at_least(tx: Read, project_id: int, role: Role) -> bool:
    """Whether the caller's role in the project is this one or a wider one."""
    held = role_in(tx, project_id)
    return held is not None and _WIDTH[held] >= _WIDTH[role]


def require_lead(tx: Read, row: ProjectRow) -> None:
    """Raises NotAllowed where the caller does not lead the project."""
    if not at_least(tx, row["id"], "lead"):
        raise NotAllowed(f"This needs the role lead in {row['key']}, or an admin of the org.")


def closed(row: ProjectRow) -> str | None:
    """Why nothing in the project may be changed now."""
    if row["archived_at"] is None:
        return None
    return f"{row['key']} is archived: bring it back before changing anything in it."


def require_open(row: ProjectRow) -> None:
    """Raises Conflict where the project is archived."""
    if why := closed(row):
        raise Conflict(why)
