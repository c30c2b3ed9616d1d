"""What somebody may give by an invite: asked when it is made, sent again and accepted, and when rights are lost."""

import json
from collections.abc import Collection

from kbwork.base.errors import NotAllowed
from kbwork.core import org_settings
from kbwork.core.access import visibility
from kbwork.db.rows import InviteRow
from kbwork.db.tx import Read
from kbwork.modules import members
from kbwork.modules.projects import access


def require_may_give(tx: Read, role: str, projects: Collection[int], teams: Collection[int]) -> None:
    """Admins invite to any role but owner, members guests; into projects that they lead. Raises NotAllowed."""
    held = access.roles(tx) if projects else {}
    leads_all = all(held.get(project) == "lead" for project in projects)
    if tx.caller.admin:
        if not leads_all:
            raise NotAllowed(
                "Into a private project its leads alone invite: leave it out, or ask one of them."
            )
        return
    if role != "guest":
        raise NotAllowed(
            "Admins alone invite members and admins; you may invite guests into projects that you lead."
        )
    if not org_settings.get(tx, "org.guests"):
        raise NotAllowed("This org takes no guests but those that admins invite.")
    if not projects or not leads_all:
        raise NotAllowed(
            "You may invite guests into projects that you lead: name one or more, and no others."
        )
    if teams:
        raise NotAllowed("Admins alone invite people into teams; a team's leads add them when they are here.")


def require_may_give_again(tx: Read, row: InviteRow) -> None:
    """Whether the caller may give what this invite gives. Raises NotAllowed."""
    require_may_give(tx, row["role"], projects_left(tx, row), json.loads(row["teams"]))


def require_confirmed_for(tx: Read, role: str) -> None:
    """Raises ElevationNeeded where the caller would make an admin and did not confirm just now who they are."""
    if role == "admin":
        members.require_confirmed(tx)


def holds(tx: Read, row: InviteRow) -> bool:
    """Whether whoever made the invite may give what it gives, as they are now."""
    try:
        require_may_give_again(visibility.as_member(tx, row["invited_by"]), row)
    except NotAllowed:
        return False
    return True


def projects_left(tx: Read, row: InviteRow) -> dict[int, str]:
    """The projects of an invite that are still there, with their keys."""
    return dict(
        tx.tuples(
            "select id, key from project where id in (select value from json_each(:ids))"
            " and deleted_at is null and kind <> 'personal'",
            ids=row["projects"],
        )
    )
