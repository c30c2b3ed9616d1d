"""Who may look into all events: admins, by nothing that was limited to a part."""

from kbwork.base.caller import Caller
from kbwork.base.errors import NotAllowed


def is_whole(caller: Caller) -> bool:
    """Whether they are an admin who is limited neither to projects nor to modules."""
    return "admin" in caller.scopes and not caller.limited


def require_whole(caller: Caller) -> None:
    """Raises NotAllowed for a caller who sees less than an admin does: events of all projects are counted."""
    if not is_whole(caller):
        raise NotAllowed(
            "Analytics reads the events of all projects: a key that is limited to projects, or a client that was given"
            " some modules, may not. Use a session, or a key without limits."
        )
