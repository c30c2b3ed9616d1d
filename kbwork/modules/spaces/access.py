"""Who may see and do what in a space: the widest of what its kind gives, of grants, and of being an admin."""

from typing import Any

from kbwork.base.errors import Conflict, NotAllowed, NotFound
from kbwork.base.text import did_you_mean
from kbwork.core.access import visibility
from kbwork.core.access.grants import InheritedGrant, Level, at_least, wider
from kbwork.db.rows import SpaceRow
from kbwork.db.tx import Read, Row, json_array
from kbwork.modules import access as grants
from kbwork.modules.projects import access as projects

SEEN = "s.deleted_at is null and s.id in (select value from json_each(:kb_spaces))"
"""The condition on `space s`: the caller may see it."""
RESTORABLE = "s.deleted_at is not null and s.id in (select value from json_each(:kb_space_trash))"
"""The condition on `space s`: it lies in the trash, and the caller may bring it back."""
BY_ROLE: dict[projects.Role, Level] = {
    "lead": "manage",
    "member": "edit",
    "reporter": "comment",
    "viewer": "view",
}


def levels(tx: Read) -> dict[int, Level]:
    """What the caller may do in each space that they see, by its number."""
    found: dict[int, Level] = tx.cached(
        ("space levels", tx.caller.ident, tx.caller.role, tx.caller.projects),
        lambda: _levels(tx, "deleted_at is null"),
    )
    return found


def levels_in_trash(tx: Read) -> dict[int, Level]:
    """What the caller could do in those that lie in the trash."""
    found: dict[int, Level] = tx.cached(
        ("space levels in trash", tx.caller.ident, tx.caller.role, tx.caller.projects),
        lambda: _levels(tx, "deleted_at is not null"),
    )
    return found


def _levels(tx: Read, which: str) -> dict[int, Level]:
    caller = tx.caller
    if caller.member is None or caller.role == "anonymous":  # nobody, or a member who is active no more
        return {}
    held = grants.held(tx, "space")
    found: dict[int, Level] = {}
    for row in tx.all(f"select id, key, kind, visibility, project, owner from space where {which}"):
        if caller.projects is not None and row["project"] not in caller.projects:
            continue
        level = _level(tx, row, held.get(row["key"]))
        if level is not None:
            found[row["id"]] = level
    return found


def _level(tx: Read, row: Row, given: Level | None) -> Level | None:
    caller = tx.caller
    if row["kind"] == "personal":
        return "manage" if row["owner"] == caller.member else None
    if row["kind"] == "project":
        role = projects.role_in(tx, row["project"])
        return wider(given, BY_ROLE[role] if role is not None else None)
    if caller.admin:
        return "manage"
    open_to_all = row["visibility"] != "members" and not caller.guest
    return wider(given, "edit" if open_to_all else None)


def binds(tx: Read) -> dict[str, Any]:
    """What the conditions on spaces and pages bind: numbers of spaces by what the caller may do there."""
    held = levels(tx)

    def holding(wanted: Level) -> str:
        return json_array(space for space, level in held.items() if at_least(level, wanted))

    return {
        "kb_spaces": json_array(held),
        "kb_space_speaks": holding("comment"),
        "kb_space_edits": holding("edit"),
        "kb_space_manages": holding("manage"),
        "kb_space_trash": json_array(levels_in_trash(tx) if tx.caller.admin else ()),
    }


def space(tx: Read, key: str) -> SpaceRow:
    """The space with this key, in any case. Raises NotFound where the caller sees none."""
    row = find(tx, key)
    if row is None:
        known = tx.column(f"select s.key from space s where {SEEN}", **visibility.binds(tx))
        raise NotFound(f"There is no space {key!r} that you can see.{did_you_mean(key.upper(), known)}")
    return row


def find(tx: Read, key: str) -> SpaceRow | None:
    """As `space`, or None."""
    row = tx.one(
        "select * from space where key = :key and deleted_at is null", SpaceRow, key=key.strip().upper()
    )
    return row if row is not None and row["id"] in levels(tx) else None


def level_in(tx: Read, space_id: int) -> Level | None:
    """What the caller may do in a space; None where they do not see it."""
    return levels(tx).get(space_id)


def require(tx: Read, row: SpaceRow, wanted: Level) -> None:
    """Raises NotAllowed where the caller may not do that in the space."""
    if not at_least(level_in(tx, row["id"]), wanted):
        raise NotAllowed(f"This needs the right to {wanted} in the space {row['key']}.")


def closed(row: SpaceRow) -> str | None:
    """Why nothing in the space may be changed now."""
    if row["archived_at"] is None:
        return None
    return f"The space {row['key']} is archived: bring it back before changing anything in it."


def require_open(row: SpaceRow) -> None:
    """Raises Conflict where the space is archived."""
    if why := closed(row):
        raise Conflict(why)


def inherited(tx: Read, row: SpaceRow) -> list[InheritedGrant]:
    """What its kind gives by itself."""
    made = ("system", row["created_at"])
    if row["kind"] == "personal":
        return [InheritedGrant(row["owner"], "manage", "org", *made)]
    if row["kind"] == "project":
        found: list[InheritedGrant] = []
        for one in tx.all(
            "select who, role from project_member where project = :project order by who",
            project=row["project"],
        ):
            level: Level = BY_ROLE[one["role"]]
            found.append(InheritedGrant(one["who"], level, "project", *made))
        return found
    admins = InheritedGrant("team:admins", "manage", "org", *made)
    if row["visibility"] == "members":
        return [admins]
    return [admins, InheritedGrant("role:member", "edit", "org", *made)]


def within(tx: Read, key: str) -> list[str] | None:
    """The space with this key under its name as a subject, and the project that it follows, whoever asks; None where it
    is not there."""
    row = tx.one(
        "select s.key, p.key as project from space s left join project p on p.id = s.project where s.key = :key",
        key=key.upper(),
    )
    if row is None:
        return None
    above = [f"project:{row['project']}"] if row["project"] is not None else []
    return [f"space:{row['key']}", *above]
